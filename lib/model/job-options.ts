import type { Duration } from './duration';
import { durationTextToMillis, LONGEST_DELAY } from './duration';
import { InvalidAttemptsError } from './errors/invalid-attempts.error';
import { InvalidBackoffError } from './errors/invalid-backoff.error';
import { InvalidDelayError } from './errors/invalid-delay.error';
import { InvalidFlagError } from './errors/invalid-flag.error';
import { InvalidJobIdError } from './errors/invalid-job-id.error';
import { InvalidPriorityError } from './errors/invalid-priority.error';
import { InvalidRetentionError } from './errors/invalid-retention.error';
import { isOptionsObject, refuseUnknownOptions } from './option-names';
import type { Backoff } from './policy/backoff';
import type { RetentionOption } from './policy/retention';

/**
 * Largest priority number, the last to run. Storage protocol, section 3.2.
 *
 * @public
 */
export const PRIORITY_LIMIT = 2_097_151;

/**
 * Options of one job. All are optional.
 *
 * @public
 */
export interface JobOptions {
  /**
   * Id of your own; adding it again changes nothing. Not the text of an integer, not `0:…`, with a colon only in
   * three parts, and no name of a stored key, such as `active` or `meta`. Default: the queue counts.
   */
  jobId?: string;
  /** Time before the job may run; a bare number is milliseconds. Default 0. */
  delay?: Duration;
  /** 1 to 2097151, lower runs first, after all jobs of priority 0. Default 0. */
  priority?: number;
  /** Total tries, the first included. Default 1. */
  attempts?: number;
  /** Wait between tries: a duration (fixed), or a type with its delay. Default none. */
  backoff?: Duration | BackoffOptions;
  /** Runs before the jobs that already wait, rather than after. Default `false`. */
  lifo?: boolean;
  /** What is kept of completed jobs. Default: the worker's setting, else all. */
  removeOnComplete?: KeepOption;
  /** What is kept of failed jobs. Default: the worker's setting, else all. */
  removeOnFail?: KeepOption;
}

/**
 * Options that a queue may give to all its jobs: all but the id.
 *
 * @public
 */
export type DefaultJobOptions = Omit<JobOptions, 'jobId'>;

/**
 * Wait between the tries of a job.
 *
 * @public
 */
export interface BackoffOptions {
  /** `fixed` waits the same time before each retry, `exponential` doubles it. */
  type: 'fixed' | 'exponential';
  /** Every wait (fixed), or the first one (exponential); a bare number is milliseconds. Default 0. */
  delay?: Duration;
  /** 0 to 1: the share of the wait that is drawn at random. Default 0. */
  jitter?: number;
}

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

/**
 * Job options in the form in which they are stored: durations resolved, only what was given.
 *
 * @public
 */
export interface StoredJobOptions {
  jobId?: string;
  delay?: number;
  priority?: number;
  attempts?: number;
  backoff?: Backoff;
  lifo?: boolean;
  removeOnComplete?: RetentionOption;
  removeOnFail?: RetentionOption;
}

/**
 * Names of the options that a queue may give to all its jobs.
 *
 * @internal
 */
export const DEFAULT_JOB_OPTION_NAMES: readonly (keyof DefaultJobOptions)[] = [
  'delay',
  'priority',
  'attempts',
  'backoff',
  'lifo',
  'removeOnComplete',
  'removeOnFail',
];
const JOB_OPTION_NAMES: readonly (keyof JobOptions)[] = ['jobId', ...DEFAULT_JOB_OPTION_NAMES];
const BACKOFF_OPTION_NAMES: readonly (keyof BackoffOptions)[] = ['type', 'delay', 'jitter'];
const KEEP_OPTION_NAMES: readonly (keyof KeepOptions)[] = ['count', 'age', 'limit'];

/**
 * Checks job options and resolves them to their stored form.
 *
 * @param options - what the caller gave
 * @param where - the call, for errors about unknown names
 * @throws one error class for each option whose value breaks its rule, UnknownOptionError for unknown names
 *
 * @internal
 */
export function parseJobOptions(options: JobOptions, where: string): StoredJobOptions {
  refuseUnknownOptions(where, options, JOB_OPTION_NAMES);
  const stored: StoredJobOptions = {};
  if (options.jobId !== undefined) {
    stored.jobId = checkJobId(options.jobId);
  }
  if (options.delay !== undefined) {
    stored.delay = parseDelay(options.delay);
  }
  if (options.priority !== undefined) {
    stored.priority = checkPriority(options.priority);
  }
  if (options.attempts !== undefined) {
    stored.attempts = checkAttempts(options.attempts);
  }
  if (options.backoff !== undefined) {
    stored.backoff = parseBackoff(options.backoff);
  }
  if (options.lifo !== undefined) {
    stored.lifo = checkFlag('lifo', options.lifo);
  }
  if (options.removeOnComplete !== undefined) {
    stored.removeOnComplete = parseKeepOption('removeOnComplete', options.removeOnComplete);
  }
  if (options.removeOnFail !== undefined) {
    stored.removeOnFail = parseKeepOption('removeOnFail', options.removeOnFail);
  }
  return stored;
}

/**
 * Checks the options that a queue gives to all its jobs and resolves them to their stored form. An id is none of
 * them: all jobs after the first would be duplicates.
 *
 * @param options - what the caller gave
 * @param where - the call, for errors about unknown names
 * @throws what `parseJobOptions` throws
 *
 * @internal
 */
export function parseDefaultJobOptions(options: DefaultJobOptions, where: string): StoredJobOptions {
  refuseUnknownOptions(where, options, DEFAULT_JOB_OPTION_NAMES);
  return parseJobOptions(options, where);
}

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

/** Storage protocol, section 18.4. */
/** Names of the keys of a queue, among which jobs are stored by their ids. Storage protocol, section 2.1. */
const RESERVED_IDS: ReadonlySet<string> = new Set([
  'active',
  'completed',
  'delay',
  'delayed',
  'events',
  'failed',
  'id',
  'limiter',
  'marker',
  'meta',
  'paused',
  'pc',
  'prioritized',
  'priority',
  'repeat',
  'stalled',
  'stalled-check',
  'wait',
  'waiting-children',
]);

/** What names of such keys begin with that have several parts. */
const RESERVED_FIRST_PARTS: ReadonlySet<string> = new Set(['de', 'dn', 'metrics', 'repeat']);

function checkJobId(jobId: unknown): string {
  if (typeof jobId !== 'string' || jobId === '') {
    throw new InvalidJobIdError(
      jobId,
      'an id is a text of at least one character',
      'Give a text, or leave jobId out.',
    );
  }
  if (/^-?\d+$/.test(jobId)) {
    throw new InvalidJobIdError(
      jobId,
      'texts of integers are reserved for the ids that the queue counts',
      `Put a word in front of it, such as "job-${jobId.slice(0, 20)}".`,
    );
  }
  if (jobId.startsWith('0:') || (jobId.includes(':') && jobId.split(':').length !== 3)) {
    throw new InvalidJobIdError(
      jobId,
      '":" separates the parts of stored keys and is accepted only in ids of exactly three parts that do not ' +
        'begin with "0:"',
      'Use another separator, such as "-".',
    );
  }
  const [first] = jobId.split(':');
  if (RESERVED_IDS.has(jobId) || (jobId.includes(':') && RESERVED_FIRST_PARTS.has(first!))) {
    throw new InvalidJobIdError(
      jobId,
      'a queue keeps something of its own under that name',
      'Put a word in front of it, such as "job-".',
    );
  }
  return jobId;
}

/**
 * Milliseconds of a delay.
 *
 * @throws InvalidDelayError for what is none
 *
 * @internal
 */
export function parseDelay(value: unknown): number {
  const millis = typeof value === 'string' ? durationTextToMillis(value) : value;
  if (typeof millis !== 'number' || !(millis >= 0 && millis <= LONGEST_DELAY)) {
    throw new InvalidDelayError(
      'delay',
      value,
      'milliseconds from 0 to 100 years, or a text such as "30s", "5m" or "2h"',
      'To run at a moment in time, give the time left until then.',
    );
  }
  return Math.ceil(millis);
}

/**
 * A priority, checked.
 *
 * @throws InvalidPriorityError for what is none
 *
 * @internal
 */
export function checkPriority(value: unknown): number {
  if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > PRIORITY_LIMIT) {
    throw new InvalidPriorityError(
      'priority',
      value,
      `an integer from 0 to ${PRIORITY_LIMIT}`,
      'Lower numbers run first; 0 or no priority runs before all of them.',
    );
  }
  return value as number;
}

function checkAttempts(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 1) {
    throw new InvalidAttemptsError(
      'attempts',
      value,
      'an integer of at least 1',
      'It counts all tries, the first included: 1 is no retry.',
    );
  }
  return value as number;
}

const BACKOFF_DELAY_RULE = 'milliseconds from 0 to 100 years, or a text such as "5s"';

function parseBackoff(value: unknown): Backoff {
  if (typeof value === 'number' || typeof value === 'string') {
    return { type: 'fixed', delay: parseBackoffDelay('backoff', value) };
  }
  if (!isOptionsObject(value)) {
    throw new InvalidBackoffError(
      'backoff',
      value,
      `${BACKOFF_DELAY_RULE}, or { type: "fixed" | "exponential", delay, jitter }`,
      'Correct the value.',
    );
  }
  refuseUnknownOptions('backoff', value, BACKOFF_OPTION_NAMES);
  const { type, delay, jitter } = value as Partial<BackoffOptions>;
  if (type !== 'fixed' && type !== 'exponential') {
    throw new InvalidBackoffError('backoff.type', type, '"fixed" or "exponential"', 'Correct the type.');
  }
  if (jitter !== undefined && !(typeof jitter === 'number' && jitter >= 0 && jitter <= 1)) {
    throw new InvalidBackoffError(
      'backoff.jitter',
      jitter,
      'a number from 0 to 1',
      'It is the share of the wait that is drawn at random: 0.5 varies half of it.',
    );
  }
  return {
    type,
    delay: delay === undefined ? 0 : parseBackoffDelay('backoff.delay', delay),
    ...(jitter !== undefined && { jitter }),
  };
}

function parseBackoffDelay(option: string, value: unknown): number {
  const millis = typeof value === 'string' ? durationTextToMillis(value) : value;
  if (typeof millis !== 'number' || !(millis >= 0 && millis <= LONGEST_DELAY)) {
    throw new InvalidBackoffError(option, value, BACKOFF_DELAY_RULE, 'Correct the value.');
  }
  return Math.ceil(millis);
}

function checkFlag(option: string, value: unknown): boolean {
  if (typeof value !== 'boolean') {
    throw new InvalidFlagError(option, value, 'true or false', 'Correct the value.');
  }
  return value;
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

function isCount(value: unknown): value is number {
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
