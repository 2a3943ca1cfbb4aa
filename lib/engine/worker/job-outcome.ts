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
 * @internal
 */
export function failedOutcome(active: ActiveJob, error: Error, options: ResolvedWorkerOptions): Outcome {
  const { job, token } = active;
  const attempts = job.opts.attempts ?? 1;
  const attemptsMade = job.attemptsMade + 1;
  const reason = textProperty(error, 'message') ?? '';
  const stacktrace = JSON.stringify(newest([...job.stacktrace, textProperty(error, 'stack') ?? reason], job));
  if (attemptsMade < attempts && !isUnrecoverable(error)) {
    return {
      kind: 'retry',
      id: job.id,
      token,
      reason,
      stacktrace,
      delay: backoffDelay(job.opts.backoff, attemptsMade, Math.random),
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
    attempts,
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

/** A job of BullMQ may say how many stacks are kept of it. */
function newest(stacks: string[], { opts }: Job): string[] {
  const { stackTraceLimit } = opts as { readonly stackTraceLimit?: unknown };
  if (typeof stackTraceLimit !== 'number' || !(stackTraceLimit >= 0)) {
    return stacks;
  }
  return stacks.slice(Math.max(0, stacks.length - stackTraceLimit));
}

/** By name, so that an error class from another copy of this package, or BullMQ's own, works too. */
function isUnrecoverable(error: Error): boolean {
  return textProperty(error, 'name') === 'UnrecoverableError';
}
