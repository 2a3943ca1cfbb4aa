/* eslint-disable @typescript-eslint/no-explicit-any -- payloads are the caller's */
import type { StoredJobOptions } from '../stored-job-options';

/**
 * What a backoff strategy sees of the job: it is given the `Job` itself, and may say so in its parameters.
 *
 * @public
 */
export interface FailedJob {
  readonly id: string;
  readonly name: string;
  readonly queueName: string;
  readonly data: any;
  readonly opts: StoredJobOptions;
  readonly timestamp: number;
  readonly attemptsMade: number;
  readonly attemptsStarted: number;
  readonly stacktrace: string[];
}

/** In the form of a method, whose parameters may be narrower than they are declared. */
interface Strategies {
  backoffStrategy(
    attemptsMade: number,
    type: string,
    error: Error,
    job: FailedJob,
  ): number | undefined | void | Promise<number | undefined | void>;
}

/**
 * Decides how long a job waits for its next attempt. It is asked for types of `backoff` other than `fixed` and
 * `exponential`, while attempts are left: with the attempts that have ended, the present one included, the type, why
 * the attempt failed, and the job, whose `opts.backoff` has its delay.
 *
 * It returns milliseconds, 0 or nothing for at once, or -1 to have the job fail for good. When it throws, or returns
 * anything else, the job fails for good as well, with the code `no-backoff`.
 *
 * @public
 */
export type BackoffStrategy = Strategies['backoffStrategy'];
