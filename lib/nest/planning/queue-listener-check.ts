import type { QueueEventType } from '../decorators/on-queue-event.decorator';
import { QUEUE_EVENT_TYPES } from '../decorators/on-queue-event.decorator';
import type { FoundProcessor } from '../discovery/processor.explorer';
import type { ConfigProblem } from '../errors/config-problem';
import { hostNotStatic, noListener, noQueueOfListener, unknownEvent } from '../messages/processor.messages';
import { asWritten } from '../messages/wording';
import type { ListenerMethod } from '../listeners/listener.runner';
import { isQueueEventsHost } from '../listeners/queue-events.host';
import { OptionProblems } from '../registration/option-problems';
import { callOf, checkReference, hindranceOf, labelOf } from './class-check';

/**
 * A method that hears of events of a queue.
 *
 * @internal
 */
export interface PlannedQueueEvent extends ListenerMethod {
  readonly event: QueueEventType;
}

/**
 * An object that hears the events of a queue, right by itself.
 *
 * @internal
 */
export interface PlannedQueueListener {
  readonly found: FoundProcessor;
  readonly queue: string;
  readonly connection: string;
  readonly methods: readonly PlannedQueueEvent[];
  /** Such as `@QueueEventsListener('email') on EmailEvents (EmailModule)`. */
  readonly place: string;
}

/**
 * Checks what one class says of itself. That its queue is registered is checked by the planner.
 *
 * @param problems - takes in what is wrong
 * @returns what is right, or `undefined` when the class cannot listen at all
 *
 * @internal
 */
export function checkQueueListener(
  found: FoundProcessor,
  problems: ConfigProblem[],
): PlannedQueueListener | undefined {
  const { className, queueListener, scope, queueEvents, target } = found;
  const classPlace = `${className} (${found.moduleName})`;
  if (queueListener === undefined) {
    const methods = queueEvents.map(({ method }) => labelOf(found, method));
    problems.push({ ...noQueueOfListener(className), where: [...methods, classPlace] });
    return undefined;
  }
  const call = callOf('@QueueEventsListener', queueListener.queue);
  const place = `${call} on ${classPlace}`;
  const at = (problem: ConfigProblem): number => problems.push({ ...problem, where: [place] });
  const hindrance = hindranceOf(found, 'listeners');
  if (hindrance !== undefined) {
    at(hindrance);
    return undefined;
  }
  // A host listens by its own means, for as long as the application runs.
  const isHost = isQueueEventsHost(target.prototype);
  if (isHost && scope !== 'static') {
    at(hostNotStatic(className, scope));
    return undefined;
  }
  if (queueEvents.length === 0 && !isHost) {
    at(noListener(className));
  }
  const ofClass = new OptionProblems(call);
  const reference = checkReference(queueListener.queue, ofClass);
  problems.push(...ofClass.at(place));
  return { found, ...reference, methods: checkMethods(found, problems), place };
}

function checkMethods(found: FoundProcessor, problems: ConfigProblem[]): PlannedQueueEvent[] {
  return found.queueEvents.flatMap(({ method, event }) => {
    const label = labelOf(found, method);
    if (!QUEUE_EVENT_TYPES.includes(event as QueueEventType)) {
      problems.push({
        ...unknownEvent(event, 'a queue', QUEUE_EVENT_TYPES),
        where: [`@OnQueueEvent(${asWritten(event)}) on ${label}`],
      });
      return [];
    }
    return [{ instances: found.instances, method, label, event: event as QueueEventType }];
  });
}
