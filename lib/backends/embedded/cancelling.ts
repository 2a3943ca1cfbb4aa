import {
  holderOf,
  type CancelAnswer,
  type CancelJobsReply,
  type CancelJobsRequest,
  type JobCancel,
} from '../../contract/job-cancelling';
import { Refusal } from '../../contract/refusal';
import { failAsCancelled, isDrained } from './endings';
import { forgetExpiry } from './expiry';
import { isLeased } from './leases';
import type { Step } from './step';
import type { JobRow } from './store';

/**
 * Cancels jobs.
 *
 * @internal
 */
export function cancelJobs(step: Step, { cancels }: CancelJobsRequest): CancelJobsReply {
  const refusals: (Refusal | null)[] = [];
  const answers: (CancelAnswer | null)[] = [];
  let hadWork = false;
  for (const cancel of cancels) {
    const row = step.store.get('jobs', step.queueName, cancel.id);
    const refusal = refusalOf(row);
    refusals.push(refusal);
    if (refusal !== null) {
      answers.push(null);
    } else if (isLeased(step, row!)) {
      answers.push(requestOf(step, row!, cancel));
    } else {
      hadWork ||= row!.state !== 'delayed';
      forgetExpiry(step, row!);
      failAsCancelled(step, row!, cancel.reason, row!.state);
      answers.push('ended');
    }
  }
  if (hadWork && isDrained(step)) {
    step.emit({ event: 'drained' });
  }
  return { now: step.now, refusals, answers };
}

function refusalOf(row: JobRow | undefined): Refusal | null {
  if (row === undefined) {
    return Refusal.JobNotFound;
  }
  return row.state === 'completed' || row.state === 'failed' ? Refusal.WrongState : null;
}

function requestOf(step: Step, row: JobRow, { id, reason }: JobCancel): CancelAnswer {
  row.cancelReason ??= reason;
  step.store.put('jobs', row);
  const token = row.token!;
  const holder = holderOf(token);
  if (holder === null) {
    return 'unreachable';
  }
  step.notices.push({ holder, notice: { id, token, reason: row.cancelReason } });
  return 'requested';
}
