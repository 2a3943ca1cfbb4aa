import {
  MAX_REMOVED,
  type CleanJobsReply,
  type CleanJobsRequest,
  type DrainQueueReply,
  type DrainQueueRequest,
  type RemoveJobsReply,
  type RemoveJobsRequest,
} from '../../contract/job-removal';
import { Refusal } from '../../contract/refusal';
import type { JobState } from '../../model/job-state';
import { forgetExpiry } from './expiry';
import { isLeased } from './leases';
import { activeByClaim } from './lookups';
import type { Step } from './step';
import type { JobRow } from './store';

/**
 * Removes jobs. Nobody can put a flow here, so each stands for itself.
 *
 * @internal
 */
export function removeJobs(step: Step, request: RemoveJobsRequest): RemoveJobsReply {
  const refusals = request.jobs.map(({ id }) => {
    const row = step.store.get('jobs', step.queueName, id);
    if (row === undefined) {
      return Refusal.JobNotFound;
    }
    if (isLeased(step, row)) {
      return Refusal.JobLeased;
    }
    forgetExpiry(step, row);
    step.store.delete('jobs', step.queueName, id);
    step.emit({ event: 'removed', jobId: id, prev: storedNameOf(row.state) });
    return null;
  });
  return { now: step.now, refusals, unfinished: [] };
}

/**
 * Removes jobs of one state that are old.
 *
 * @internal
 */
export function cleanJobs(step: Step, request: CleanJobsRequest): CleanJobsReply {
  const { store, queueName, now } = step;
  const removed: string[] = [];
  let { kept } = request;
  const rows = candidatesOf(step, request);
  for (const row of rows) {
    if (removed.length === request.limit) {
      break;
    }
    if (isOld(row, request.before) && !isLeased(step, row)) {
      forgetExpiry(step, row);
      store.delete('jobs', queueName, row.id);
      removed.push(row.id);
    } else {
      kept += 1;
    }
  }
  if (removed.length > 0) {
    step.emit({ event: 'cleaned', count: String(removed.length) });
  }
  return { now, removed, kept, more: rows.length === MAX_REMOVED };
}

/**
 * Removes what waits to be run.
 *
 * @internal
 */
export function drainQueue(step: Step, request: DrainQueueRequest): DrainQueueReply {
  const states: JobState[] = ['waiting', 'prioritized', ...(request.delayed ? (['delayed'] as const) : [])];
  const removed = removeOf(step, states, MAX_REMOVED);
  // Nobody can put a scheduler here, whose iterations would be kept.
  return { now: step.now, removed, kept: 0, more: removed === MAX_REMOVED };
}

/**
 * Removes jobs of some states, state by state, in their order.
 *
 * @param most - how many at most
 * @returns how many were removed
 *
 * @internal
 */
export function removeOf(step: Step, states: readonly JobState[], most: number): number {
  const { store, queueName } = step;
  let removed = 0;
  for (const state of states) {
    const group = [queueName, state] as const;
    const count = Math.min(store.count('jobsByState', group), most - removed);
    if (state === 'active') {
      // They are kept by the ends of their leases.
      activeByClaim(store, queueName)
        .slice(0, count)
        .forEach((row) => store.delete('jobs', queueName, row.id));
    } else {
      if (store.count('expiriesByTime', [queueName]) > 0) {
        store.scan('jobsByState', group, { limit: count }).forEach((row) => forgetExpiry(step, row));
      }
      store.deleteRange('jobsByState', group, { limit: count });
    }
    removed += count;
  }
  return removed;
}

function candidatesOf(step: Step, { state, before, kept }: CleanJobsRequest): JobRow[] {
  const { store, queueName } = step;
  switch (state) {
    case 'paused':
      return step.queue.paused === 0
        ? []
        : store.scan('jobsByState', [queueName, 'waiting'], { offset: kept, limit: MAX_REMOVED });
    case 'active':
      return activeByClaim(store, queueName).slice(kept, kept + MAX_REMOVED);
    case 'completed':
    case 'failed':
      return store.scan('jobsByState', [queueName, state], { to: before, offset: kept, limit: MAX_REMOVED });
    case 'waiting':
    case 'prioritized':
    case 'delayed':
    case 'waiting-children':
      return store.scan('jobsByState', [queueName, state], { offset: kept, limit: MAX_REMOVED });
  }
}

function isOld(row: JobRow, before: number): boolean {
  const lastRun = row.state === 'prioritized' ? null : row.processedOn;
  return (row.finishedOn ?? lastRun ?? row.timestamp) <= before;
}

/** A state as events name it. Storage protocol, section 6.2. */
function storedNameOf(state: JobState): string {
  return state === 'waiting' ? 'wait' : state;
}
