import type { Duration } from './duration';
import { durationTextToMillis, durationToMillis } from './duration';
import { InvalidWorkerOptionError } from './errors/invalid-worker-option.error';
import { checkFlag } from './flag';
import type { KeepOption } from './keep-option';
import { parseKeepOption } from './keep-option';
import { refuseUnknownOptions } from './option-names';
import type { BackoffStrategy } from './policy/backoff-strategy';
import type { RetentionOption } from './policy/retention';
import type { RateLimit, RateLimiterOptions } from './rate-limit';
import { checkJobLimit, checkLimitDuration } from './rate-limit';
import { checkTimeout } from './time-limits';

/**
 * Options of a worker. A bare number is in the unit that BullMQ gives it.
 *
 * @public
 */
export interface WorkerOptions {
  /** Jobs run at once. Default 1. */
  concurrency?: number;
  /** Stored with the jobs that this worker runs. Default none. */
  name?: string;
  /** Starts by itself. Default `true`. */
  autorun?: boolean;
  /** How long a job belongs to its worker without renewal; a bare number is milliseconds. Default 30 s. */
  lockDuration?: Duration;
  /**
   * Time between two renewals of the leases, less than `lockDuration`; a bare number is milliseconds. Default a third
   * of `lockDuration`.
   */
  lockRenewTime?: Duration;
  /** Does not renew leases: jobs have to end within `lockDuration`. Default `false`. */
  skipLockRenewal?: boolean;
  /** Time between two looks for abandoned jobs; a bare number is milliseconds. Default 30 s. */
  stalledInterval?: Duration;
  /** Times a job may be abandoned before it fails. Default 1. */
  maxStalledCount?: number;
  /** Does not look for abandoned jobs, and leaves that to other workers of the queue. Default `false`. */
  skipStalledCheck?: boolean;
  /**
   * Times a job may be taken by workers, for whatever reason; one more fails it without running, and the last one is
   * not retried. Default no bound.
   */
  maxStartedAttempts?: number;
  /**
   * Time that an attempt may take, unless its job says otherwise: then the signal of its handler is aborted. A bare number is
   * milliseconds. Default no limit.
   */
  timeout?: Duration;
  /**
   * Time that a handler whose attempt took too long has to end after its signal was aborted; then the attempt has failed,
   * and its slot is free, whether the handler still runs or not. A bare number is milliseconds. Default 5 s.
   */
  timeoutGrace?: Duration;
  /** Longest idle wait before asking again; a bare number is SECONDS. Default 5 s. */
  drainDelay?: Duration;
  /**
   * Longest pause before a step that has failed, as while the store is away, is made again; pauses begin short and
   * double. A bare number is milliseconds. Default 1 s.
   */
  runRetryDelay?: Duration;
  /** What is kept of completed jobs that do not say. Default all. */
  removeOnComplete?: KeepOption;
  /** What is kept of failed jobs that do not say. Default all. */
  removeOnFail?: KeepOption;
  /** Counts finished jobs by the minute, for `queue.getMetrics()`. Default: they are not counted. */
  metrics?: MetricsOptions;
  /** Functions that decide in the worker's place. */
  settings?: WorkerStrategies;
  /**
   * How many jobs may be claimed in a time, by all workers of the queue together: they count in one window, each by its
   * own limit. A global rate limit of the queue goes before the number. Default none.
   */
  limiter?: RateLimiterOptions;
  /**
   * Longest wait for the end of a rate limit before asking again, for limits that others lift; a bare number is
   * milliseconds. Default 30 s.
   */
  maximumRateLimitDelay?: Duration;
  /** How `close()` treats running jobs. */
  shutdown?: ShutdownOptions;
}

/**
 * Counting of finished jobs.
 *
 * @public
 */
export interface MetricsOptions {
  /** Minutes for which counts are kept, 1 to 100,000: a week has 10,080. */
  maxDataPoints: number;
}

/**
 * Functions that decide in the worker's place.
 *
 * @public
 */
export interface WorkerStrategies {
  /** Waits before retries of jobs whose `backoff` is of a type of your own. Default none: such jobs are not retried. */
  backoffStrategy?: BackoffStrategy;
}

/**
 * Bounds of an orderly close; a bare number is milliseconds.
 *
 * @public
 */
export interface ShutdownOptions {
  /** How long running handlers may finish. `Infinity` waits for all of them. Default 30 s. */
  drain?: Duration;
  /** How long handlers have to react to their aborted signal before their jobs are handed back. Default 4 s. */
  abort?: Duration;
  /** How long the last outcomes may take to be written. Default 3 s. */
  close?: Duration;
}

/**
 * Worker options with every default filled in, in milliseconds.
 *
 * @internal
 */
export interface ResolvedWorkerOptions {
  concurrency: number;
  name: string | null;
  autorun: boolean;
  lockDuration: number;
  lockRenewTime: number;
  skipLockRenewal: boolean;
  stalledInterval: number;
  maxStalledCount: number;
  skipStalledCheck: boolean;
  /** `Infinity` for no bound. */
  maxStartedAttempts: number;
  /** `undefined` for no limit. */
  timeout: number | undefined;
  timeoutGrace: number;
  drainDelay: number;
  runRetryDelay: number;
  removeOnComplete: RetentionOption | undefined;
  removeOnFail: RetentionOption | undefined;
  /** Minutes for which finished jobs are counted, or `null` for not. */
  maxDataPoints: number | null;
  backoffStrategy: BackoffStrategy | undefined;
  limiter: RateLimit | undefined;
  maximumRateLimitDelay: number;
  shutdown: ResolvedShutdownOptions;
}

/**
 * Bounds of an orderly close, in milliseconds.
 *
 * @internal
 */
export interface ResolvedShutdownOptions {
  drain: number;
  abort: number;
  close: number;
}

/**
 * Names of all worker options.
 *
 * @internal
 */
export const WORKER_OPTION_NAMES: readonly (keyof WorkerOptions)[] = [
  'concurrency',
  'name',
  'autorun',
  'lockDuration',
  'lockRenewTime',
  'skipLockRenewal',
  'stalledInterval',
  'maxStalledCount',
  'skipStalledCheck',
  'maxStartedAttempts',
  'timeout',
  'timeoutGrace',
  'drainDelay',
  'runRetryDelay',
  'removeOnComplete',
  'removeOnFail',
  'metrics',
  'settings',
  'limiter',
  'maximumRateLimitDelay',
  'shutdown',
];

/**
 * Checks worker options and fills in the defaults.
 *
 * @param where - the call, for errors about unknown names
 * @param otherNames - names that the same object holds besides
 * @throws InvalidWorkerOptionError, InvalidDurationError, InvalidFlagError, InvalidRetentionError, InvalidLimitError,
 * InvalidTimeoutError, InvalidOptionsError or UnknownOptionError
 *
 * @internal
 */
export function resolveWorkerOptions(
  options: WorkerOptions,
  where: string,
  otherNames: readonly string[] = [],
): ResolvedWorkerOptions {
  refuseUnknownOptions(where, options, [...otherNames, ...WORKER_OPTION_NAMES]);
  const {
    concurrency = 1,
    name,
    autorun = true,
    lockDuration = 30_000,
    lockRenewTime,
    skipLockRenewal = false,
    stalledInterval = 30_000,
    maxStalledCount = 1,
    skipStalledCheck = false,
    maxStartedAttempts,
    timeout,
    timeoutGrace = 5_000,
    drainDelay = 5,
    runRetryDelay = 1_000,
    removeOnComplete,
    removeOnFail,
    metrics,
    settings,
    limiter,
    maximumRateLimitDelay = 30_000,
    shutdown = {},
  } = options;
  const lease = checkAtLeast('lockDuration', lockDuration, MIN_LEASE);
  return {
    concurrency: checkConcurrency('concurrency', concurrency),
    name: checkWorkerName(name),
    autorun: checkFlag('autorun', autorun),
    lockDuration: lease,
    lockRenewTime: lockRenewTime === undefined ? lease / 3 : checkRenewTime(lockRenewTime, lease),
    skipLockRenewal: checkFlag('skipLockRenewal', skipLockRenewal),
    stalledInterval: checkAtLeast('stalledInterval', stalledInterval, 1),
    maxStalledCount: checkStalledCount(maxStalledCount),
    skipStalledCheck: checkFlag('skipStalledCheck', skipStalledCheck),
    maxStartedAttempts: maxStartedAttempts === undefined ? Infinity : checkStarts(maxStartedAttempts),
    timeout: timeout === undefined ? undefined : checkTimeout(timeout),
    timeoutGrace: durationToMillis('timeoutGrace', timeoutGrace),
    drainDelay: resolveDrainDelay(drainDelay),
    runRetryDelay: checkAtLeast('runRetryDelay', runRetryDelay, 1),
    removeOnComplete:
      removeOnComplete === undefined ? undefined : parseKeepOption('removeOnComplete', removeOnComplete),
    removeOnFail: removeOnFail === undefined ? undefined : parseKeepOption('removeOnFail', removeOnFail),
    maxDataPoints: metrics === undefined ? null : checkMetrics(metrics, `${where} metrics`),
    backoffStrategy: settings === undefined ? undefined : checkStrategy(settings, `${where} settings`),
    limiter: limiter === undefined ? undefined : resolveLimiter(limiter, `${where} limiter`),
    maximumRateLimitDelay: checkAtLeast('maximumRateLimitDelay', maximumRateLimitDelay, 1),
    shutdown: resolveShutdownOptions(shutdown, `${where} shutdown`),
  };
}

/**
 * Checks the bounds of an orderly close and fills in the defaults.
 *
 * @throws InvalidDurationError, InvalidOptionsError or UnknownOptionError
 *
 * @internal
 */
export function resolveShutdownOptions(options: ShutdownOptions, where: string): ResolvedShutdownOptions {
  refuseUnknownOptions(where, options, ['drain', 'abort', 'close']);
  const { drain = 30_000, abort = 4_000, close = 3_000 } = options;
  return {
    drain: drain === Infinity ? Infinity : durationToMillis('shutdown.drain', drain),
    abort: durationToMillis('shutdown.abort', abort),
    close: durationToMillis('shutdown.close', close),
  };
}

/**
 * Checks a number of jobs run at once.
 *
 * @throws InvalidWorkerOptionError unless it is an integer of at least 1
 *
 * @internal
 */
export function checkConcurrency(option: string, value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 1) {
    throw new InvalidWorkerOptionError(
      option,
      value,
      'an integer of at least 1',
      'It is the number of jobs that run at once.',
    );
  }
  return value as number;
}

function resolveLimiter(limiter: RateLimiterOptions, where: string): RateLimit {
  refuseUnknownOptions(where, limiter, ['max', 'duration']);
  return {
    max: checkJobLimit('limiter.max', limiter.max),
    duration: checkLimitDuration('limiter.duration', limiter.duration),
  };
}

/** Below this a lease cannot be renewed in time. */
const MIN_LEASE = 10;

function checkWorkerName(value: unknown): string | null {
  if (value === undefined) {
    return null;
  }
  if (typeof value !== 'string' || value === '') {
    throw new InvalidWorkerOptionError(
      'name',
      value,
      'a text of at least one character',
      'Correct the name.',
    );
  }
  return value;
}

function checkAtLeast(option: string, value: Duration, least: number): number {
  const millis = durationToMillis(option, value);
  if (millis < least) {
    throw new InvalidWorkerOptionError(option, value, `at least ${least} ms`, 'Raise the value.');
  }
  return millis;
}

/** A minute without jobs costs a point, and all that are missing are written at once. */
const MOST_DATA_POINTS = 100_000;

function checkMetrics(metrics: MetricsOptions, where: string): number {
  refuseUnknownOptions(where, metrics, ['maxDataPoints']);
  const { maxDataPoints } = metrics;
  if (!Number.isSafeInteger(maxDataPoints) || maxDataPoints < 1 || maxDataPoints > MOST_DATA_POINTS) {
    throw new InvalidWorkerOptionError(
      'metrics.maxDataPoints',
      maxDataPoints,
      `an integer from 1 to ${MOST_DATA_POINTS}`,
      'It is the number of minutes for which counts are kept: a week has 10080.',
    );
  }
  return maxDataPoints;
}

function checkStrategy(settings: WorkerStrategies, where: string): BackoffStrategy | undefined {
  refuseUnknownOptions(where, settings, ['backoffStrategy']);
  const strategy: unknown = settings.backoffStrategy;
  if (strategy !== undefined && typeof strategy !== 'function') {
    throw new InvalidWorkerOptionError(
      'settings.backoffStrategy',
      strategy,
      'a function that returns milliseconds',
      'Give it as (attemptsMade, type, error, job) => 1000.',
    );
  }
  return settings.backoffStrategy;
}

/** A lease that is renewed after its end is lost. */
function checkRenewTime(value: Duration, lease: number): number {
  const millis = checkAtLeast('lockRenewTime', value, 1);
  if (millis >= lease) {
    throw new InvalidWorkerOptionError(
      'lockRenewTime',
      value,
      `less than lockDuration, ${lease} ms`,
      'Half of it at most leaves time for a second try. Use skipLockRenewal for no renewals.',
    );
  }
  return millis;
}

function checkStarts(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 1) {
    throw new InvalidWorkerOptionError(
      'maxStartedAttempts',
      value,
      'an integer of at least 1',
      'It is how often a job may be taken at most. Leave it out for no bound.',
    );
  }
  return value as number;
}

function checkStalledCount(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) {
    throw new InvalidWorkerOptionError(
      'maxStalledCount',
      value,
      'an integer of at least 0',
      'It is how often a job may be abandoned before it fails.',
    );
  }
  return value as number;
}

function resolveDrainDelay(value: unknown): number {
  const text = typeof value === 'string' ? durationTextToMillis(value) : undefined;
  const millis = typeof value === 'number' ? value * 1_000 : text;
  if (millis === undefined || !(millis > 0 && Number.isFinite(millis))) {
    throw new InvalidWorkerOptionError(
      'drainDelay',
      value,
      'SECONDS above 0, or a text such as "5s"',
      'A bare number is seconds here, as in BullMQ; a text says its unit.',
    );
  }
  return millis;
}
