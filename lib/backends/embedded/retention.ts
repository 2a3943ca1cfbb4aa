import type { Retention } from '../../model/policy/retention';
import type { Step } from './step';

/**
 * Removes the finished jobs of a state that a retention does not keep: first by age, then by count, the oldest
 * first.
 *
 * @internal
 */
export function removeSurplus(step: Step, state: 'completed' | 'failed', retention: Retention): void {
  const { store, queueName } = step;
  const { count, age, limit } = retention;
  if (age !== null) {
    store.deleteRange('jobsByState', [queueName, state], { to: step.now - age, limit });
  }
  if (count > 0) {
    const surplus = store.count('jobsByState', [queueName, state]) - count;
    if (surplus > 0) {
      store.deleteRange('jobsByState', [queueName, state], { limit: Math.min(surplus, limit) });
    }
  }
}
