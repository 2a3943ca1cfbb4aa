import type { Claim, ClaimIdle, ClaimJobsReply, ClaimRequest } from '../../contract/job-handover';
import { leaseTokenOf, MAX_BATCH, MAX_BATCH_SIZE, type MutatingCall } from '../../contract/mutating-call';
import { toRecord } from './job-row';
import { enterActive, enterReady } from './placement';
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
 * @internal
 */
export function claim(step: Step, request: ClaimRequest, call: MutatingCall): Claim {
  const token = request.token ?? leaseTokenOf(call);
  promoteDueJobs(step);
  if (step.queue.paused !== 0) {
    return { jobs: [], token, iterations: [], idle: idle(step, 'paused') };
  }
  const count = Math.min(request.count, MAX_BATCH);
  const rows = takeReady(step, count);
  for (const row of rows) {
    lease(step, row, request, token);
  }
  // Fewer than wanted came, and no bound of the call left any: then no job is due either.
  const isEmpty = rows.length < count && !hasReadyJobs(step.store, step.queueName);
  return { jobs: rows.map(toRecord), token, iterations: [], idle: isEmpty ? idle(step, 'empty') : null };
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

/** The next jobs, in running order, that fit into one call. */
function takeReady(step: Step, count: number): JobRow[] {
  const { store, queueName } = step;
  const rows = store.scan('jobsByState', [queueName, 'waiting'], { limit: count });
  if (rows.length < count) {
    rows.push(...store.scan('jobsByState', [queueName, 'prioritized'], { limit: count - rows.length }));
  }
  let size = 0;
  const tooMany = rows.findIndex((row, index) => {
    size += row.data.length;
    return index > 0 && size > MAX_BATCH_SIZE;
  });
  return tooMany === -1 ? rows : rows.slice(0, tooMany);
}

function lease(step: Step, row: JobRow, request: ClaimRequest, token: string): void {
  enterActive(step, row, token, request.leaseDuration);
  row.attemptsStarted += 1;
  row.processedOn = step.now;
  row.processedBy = request.workerName ?? row.processedBy;
  step.store.put('jobs', row);
}

function idle(step: Step, reason: ClaimIdle['reason']): ClaimIdle {
  const due = nextDueTime(step.store, step.queueName);
  return { reason, dueIn: due === null ? null : Math.max(0, due - step.now) };
}
