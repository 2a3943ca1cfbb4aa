import type { Duration } from './duration';
import { durationTextToMillis, durationToMillis } from './duration';
import { InvalidFlagError } from './errors/invalid-flag.error';
import { InvalidWorkerOptionError } from './errors/invalid-worker-option.error';
import type { KeepOption } from './keep-option';
import { parseKeepOption } from './keep-option';
import { refuseUnknownOptions } from './option-names';
import type { BackoffStrategy } from './policy/backoff-strategy';
import type { RetentionOption } from './policy/retention';

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
  /** Time between two looks for abandoned jobs; a bare number is milliseconds. Default 30 s. */
  stalledInterval?: Duration;
  /** Times a job may be abandoned before it fails. Default 1. */
  maxStalledCount?: number;
  /** Longest idle wait before asking again; a bare number is SECONDS. Default 5 s. */
  drainDelay?: Duration;
  /** What is kept of completed jobs that do not say. Default all. */
  removeOnComplete?: KeepOption;
  /** What is kept of failed jobs that do not say. Default all. */
  removeOnFail?: KeepOption;
  /** Functions that decide in the worker's place. */
  settings?: WorkerStrategies;
  /** How `close()` treats running jobs. */
  shutdown?: ShutdownOptions;
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
  stalledInterval: number;
  maxStalledCount: number;
  drainDelay: number;
  removeOnComplete: RetentionOption | undefined;
  removeOnFail: RetentionOption | undefined;
  backoffStrategy: BackoffStrategy | undefined;
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
  'stalledInterval',
  'maxStalledCount',
  'drainDelay',
  'removeOnComplete',
  'removeOnFail',
  'settings',
  'shutdown',
];

/**
 * Checks worker options and fills in the defaults.
 *
 * @param where - the call, for errors about unknown names
 * @param otherNames - names that the same object holds besides
 * @throws InvalidWorkerOptionError, InvalidDurationError, InvalidFlagError, InvalidRetentionError,
 * InvalidOptionsError or UnknownOptionError
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
    stalledInterval = 30_000,
    maxStalledCount = 1,
    drainDelay = 5,
    removeOnComplete,
    removeOnFail,
    settings,
    shutdown = {},
  } = options;
  return {
    concurrency: checkConcurrency('concurrency', concurrency),
    name: checkWorkerName(name),
    autorun: checkAutorun(autorun),
    lockDuration: checkAtLeast('lockDuration', lockDuration, MIN_LEASE),
    stalledInterval: checkAtLeast('stalledInterval', stalledInterval, 1),
    maxStalledCount: checkStalledCount(maxStalledCount),
    drainDelay: resolveDrainDelay(drainDelay),
    removeOnComplete:
      removeOnComplete === undefined ? undefined : parseKeepOption('removeOnComplete', removeOnComplete),
    removeOnFail: removeOnFail === undefined ? undefined : parseKeepOption('removeOnFail', removeOnFail),
    backoffStrategy: settings === undefined ? undefined : checkStrategy(settings, `${where} settings`),
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

function checkAutorun(value: unknown): boolean {
  if (typeof value !== 'boolean') {
    throw new InvalidFlagError('autorun', value, 'true or false', 'Correct the value.');
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
