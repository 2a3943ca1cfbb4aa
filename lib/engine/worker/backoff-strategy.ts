import { LONGEST_DELAY } from '../../model/duration';
import { BackoffStrategyError } from '../../model/errors/backoff-strategy.error';
import { strategyOf } from '../../model/policy/backoff';
import type { ResolvedWorkerOptions } from '../../model/worker-options';
import type { Job } from '../job';
import { asError } from '../runtime/safe-emitter';
import { mayRetry, type OutcomeOptions } from './job-outcome';

/**
 * What of a worker's options bears on what a strategy says.
 *
 * @internal
 */
export type StrategyOptions = OutcomeOptions & Pick<ResolvedWorkerOptions, 'backoffStrategy'>;

/**
 * What a strategy says of a failed attempt.
 *
 * @internal
 */
export interface StrategyAnswer {
  /** Why the attempt failed, or why there is no next one. */
  readonly error: Error;
  /** Milliseconds until the next attempt, or `null` for none. */
  readonly wait: number | null;
}

/**
 * Asks the strategy that the backoff of a job names.
 *
 * @returns `undefined` when it names none, or no attempt is left; never rejects
 *
 * @internal
 */
export function askStrategy(
  job: Job,
  error: Error,
  options: StrategyOptions,
): Promise<StrategyAnswer> | undefined {
  const type = strategyOf(job.opts.backoff);
  return type === undefined || !mayRetry(job, error, options)
    ? undefined
    : answerOf(type, job, error, options);
}

async function answerOf(
  type: string,
  job: Job,
  error: Error,
  { backoffStrategy }: StrategyOptions,
): Promise<StrategyAnswer> {
  const none = (why: string, fix: string, cause?: Error): StrategyAnswer => ({
    error: new BackoffStrategyError(type, why, fix, error, cause),
    wait: null,
  });
  if (backoffStrategy === undefined) {
    return none('is unknown to the worker', 'Give it as settings.backoffStrategy, then retry the job.');
  }
  let wait: unknown;
  try {
    wait = (await backoffStrategy(job.attemptsMade + 1, type, error, job)) ?? 0;
  } catch (thrown) {
    return none('threw an error', 'Correct it, then retry the job.', asError(thrown));
  }
  if (wait === -1) {
    return { error, wait: null };
  }
  if (typeof wait !== 'number' || !(wait >= 0)) {
    return none('returned no time', 'Have it return milliseconds, or -1 for no further attempt.');
  }
  return { error, wait: Math.min(Math.ceil(wait), LONGEST_DELAY) };
}
