import { durationTextToMillis, LONGEST_DELAY } from './duration';
import { InvalidExpiresInError } from './errors/invalid-expires-in.error';
import { InvalidTimeoutError } from './errors/invalid-timeout.error';

/**
 * Outcome code of a job whose last attempt took too long.
 *
 * @internal
 */
export const TIMEOUT_CODE = 'timeout';

/**
 * Outcome code of a job that nobody has started in time.
 *
 * @internal
 */
export const EXPIRED_CODE = 'expired';

/**
 * Why an attempt fails that took too long.
 *
 * @internal
 */
export function timeoutReason(timeout: number): string {
  return `took longer than its timeout of ${timeout} ms`;
}

const RULE = 'milliseconds from 1 to 100 years, or a text such as "30s", "5m" or "2h"';

/**
 * Milliseconds that a handler may take.
 *
 * @throws InvalidTimeoutError for what is no such time
 *
 * @internal
 */
export function checkTimeout(value: unknown): number {
  const millis = limitToMillis(value);
  if (millis === undefined) {
    throw new InvalidTimeoutError(
      'timeout',
      value,
      RULE,
      'It is the time that each attempt may take. Leave it out for no limit.',
    );
  }
  return millis;
}

/**
 * Milliseconds within which a job has to be started.
 *
 * @throws InvalidExpiresInError for what is no such time
 *
 * @internal
 */
export function checkExpiresIn(value: unknown): number {
  const millis = limitToMillis(value);
  if (millis === undefined) {
    throw new InvalidExpiresInError(
      'expiresIn',
      value,
      RULE,
      'It is counted from when the job may run, and a delay comes before it. Leave it out for no limit.',
    );
  }
  return millis;
}

function limitToMillis(value: unknown): number | undefined {
  const millis = typeof value === 'string' ? durationTextToMillis(value) : value;
  return typeof millis === 'number' && millis >= 1 && millis <= LONGEST_DELAY ? Math.ceil(millis) : undefined;
}
