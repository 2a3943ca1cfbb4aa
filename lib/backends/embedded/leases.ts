import type { CancelNotice } from '../../contract/job-cancelling';
import type {
  ClaimRequest,
  HeldLease,
  RenewLeasesReply,
  RenewLeasesRequest,
} from '../../contract/job-handover';
import { Refusal } from '../../contract/refusal';
import { expire, forgetExpiry, hasExpired } from './expiry';
import { enterActive } from './placement';
import type { Step } from './step';
import type { JobRow } from './store';

/**
 * Leases a job, or has its lessee fail it where its time to be started is over.
 *
 * @internal
 */
export function lease(
  step: Step,
  row: JobRow,
  { leaseDuration, workerName }: Pick<ClaimRequest, 'leaseDuration' | 'workerName'>,
  token: string,
): void {
  forgetExpiry(step, row);
  if (hasExpired(step, row)) {
    expire(row);
  }
  enterActive(step, row, token, leaseDuration);
  row.attemptsStarted += 1;
  row.processedOn = step.now;
  row.processedBy = workerName ?? row.processedBy;
  step.store.put('jobs', row);
}

/**
 * The job that a lease is on, or why its holder has no say about it (any more).
 *
 * @internal
 */
export function leasedJob(step: Step, { id, token }: HeldLease): JobRow | Refusal {
  const row = step.store.get('jobs', step.queueName, id);
  if (row === undefined) {
    return Refusal.JobNotFound;
  }
  if (!isLeased(step, row)) {
    return Refusal.LeaseMissing;
  }
  return row.token === token ? row : Refusal.LeaseMismatch;
}

/**
 * Whether somebody holds a job. A lease is over at its end, whether a sweep has seen that or not.
 *
 * @internal
 */
export function isLeased(step: Step, row: JobRow): boolean {
  return row.state === 'active' && step.now < row.order;
}

/**
 * Lengthens leases.
 *
 * @internal
 */
export function renewLeases(step: Step, request: RenewLeasesRequest): RenewLeasesReply {
  const cancels: CancelNotice[] = [];
  const refusals = request.leases.map((lease) => {
    const found = leasedJob(step, lease);
    if (typeof found === 'number') {
      return found;
    }
    found.order = step.now + request.leaseDuration;
    found.sequence = step.nextBack();
    step.store.put('jobs', found);
    if (found.cancelReason !== null) {
      cancels.push({ id: lease.id, token: lease.token, reason: found.cancelReason });
    }
    return null;
  });
  return { now: step.now, refusals, cancels };
}
