import type { Outcome } from '../../contract/job-handover';
import { STALLED_REASON } from '../../contract/job-handover';
import { textProperty } from '../../model/errors/text-property';
import { backoffDelay } from '../../model/policy/backoff';
import { resolveRetention } from '../../model/policy/retention';
import type { ResolvedWorkerOptions } from '../../model/worker-options';
import type { Job } from '../job';
import type { ActiveJob } from './active-job';

/**
 * Names the outcome of a handler that returned.
 *
 * @param returnValue - JSON of the result
 *
 * @internal
 */
export function completedOutcome(
  active: ActiveJob,
  returnValue: string,
  options: ResolvedWorkerOptions,
): Outcome {
  return {
    kind: 'completed',
    id: active.id,
    token: active.token,
    returnValue,
    retention: resolveRetention(active.job.opts.removeOnComplete, options.removeOnComplete),
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
  active: ActiveJob,
  error: Error,
  options: ResolvedWorkerOptions,
  answer?: { readonly wait: number | null },
): Outcome {
  const { job, token } = active;
  const reason = textProperty(error, 'message') ?? '';
  const stacktrace = JSON.stringify(newest([...job.stacktrace, textProperty(error, 'stack') ?? reason], job));
  const wait = answer === undefined ? waitOf(job, error) : answer.wait;
  if (wait !== null) {
    return {
      kind: 'retry',
      id: job.id,
      token,
      reason,
      stacktrace,
      delay: wait,
      lifo: job.opts.lifo ?? false,
    };
  }
  return {
    kind: 'failed',
    id: job.id,
    token,
    reason,
    code: reason === STALLED_REASON ? 'stalled' : (textProperty(error, 'outcomeCode') ?? null),
    stacktrace,
    attempts: attemptsOf(job),
    retention: resolveRetention(job.opts.removeOnFail, options.removeOnFail),
  };
}

/**
 * Names the outcome of a job that is not run to an end here.
 *
 * @internal
 */
export function handedBackOutcome(active: ActiveJob): Outcome {
  return { kind: 'handed-back', id: active.id, token: active.token };
}

/**
 * Whether another attempt is left after the one that failed.
 *
 * @internal
 */
export function mayRetry(job: Job, error: Error): boolean {
  return job.attemptsMade + 1 < attemptsOf(job) && !isUnrecoverable(error);
}

/** Milliseconds until the next attempt, or `null` for none. */
function waitOf(job: Job, error: Error): number | null {
  return mayRetry(job, error) ? backoffDelay(job.opts.backoff, job.attemptsMade + 1, Math.random) : null;
}

/** Clients of BullMQ store 0 where nothing was said: one attempt there is always. */
function attemptsOf({ opts }: Job): number {
  return opts.attempts ?? 1;
}

/** Whatever other clients have stored as the limit: what is no number is none. */
function newest(stacks: string[], { opts }: Job): string[] {
  const { stackTraceLimit }: { readonly stackTraceLimit?: unknown } = opts;
  if (typeof stackTraceLimit !== 'number' || !(stackTraceLimit >= 0)) {
    return stacks;
  }
  return stacks.slice(Math.max(0, stacks.length - stackTraceLimit));
}

/** By name, so that an error class from another copy of this package, or BullMQ's own, works too. */
function isUnrecoverable(error: Error): boolean {
  return textProperty(error, 'name') === 'UnrecoverableError';
}
