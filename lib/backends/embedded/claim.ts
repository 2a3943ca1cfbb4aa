import type { Claim, ClaimIdle, ClaimJobsReply, ClaimRequest } from '../../contract/job-handover';
import { leaseTokenOf, MAX_BATCH, MAX_BATCH_SIZE, type MutatingCall } from '../../contract/mutating-call';
import { hasExpired } from './expiry';
import { toRecord } from './job-row';
import { lease } from './leases';
import { countPermits, permitsOf, roomOf } from './limits';
import { enterReady } from './placement';
import type { Step } from './step';
import type { JobRow, Store } from './store';

/**
 * Leases the next jobs.
 *
 * @internal
 */
export function claimJobs(step: Step, request: ClaimRequest, call: MutatingCall): ClaimJobsReply {
  return { now: step.now, claim: claim(step, request, call) };
}

/**
 * The claim of a claiming or settling call.
 *
 * @param heedsHand - a rate limit that was set by hand holds even if the claim goes by no rate
 *
 * @internal
 */
export function claim(step: Step, request: ClaimRequest, call: MutatingCall, heedsHand = false): Claim {
  const token = request.token ?? leaseTokenOf(call);
  promoteDueJobs(step);
  if (step.queue.paused !== 0) {
    return { jobs: [], token, iterations: [], idle: idle(step, 'paused') };
  }
  const count = Math.min(request.count, MAX_BATCH);
  const room = roomOf(step.store, step.queue, count);
  if (room <= 0) {
    return { jobs: [], token, iterations: [], idle: idle(step, 'blocked') };
  }
  const permits = permitsOf(step.queue, step.now, request.limiter, heedsHand);
  if (permits.limitedFor > 0) {
    return { jobs: [], token, iterations: [], idle: { reason: 'limited', dueIn: permits.limitedFor } };
  }
  const { rows, used, isLimited } = takeReady(step, room, permits.count);
  for (const row of rows) {
    lease(step, row, request, token);
  }
  countPermits(step, request.limiter, used);
  const jobs = rows.map(toRecord);
  return { jobs, token, iterations: [], idle: whyNoMore(step, jobs.length, room, count, isLimited) };
}

/**
 * Whether a job waits to be run, at any priority.
 *
 * @internal
 */
export function hasReadyJobs(store: Store, queueName: string): boolean {
  return (
    store.count('jobsByState', [queueName, 'waiting']) > 0 ||
    store.count('jobsByState', [queueName, 'prioritized']) > 0
  );
}

/**
 * Time at which the next delayed job is due, or `null` without one.
 *
 * @internal
 */
export function nextDueTime(store: Store, queueName: string): number | null {
  return store.scan('jobsByState', [queueName, 'delayed'], { limit: 1 })[0]?.order ?? null;
}

/** Lets delayed jobs wait whose time has come: as many as a claim can take. */
function promoteDueJobs(step: Step): void {
  const due = step.store.scan('jobsByState', [step.queueName, 'delayed'], { to: step.now, limit: MAX_BATCH });
  for (const row of due) {
    row.delay = 0;
    enterReady(step, row, 'back');
    step.emit({ event: 'waiting', jobId: row.id, prev: 'delayed' });
    step.store.put('jobs', row);
  }
}

/** Why fewer came than were wanted: where no bound of the call left any, no job is due either. */
function whyNoMore(
  step: Step,
  claimed: number,
  room: number,
  wanted: number,
  isLimited: boolean,
): ClaimIdle | null {
  if (!hasReadyJobs(step.store, step.queueName)) {
    return claimed < wanted ? idle(step, 'empty') : null;
  }
  if (isLimited) {
    return { reason: 'limited', dueIn: Math.max(0, step.queue.windowEnd - step.now) };
  }
  return claimed >= room && room < wanted ? idle(step, 'blocked') : null;
}

/** The next jobs, in running order, that fit into one call and have permits; who is to fail needs none. */
function takeReady(
  step: Step,
  count: number,
  permits: number,
): { rows: JobRow[]; used: number; isLimited: boolean } {
  const { store, queueName } = step;
  const rows = store.scan('jobsByState', [queueName, 'waiting'], { limit: count });
  if (rows.length < count) {
    rows.push(...store.scan('jobsByState', [queueName, 'prioritized'], { limit: count - rows.length }));
  }
  let size = 0;
  let used = 0;
  for (const [index, row] of rows.entries()) {
    size += row.data.length;
    if (index > 0 && size > MAX_BATCH_SIZE) {
      return { rows: rows.slice(0, index), used, isLimited: false };
    }
    if (row.deferredFailure === null && row.cancelReason === null && !hasExpired(step, row)) {
      if (used === permits) {
        return { rows: rows.slice(0, index), used, isLimited: true };
      }
      used += 1;
    }
  }
  return { rows, used, isLimited: false };
}

function idle(step: Step, reason: ClaimIdle['reason']): ClaimIdle {
  const due = nextDueTime(step.store, step.queueName);
  return { reason, dueIn: due === null ? null : Math.max(0, due - step.now) };
}
