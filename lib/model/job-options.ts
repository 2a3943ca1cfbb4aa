import { parseBackoff, type BackoffOptions } from './backoff-option';
import type { Duration } from './duration';
import { durationTextToMillis, LONGEST_DELAY } from './duration';
import { InvalidAttemptsError } from './errors/invalid-attempts.error';
import { InvalidDelayError } from './errors/invalid-delay.error';
import { InvalidPriorityError } from './errors/invalid-priority.error';
import { InvalidSizeLimitError } from './errors/invalid-size-limit.error';
import { InvalidStackTraceLimitError } from './errors/invalid-stack-trace-limit.error';
import { InvalidTimestampError } from './errors/invalid-timestamp.error';
import { checkFlag } from './flag';
import { checkJobId } from './job-id';
import type { HeadersInput } from './job-headers';
import { isCount, parseKeepOption, type KeepOption } from './keep-option';
import { checkKeptRows } from './log-row';
import { refuseUnknownOptions } from './option-names';
import type { StoredJobOptions } from './stored-job-options';
import { checkExpiresIn, checkTimeout } from './time-limits';

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
  /**
   * Time at which the job counts as added, in milliseconds since 1970, and from which its delay is counted. Default:
   * that of the store.
   */
  timestamp?: number;
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
  /** Newest rows kept of what `job.log` writes, at least 1. Default all. */
  keepLogs?: number;
  /** Newest stacks kept of failed attempts; 0 for none. Default all. */
  stackTraceLimit?: number;
  /** Most bytes that the payload may take as JSON, at least 1; larger jobs are refused. Default none. */
  sizeLimit?: number;
  /**
   * Time that each attempt may take: then the signal of its handler is aborted, and `timeoutGrace` of the worker later
   * the attempt has failed. A bare number is milliseconds. Default: what the handler or the worker says.
   */
  timeout?: Duration;
  /**
   * Time within which the job has to be started, counted from when it may run, so after a delay; then it fails instead of
   * running. A bare number is milliseconds. Default none.
   */
  expiresIn?: Duration;
  /**
   * Texts by name that travel with the job, for whoever runs it: a tenant, a trace. At most 64, and 8,192 bytes as JSON.
   * Names are tokens as in HTTP and are stored in lower case; an `undefined` value is not given. A job that is stored
   * already keeps its own. Default none.
   */
  headers?: HeadersInput;
}

/**
 * Options that a queue may give to all its jobs: all but the id and the headers.
 *
 * @public
 */
export type DefaultJobOptions = Omit<JobOptions, 'jobId' | 'headers'>;

/**
 * Names of the options that a queue may give to all its jobs.
 *
 * @internal
 */
export const DEFAULT_JOB_OPTION_NAMES: readonly (keyof DefaultJobOptions)[] = [
  'timestamp',
  'delay',
  'priority',
  'attempts',
  'backoff',
  'lifo',
  'removeOnComplete',
  'removeOnFail',
  'keepLogs',
  'stackTraceLimit',
  'sizeLimit',
  'timeout',
  'expiresIn',
];
const JOB_OPTION_NAMES: readonly (keyof JobOptions)[] = ['jobId', ...DEFAULT_JOB_OPTION_NAMES, 'headers'];

/**
 * Checks job options and resolves them. Headers are no part of what is stored as options.
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
  if (options.timestamp !== undefined) {
    stored.timestamp = checkTimestamp(options.timestamp);
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
  if (options.keepLogs !== undefined) {
    stored.keepLogs = checkKeptRows('keepLogs', options.keepLogs, 1);
  }
  if (options.stackTraceLimit !== undefined) {
    stored.stackTraceLimit = checkStackTraceLimit(options.stackTraceLimit);
  }
  if (options.sizeLimit !== undefined) {
    stored.sizeLimit = checkSizeLimit(options.sizeLimit);
  }
  if (options.timeout !== undefined) {
    stored.timeout = checkTimeout(options.timeout);
  }
  if (options.expiresIn !== undefined) {
    stored.expiresIn = checkExpiresIn(options.expiresIn);
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

/** The last moment that a date can hold. */
const LAST_TIMESTAMP = 8_640_000_000_000_000;

/**
 * Checks a time.
 *
 * @throws InvalidTimestampError unless it is one that a date can hold
 *
 * @internal
 */
export function checkTimestamp(value: unknown): number {
  if (!isCount(value) || value > LAST_TIMESTAMP) {
    throw new InvalidTimestampError(
      'timestamp',
      value,
      'whole milliseconds since 1970',
      'Give what Date.now() or date.getTime() say; to have the job run later, give a delay.',
    );
  }
  return value;
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

function checkStackTraceLimit(value: unknown): number {
  if (!isCount(value)) {
    throw new InvalidStackTraceLimitError(
      'stackTraceLimit',
      value,
      'an integer of at least 0',
      'It is the number of newest stacks that are kept; leave it out to keep all.',
    );
  }
  return value;
}

function checkSizeLimit(value: unknown): number {
  if (!isCount(value) || value === 0) {
    throw new InvalidSizeLimitError(
      'sizeLimit',
      value,
      'an integer of at least 1',
      'It is the number of bytes that the payload may take as JSON; leave it out to have no limit.',
    );
  }
  return value;
}
