import type { PublishEventsRequest } from '../../contract/event-log';
import type { Reply } from '../../contract/mutating-call';
import type { Step } from './step';

/**
 * Writes events of an application's own.
 *
 * @internal
 */
export function publishEvents(step: Step, request: PublishEventsRequest): Reply {
  for (const { name, fields, maxEvents } of request.events) {
    step.emit({ event: name, fields });
    if (maxEvents !== null) {
      step.store.trimEvents(step.queueName, maxEvents);
    }
  }
  return { now: step.now };
}
