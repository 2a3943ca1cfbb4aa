import type { Retention } from '../../model/policy/retention';
import type { Step } from './step';

/**
 * Removes the finished jobs of a state that a retention does not keep: first by age, then by count, the oldest
 * first.
 *
 * @internal
 */
export function removeSurplus(step: Step, state: 'completed' | 'failed', retention: Retention): void {
  const { count, age, limit } = retention;
  if (age !== null) {
    removeOldest(step, state, limit, step.now - age);
  }
  if (count > 0) {
    const surplus = step.store.count('jobsByState', [step.queueName, state]) - count;
    removeOldest(step, state, Math.min(surplus, limit));
  }
}

/** @param finishedUntil - latest time of finishing; any time when left out */
function removeOldest(
  step: Step,
  state: 'completed' | 'failed',
  limit: number,
  finishedUntil?: number,
): void {
  if (limit <= 0) {
    return;
  }
  for (const row of step.store.scan('jobsByState', [step.queueName, state], { to: finishedUntil, limit })) {
    step.store.delete('jobs', row.queue, row.id);
  }
}
