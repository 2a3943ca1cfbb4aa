import { CANCELLED_CODE } from '../../model/cancel-reason';
import { resolveRetention, type Retention } from '../../model/policy/retention';
import { readJobOptions } from '../../model/stored-job-options';
import { hasReadyJobs } from './claim';
import { enterFinished } from './placement';
import { removeSurplus } from './retention';
import type { Step } from './step';
import type { JobRow } from './store';

/**
 * Ends a job, and keeps of it and of others what its retention says.
 *
 * @internal
 */
export function finish(step: Step, row: JobRow, state: 'completed' | 'failed', retention: Retention): void {
  row.cancelReason = null;
  if (retention.count === 0) {
    step.store.delete('jobs', row.queue, row.id);
    return;
  }
  enterFinished(step, row, state);
  step.store.put('jobs', row);
  removeSurplus(step, state, retention);
}

/**
 * Ends a job as failed.
 *
 * @param prev - where it was
 *
 * @internal
 */
export function fail(
  step: Step,
  row: JobRow,
  failure: { readonly reason: string; readonly code: string | null; readonly retention: Retention },
  prev: string,
): void {
  row.failedReason = failure.reason;
  row.failedCode = failure.code;
  row.deferredFailure = null;
  row.unhandled = 0;
  finish(step, row, 'failed', failure.retention);
  step.emit({ event: 'failed', jobId: row.id, failedReason: failure.reason, prev });
}

/**
 * Ends a job as cancelled, and keeps of it what its own options say.
 *
 * @internal
 */
export function failAsCancelled(step: Step, row: JobRow, reason: string, prev: string): void {
  const retention = resolveRetention(readJobOptions(row.options).removeOnFail, undefined);
  fail(step, row, { reason, code: CANCELLED_CODE, retention }, prev);
}

/**
 * Whether nothing waits and nothing runs.
 *
 * @internal
 */
export function isDrained({ store, queueName }: Step): boolean {
  return store.count('jobsByState', [queueName, 'active']) === 0 && !hasReadyJobs(store, queueName);
}
