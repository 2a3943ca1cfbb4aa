import type { Duration } from './duration';
import { durationToMillis, LONGEST_DELAY } from './duration';
import { InvalidDurationError } from './errors/invalid-duration.error';
import { InvalidLimitError } from './errors/invalid-limit.error';

/**
 * So many jobs in so long a time.
 *
 * @public
 */
export interface RateLimit {
  /** Jobs that may be claimed in one window, at least 1. */
  readonly max: number;
  /** Length of a window in milliseconds, at least 1. The first job of a window begins it. */
  readonly duration: number;
}

/**
 * A rate limit as it is given: as many jobs as `max` in a window.
 *
 * @public
 */
export interface RateLimiterOptions {
  /** Jobs in one window, an integer of at least 1. */
  max: number;
  /** Length of a window; a bare number is milliseconds. The first job of a window begins it. */
  duration: Duration;
}

/**
 * Checks a number of jobs to which something is limited. To let none run there is the pause.
 *
 * @param option - its name, for the error
 * @throws InvalidLimitError unless it is an integer of at least 1
 *
 * @internal
 */
export function checkJobLimit(option: string, value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 1) {
    throw new InvalidLimitError(option, value, 1);
  }
  return value as number;
}

/**
 * Checks a time for which jobs are limited; parts of a millisecond count as a whole.
 *
 * @param option - its name, for the error
 * @returns milliseconds
 * @throws InvalidDurationError unless it is a time above 0 and at most a hundred years
 *
 * @internal
 */
export function checkLimitDuration(option: string, value: unknown): number {
  const millis = Math.ceil(durationToMillis(option, value));
  if (millis < 1 || millis > LONGEST_DELAY) {
    throw new InvalidDurationError(option, value, 'above 0 and at most 100 years', 'Correct the time.');
  }
  return millis;
}
