import type { Step } from './step';
import type { JobRow } from './store';

// Every move of a job into a state, with its place there. The caller stores the row.

/**
 * Makes a job ready to run, among those of its priority.
 *
 * @internal
 */
export function enterReady(step: Step, row: JobRow, side: 'front' | 'back'): void {
  row.state = row.priority === 0 ? 'waiting' : 'prioritized';
  row.order = row.priority;
  row.sequence = side === 'front' ? step.nextFront() : step.nextBack();
  row.token = null;
}

/**
 * Makes a job the next to run, whatever its priority.
 *
 * @internal
 */
export function enterVeryFront(step: Step, row: JobRow): void {
  row.state = 'waiting';
  row.order = 0;
  row.sequence = step.nextFront();
  row.token = null;
}

/**
 * Holds a job back.
 *
 * @param delay - milliseconds; a part of one counts as a whole
 * @param from - time from which it is counted
 *
 * @internal
 */
export function enterDelayed(step: Step, row: JobRow, delay: number, from = step.now): void {
  row.state = 'delayed';
  row.delay = Math.ceil(delay);
  row.order = from + row.delay;
  row.sequence = step.nextBack();
  row.token = null;
  step.emit({ event: 'delayed', jobId: row.id, delay: row.order });
}

/**
 * Leases a job. Its sequence tells whether that was before or after a sweep.
 *
 * @internal
 */
export function enterActive(step: Step, row: JobRow, token: string, leaseDuration: number): void {
  row.state = 'active';
  row.order = step.now + leaseDuration;
  row.sequence = step.nextBack();
  row.token = token;
  row.claimed = row.sequence;
  step.emit({ event: 'active', jobId: row.id, prev: 'waiting' });
}

/**
 * Ends a job.
 *
 * @internal
 */
export function enterFinished(step: Step, row: JobRow, state: 'completed' | 'failed'): void {
  const { queue } = step;
  queue.lastFinish = Math.max(queue.lastFinish, step.now);
  row.state = state;
  row.order = queue.lastFinish;
  row.sequence = step.nextBack();
  row.token = null;
  row.finishedOn = step.now;
}
