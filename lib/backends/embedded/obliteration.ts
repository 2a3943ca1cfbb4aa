import type { TrimEventsReply, TrimEventsRequest } from '../../contract/event-log';
import { MAX_TRIMMED } from '../../contract/event-log';
import type { ObliterateQueueReply, ObliterateQueueRequest } from '../../contract/job-removal';
import { Refusal } from '../../contract/refusal';
import type { JobState } from '../../model/job-state';
import { removeOf } from './removal';
import { forgetMetrics } from './metrics';
import type { Step } from './step';

/** In the order in which they are emptied. */
const STATES = [
  'active',
  'delayed',
  'completed',
  'waiting',
  'prioritized',
  'failed',
  'waiting-children',
] as const satisfies readonly JobState[];

/**
 * Removes everything.
 *
 * @internal
 */
export function obliterateQueue(step: Step, request: ObliterateQueueRequest): ObliterateQueueReply {
  const { now, store, queueName } = step;
  const refusal = refusalOf(step, request);
  if (refusal !== null) {
    return { now, refusal, removed: 0, more: false };
  }
  const removed = removeOf(step, STATES, request.limit);
  const more = removed === request.limit;
  if (!more) {
    store.trimEvents(queueName, 0);
    forgetMetrics(step);
    step.forget();
  }
  return { now, refusal, removed, more };
}

function refusalOf({ store, queue, queueName }: Step, { force }: ObliterateQueueRequest): Refusal | null {
  if (queue.paused === 0) {
    return Refusal.QueueNotPaused;
  }
  return !force && store.count('jobsByState', [queueName, 'active']) > 0 ? Refusal.QueueActive : null;
}

/**
 * Drops the oldest events.
 *
 * @internal
 */
export function trimEvents(
  { store, queueName, now }: Step,
  { maxLength }: TrimEventsRequest,
): TrimEventsReply {
  const count = store.countEvents(queueName);
  const removed = Math.min(Math.max(0, count - maxLength), MAX_TRIMMED);
  if (removed > 0) {
    store.trimEvents(queueName, count - removed);
  }
  return { now, removed, more: count - removed > maxLength };
}
