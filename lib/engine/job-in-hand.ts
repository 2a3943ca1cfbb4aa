/* eslint-disable @typescript-eslint/no-explicit-any -- untyped queues are used as in BullMQ */
import type { Duration } from '../model/duration';
import type { Job } from './job';
import { JobMoves } from './job-moves';

/**
 * What can be done with a job by whoever runs it: all of it needs the token of the lease on it.
 *
 * @internal
 */
export abstract class JobInHand<Data = any, Result = any, Name extends string = string> extends JobMoves<
  Data,
  Result,
  Name
> {
  /**
   * Holds the job back until a time, at no cost of an attempt. For its own handler, which throws a `DelayedError` then.
   *
   * @param timestamp - by this machine's clock, in milliseconds since 1970; one that has passed is now
   * @param token - of the lease, which a handler's job knows
   * @throws InvalidDelayError, InvalidTokenError
   * @throws LeaseLostError or JobNotFoundError when the job is not leased under this token (any more)
   */
  moveToDelayed(timestamp: number, token = this.token): Promise<void> {
    return this.owner.runs.delay(this.self, timestamp, token);
  }

  /**
   * Puts the job back to the front of its queue, or of those of its priority, at no cost of an attempt. For its own
   * handler, which throws a `WaitingError` then.
   *
   * @param token - of the lease, which a handler's job knows
   * @throws InvalidTokenError
   * @throws LeaseLostError or JobNotFoundError when the job is not leased under this token (any more)
   */
  moveToWait(token = this.token): Promise<void> {
    return this.owner.runs.handBack(this.self, token);
  }

  /**
   * Completes a job that was fetched by `getNextJob`.
   *
   * @param value - the result: any JSON value
   * @param token - that it was fetched with
   * @param fetchNext - fetches the next job in the same step, under the same token
   * @returns the next job, or `undefined` when none was asked for or none is ready
   * @throws UnserializableDataError, InvalidTokenError
   * @throws LeaseLostError or JobNotFoundError when the job is not leased under this token (any more)
   * @throws UnfinishedChildrenError or FailedChildrenError when it must not complete; it is leased still
   */
  moveToCompleted(
    value: Result,
    token: string,
    fetchNext = true,
  ): Promise<Job<Data, Result, Name> | undefined> {
    return this.owner.runs.complete(this.self, value, token, fetchNext) as Promise<
      Job<Data, Result, Name> | undefined
    >;
  }

  /**
   * Ends an attempt at a job that was fetched by `getNextJob`: it is tried again or has failed, as after a handler that
   * throws.
   *
   * @param error - why
   * @param token - that it was fetched with
   * @param fetchNext - fetches the next job in the same step, under the same token
   * @returns the next job, or `undefined` when none was asked for or none is ready
   * @throws InvalidTokenError
   * @throws LeaseLostError or JobNotFoundError when the job is not leased under this token (any more)
   */
  moveToFailed(error: Error, token: string, fetchNext = false): Promise<Job<Data, Result, Name> | undefined> {
    return this.owner.runs.fail(this.self, error, token, fetchNext) as Promise<
      Job<Data, Result, Name> | undefined
    >;
  }

  /**
   * Lengthens the lease on a job that was fetched by `getNextJob`. Those of handlers are seen to.
   *
   * @param token - that it was fetched with
   * @param duration - from now on; a bare number is milliseconds
   * @returns 1, or 0 when the job is not leased under this token (any more)
   * @throws InvalidTokenError, InvalidDurationError
   */
  async extendLock(token: string, duration: Duration): Promise<number> {
    return (await this.owner.runs.extend(this.self, token, duration)) ? 1 : 0;
  }

  private get self(): Job {
    return this as unknown as Job;
  }
}
