import type { Duration } from './duration';
import { durationTextToMillis } from './duration';
import { InvalidRetentionError } from './errors/invalid-retention.error';
import { isOptionsObject, refuseUnknownOptions } from './option-names';
import type { RetentionOption } from './policy/retention';

/**
 * What is kept of finished jobs: `true` removes at once, `false` keeps all, a number keeps the newest so many.
 *
 * @public
 */
export type KeepOption = boolean | number | KeepOptions;

/**
 * Bounds for finished jobs; where both are given, both hold.
 *
 * @public
 */
export interface KeepOptions {
  /** Newest jobs kept. Default all. */
  count?: number;
  /** How long a job is kept; a bare number is SECONDS. Default for ever. */
  age?: Duration;
  /** Most jobs that one finish removes by each of these bounds. Default 1000. */
  limit?: number;
}

const KEEP_OPTION_NAMES: readonly (keyof KeepOptions)[] = ['count', 'age', 'limit'];

/**
 * Checks what is kept of finished jobs, and resolves its age to seconds.
 *
 * @throws InvalidRetentionError, or UnknownOptionError for unknown names of the object form
 *
 * @internal
 */
export function parseKeepOption(option: string, value: unknown): RetentionOption {
  if (typeof value === 'boolean') {
    return value;
  }
  if (typeof value === 'number') {
    if (!isCount(value)) {
      throw retentionError(option, value);
    }
    return value;
  }
  if (!isOptionsObject(value)) {
    throw retentionError(option, value);
  }
  refuseUnknownOptions(option, value, KEEP_OPTION_NAMES);
  const { count, age, limit } = value as KeepOptions;
  return {
    ...(count !== undefined && { count: checkKeptCount(`${option}.count`, count) }),
    ...(age !== undefined && { age: parseAge(`${option}.age`, age) }),
    ...(limit !== undefined && { limit: checkLimit(`${option}.limit`, limit) }),
  };
}

function checkKeptCount(option: string, value: unknown): number {
  if (!isCount(value)) {
    throw new InvalidRetentionError(
      option,
      value,
      'an integer of at least 0',
      'It is the number of newest jobs to keep; leave it out to keep all that are young enough.',
    );
  }
  return value;
}

/**
 * Whether a value is a whole number of at least 0.
 *
 * @internal
 */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function checkLimit(option: string, value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 1) {
    throw new InvalidRetentionError(option, value, 'an integer of at least 1', 'Leave it out for 1000.');
  }
  return value as number;
}

function parseAge(option: string, value: unknown): number {
  const millis = typeof value === 'string' ? durationTextToMillis(value) : undefined;
  const seconds = millis === undefined ? value : millis / 1_000;
  if (typeof seconds !== 'number' || !Number.isFinite(seconds * 1_000) || seconds < 0) {
    throw new InvalidRetentionError(
      option,
      value,
      'SECONDS of at least 0, or a text such as "1h" or "7d"',
      'A bare number is seconds here, as in BullMQ; a text says its unit.',
    );
  }
  return seconds;
}

function retentionError(option: string, value: unknown): InvalidRetentionError {
  return new InvalidRetentionError(
    option,
    value,
    'true (remove), false (keep), the number of jobs to keep, or { count, age, limit }',
    'Correct the value.',
  );
}
