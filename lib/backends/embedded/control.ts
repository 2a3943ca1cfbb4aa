import type { QueueControlReply } from '../../contract/queue-control';
import type { Step } from './step';

/**
 * Stops handing out jobs.
 *
 * @internal
 */
export function pause(step: Step): QueueControlReply {
  const changed = step.queue.paused === 0;
  if (changed) {
    step.queue.paused = 1;
    step.emit({ event: 'paused' });
  }
  return { now: step.now, changed };
}

/**
 * Hands out jobs again.
 *
 * @internal
 */
export function resume(step: Step): QueueControlReply {
  const changed = step.queue.paused !== 0;
  if (changed) {
    step.queue.paused = 0;
    step.emit({ event: 'resumed' });
  }
  return { now: step.now, changed };
}
