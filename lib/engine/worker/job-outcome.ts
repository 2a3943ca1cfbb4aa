import type { Outcome } from '../../contract/job-handover';
import { EXPIRED_REASON } from '../../contract/job-expiry';
import { STALLED_REASON } from '../../contract/job-handover';
import { CANCELLED_CODE, reasonOfCancel } from '../../model/cancel-reason';
import { JobCancelledError } from '../../model/errors/job-cancelled.error';
import { JobExpiredError } from '../../model/errors/job-expired.error';
import { JobTimeoutError } from '../../model/errors/job-timeout.error';
import { textProperty } from '../../model/errors/text-property';
import { UnrecoverableError } from '../../model/errors/unrecoverable.error';
import type { JobRecord } from '../../model/job-record';
import { backoffDelay } from '../../model/policy/backoff';
import { resolveRetention } from '../../model/policy/retention';
import type { ResolvedWorkerOptions } from '../../model/worker-options';
import type { Job } from '../job';
import { isUnrecoverable } from './control-errors';

/**
 * A job that somebody runs, with the token of the lease on it.
 *
 * @internal
 */
export interface RunJob {
  readonly job: Job;
  readonly token: string;
}

/**
 * What of a worker's options bears on outcomes.
 *
 * @internal
 */
export type OutcomeOptions = Pick<
  ResolvedWorkerOptions,
  'removeOnComplete' | 'removeOnFail' | 'maxStartedAttempts'
>;

/**
 * Why a job that was claimed must fail without running, or `null`. Storage protocol, section 17.1.
 *
 * @internal
 */
export function refusalToRun(
  job: Job,
  deferredFailure: string | null,
  { maxStartedAttempts }: OutcomeOptions,
): Error | null {
  if (deferredFailure === EXPIRED_REASON) {
    return new JobExpiredError(job.id, job.queueName, EXPIRED_REASON);
  }
  if (deferredFailure !== null) {
    return new UnrecoverableError(deferredFailure);
  }
  if (job.attemptsStarted > maxStartedAttempts) {
    return Object.assign(new UnrecoverableError(STARTED_TOO_OFTEN), { outcomeCode: 'too-many-starts' });
  }
  return null;
}

const STARTED_TOO_OFTEN = 'job started more than allowable limit';

/**
 * Names the outcome of a handler that returned.
 *
 * @param returnValue - JSON of the result
 *
 * @internal
 */
export function completedOutcome(
  { job, token }: RunJob,
  returnValue: string,
  options: OutcomeOptions,
): Outcome {
  return {
    kind: 'completed',
    id: job.id,
    token,
    returnValue,
    retention: resolveRetention(job.opts.removeOnComplete, options.removeOnComplete),
  };
}

/**
 * Names the outcome of a handler that threw: another attempt while there are some left, else a failure for good.
 * Storage protocol, section 17.1.
 *
 * @param answer - the wait until the next attempt, `null` for none, where a strategy of the worker's says it
 *
 * @internal
 */
export function failedOutcome(
  run: RunJob,
  error: Error,
  options: OutcomeOptions,
  answer?: { readonly wait: number | null },
): Outcome {
  const { job, token } = run;
  const reason = ownEndOf(job, error)?.failedReason ?? textProperty(error, 'message') ?? '';
  const stack = textProperty(error, 'stack') ?? reason;
  const wait = answer === undefined ? waitOf(job, error, options) : answer.wait;
  if (wait !== null) {
    return {
      kind: 'retry',
      id: job.id,
      token,
      reason,
      stacktrace: stacksWith(stack, job),
      delay: wait,
      lifo: job.opts.lifo ?? false,
    };
  }
  return lastFailure(run, { reason, code: codeOf(job, error, reason), stack }, options);
}

/**
 * Names the outcome of a job that its handler holds back.
 *
 * @param until - store time in milliseconds
 * @param unhandled - how often nobody has had a handler for it, if it is held back for want of one
 *
 * @internal
 */
export function snoozedOutcome(
  { job, token }: RunJob,
  until: number,
  unhandled: number | undefined,
): Outcome {
  const outcome = { kind: 'delayed', id: job.id, token, until: Math.ceil(until) } as const;
  return unhandled === undefined ? outcome : { ...outcome, unhandled };
}

/**
 * Names the outcome of a job that its handler wants to have failed for good.
 *
 * @param remove - whether nothing is kept of it
 *
 * @internal
 */
export function discardedOutcome(
  run: RunJob,
  error: Error,
  remove: boolean,
  options: OutcomeOptions,
): Outcome {
  const outcome = failedOutcome(run, error, options, { wait: null });
  return remove ? ({ ...outcome, retention: resolveRetention(true, undefined) } as Outcome) : outcome;
}

/**
 * Names the outcome of a job whose cancel was requested.
 *
 * @param error - its cause is what the handler threw, if it ran
 *
 * @internal
 */
export function cancelledOutcome(run: RunJob, error: JobCancelledError, options: OutcomeOptions): Outcome {
  const { failedReason: reason } = error;
  const stack = textProperty(error.cause ?? error, 'stack') ?? reason;
  return lastFailure(run, { reason, code: CANCELLED_CODE, stack }, options);
}

function lastFailure(
  { job, token }: RunJob,
  { reason, code, stack }: { readonly reason: string; readonly code: string | null; readonly stack: string },
  options: OutcomeOptions,
): Outcome {
  return {
    kind: 'failed',
    id: job.id,
    token,
    reason,
    code,
    stacktrace: stacksWith(stack, job),
    attempts: attemptsOf(job),
    retention: resolveRetention(job.opts.removeOnFail, options.removeOnFail),
  };
}

/**
 * The error of a job whose cancel was requested before it was claimed.
 *
 * @internal
 */
export function cancelOf(
  { id, cancelReason }: Pick<JobRecord, 'id' | 'cancelReason'>,
  queueName: string,
): JobCancelledError | undefined {
  // Backends of others may not know of it.
  return cancelReason == null
    ? undefined
    : new JobCancelledError(id, queueName, reasonOfCancel(cancelReason));
}

/**
 * Names the outcome of a job that is not run to an end here.
 *
 * @internal
 */
export function handedBackOutcome({ job, token }: RunJob): Outcome {
  return { kind: 'handed-back', id: job.id, token };
}

/**
 * Names the outcome of a job whose handler has met a rate limit.
 *
 * @internal
 */
export function limitedOutcome({ job, token }: RunJob): Outcome {
  return { kind: 'handed-back', id: job.id, token, isLimited: true };
}

/**
 * Whether another attempt is left after the one that failed.
 *
 * @internal
 */
export function mayRetry(job: Job, error: Error, { maxStartedAttempts }: OutcomeOptions): boolean {
  return (
    job.attemptsMade + 1 < attemptsOf(job) && job.attemptsStarted < maxStartedAttempts && !isFinal(job, error)
  );
}

/** A handler that was told to end may say why there is no use in trying again. */
function isFinal(job: Job, error: Error): boolean {
  const end = ownEndOf(job, error);
  if (end instanceof JobExpiredError) {
    return true;
  }
  return isUnrecoverable(end?.cause instanceof Error ? end.cause : error);
}

function codeOf(job: Job, error: Error, reason: string): string | null {
  const end = ownEndOf(job, error);
  if (end !== undefined) {
    return end.failedCode!;
  }
  return reason === STALLED_REASON ? 'stalled' : (textProperty(error, 'outcomeCode') ?? null);
}

/** The error that ends this very job. A handler that waits for other jobs may throw those of theirs. */
function ownEndOf(job: Job, error: Error): JobTimeoutError | JobExpiredError | undefined {
  const isEnd = error instanceof JobTimeoutError || error instanceof JobExpiredError;
  return isEnd && error.jobId === job.id && error.queueName === job.queueName ? error : undefined;
}

/** Milliseconds until the next attempt, or `null` for none. */
function waitOf(job: Job, error: Error, options: OutcomeOptions): number | null {
  return mayRetry(job, error, options)
    ? backoffDelay(job.opts.backoff, job.attemptsMade + 1, Math.random)
    : null;
}

/** Clients of BullMQ store 0 where nothing was said: one attempt there is always. */
function attemptsOf({ opts }: Job): number {
  return opts.attempts ?? 1;
}

/**
 * The newest stacks of the job, as JSON. Whatever other clients have stored as the limit: what is no number is none.
 *
 * @param stack - that of this attempt
 */
function stacksWith(stack: string, { opts, stacktrace }: Job): string {
  const { stackTraceLimit }: { readonly stackTraceLimit?: unknown } = opts;
  const stacks = [...stacktrace, stack];
  const isLimited = typeof stackTraceLimit === 'number' && stackTraceLimit >= 0;
  return JSON.stringify(isLimited ? stacks.slice(Math.max(0, stacks.length - stackTraceLimit)) : stacks);
}
