import type { PageRequest } from '../../contract/job-lookup';
import type { JobRecord } from '../../model/job-record';
import { JOB_STATES, type JobState } from '../../model/job-state';
import { toRecord } from './job-row';
import type { JobRow, Store } from './store';

/** @internal */
export function getJobs(store: Store, queueName: string, ids: readonly string[]): (JobRecord | null)[] {
  return ids.map((id) => {
    const row = store.get('jobs', queueName, id);
    return row === undefined ? null : toRecord(row);
  });
}

/** @internal */
export function getStates(store: Store, queueName: string, ids: readonly string[]): (JobState | null)[] {
  return ids.map((id) => store.get('jobs', queueName, id)?.state ?? null);
}

/** @internal */
export function getCounts(store: Store, queueName: string): Record<JobState, number> {
  const counts = JOB_STATES.map((state) => [state, store.count('jobsByState', [queueName, state])]);
  return Object.fromEntries(counts) as Record<JobState, number>;
}

/** @internal */
export function countDelayed(store: Store, queueName: string, before: number): number {
  // Times are whole milliseconds.
  return store.count('jobsByState', [queueName, 'delayed'], { to: Math.ceil(before) - 1 });
}

/** @internal */
export function countPriorities(store: Store, queueName: string, priorities: readonly number[]): number[] {
  return priorities.map((priority) =>
    priority === 0
      ? store.count('jobsByState', [queueName, 'waiting'])
      : store.count('jobsByState', [queueName, 'prioritized'], { from: priority, to: priority }),
  );
}

/** @internal */
export function getPage(store: Store, queueName: string, request: PageRequest): JobRecord[] {
  const { state, offset, limit, order } = request;
  const descending = order === 'descending';
  if (state === 'active') {
    const rows = activeByClaim(store, queueName);
    if (descending) {
      rows.reverse();
    }
    return rows.slice(offset, limit === null ? undefined : offset + limit).map(toRecord);
  }
  const range = { offset, limit: limit ?? Infinity, descending };
  return store.scan('jobsByState', [queueName, state], range).map(toRecord);
}

/**
 * Active jobs, the first claimed first. They are kept by the end of their lease; there are only as many as workers run
 * at once.
 *
 * @internal
 */
export function activeByClaim(store: Store, queueName: string): JobRow[] {
  const rows = store.scan('jobsByState', [queueName, 'active'], { limit: Infinity });
  return rows.sort((left, right) => left.claimed! - right.claimed!);
}
