import type { ClaimExpiredJobsReply, ClaimExpiredJobsRequest } from '../../contract/job-expiry';
import { leaseTokenOf, MAX_BATCH, MAX_BATCH_SIZE, type MutatingCall } from '../../contract/mutating-call';
import { toRecord } from './job-row';
import { lease } from './leases';
import type { Step } from './step';
import type { JobRow } from './store';

/**
 * Leases jobs whose time to be started is over.
 *
 * @internal
 */
export function claimExpiredJobs(
  step: Step,
  request: ClaimExpiredJobsRequest,
  call: MutatingCall,
): ClaimExpiredJobsReply {
  const token = leaseTokenOf(call);
  const { rows, more } = takeExpired(step, Math.min(request.count, MAX_BATCH));
  for (const row of rows) {
    if (row.state === 'delayed') {
      row.delay = 0;
      step.emit({ event: 'waiting', jobId: row.id, prev: 'delayed' });
    }
    lease(step, row, request, token);
  }
  return { now: step.now, claim: { jobs: rows.map(toRecord), token, iterations: [], idle: null }, more };
}

/** The first ones that fit into one call. */
function takeExpired({ store, queueName, now }: Step, count: number): { rows: JobRow[]; more: boolean } {
  const expiries = store.scan('expiriesByTime', [queueName], { to: now, limit: count + 1 });
  const rows = expiries.slice(0, count).map(({ job }) => store.get('jobs', queueName, job)!);
  let size = 0;
  const tooMuch = rows.findIndex((row, index) => (size += row.data.length) > MAX_BATCH_SIZE && index > 0);
  return tooMuch < 0 ? { rows, more: expiries.length > count } : { rows: rows.slice(0, tooMuch), more: true };
}
