import type { Duration } from '../duration';
import { OUTCOME } from '../outcome-brand';
import { checkLimitDuration } from '../rate-limit';
import { RateLimitError } from './rate-limit.error';

/**
 * Thrown by a handler that has met a rate limit and knows how long it lasts: the worker sets that limit for its queue, as
 * `queue.rateLimit` does, puts the job back to the front at no cost of an attempt, and takes no more jobs until then.
 *
 * Recognised by a mark, so that of another copy of this package works too.
 *
 * @example
 * ```ts
 * if (response.status === 429) {
 *   throw new RateLimited('30s');
 * }
 * ```
 *
 * @public
 */
export class RateLimited extends RateLimitError {
  /** @internal */
  readonly [OUTCOME] = true;
  /** @internal */
  readonly kind = 'rate-limited';
  /** How long the limit lasts, in milliseconds. */
  readonly duration: number;

  /**
   * @param duration - how long the limit lasts, from when it is set; a bare number is milliseconds
   * @param options - `cause`: what told of the limit
   * @throws InvalidDurationError unless it is a time above 0 and at most a hundred years
   */
  constructor(duration: Duration, options?: { cause?: unknown }) {
    const millis = checkLimitDuration('duration', duration);
    super(`Rate limited for ${millis} ms`, options);
    this.name = 'RateLimited';
    this.duration = millis;
  }
}
