import type { FinishedState } from '../contract/job-moves';
import { durationToMillis } from '../model/duration';
import { InvalidJobError } from '../model/errors/invalid-job.error';
import { InvalidJobsError, type InvalidJobEntry } from '../model/errors/invalid-jobs.error';
import { InvalidLimitError } from '../model/errors/invalid-limit.error';
import { InvalidRangeError } from '../model/errors/invalid-range.error';
import { UnknownJobStateError } from '../model/errors/unknown-job-state.error';
import { checkFlag } from '../model/flag';
import type { JobOptions } from '../model/job-options';
import { refuseUnknownOptions } from '../model/option-names';
import { isThenable } from '../model/thenable';
import type { FinishedOptions } from './job-getters';
import { asError } from './runtime/safe-emitter';
import { JOB_STATES, type JobState } from '../model/job-state';

/**
 * A state by which jobs are counted and listed; `wait` is BullMQ's other word for `waiting`.
 *
 * @public
 */
export type JobType = JobState | 'wait';

/**
 * A state whose old jobs `clean` removes; `paused` are those that wait, while the queue is paused.
 *
 * @public
 */
export type CleanType = JobType | 'paused';

/**
 * The state that a name stands for.
 *
 * @internal
 */
export function stateOf(type: JobType): JobState {
  return type === 'wait' ? 'waiting' : type;
}

/**
 * The states that some names stand for, each once.
 *
 * @throws UnknownJobStateError for a name that stands for none
 *
 * @internal
 */
export function statesOf(types: readonly JobType[]): JobState[] {
  const states = types.map(stateOf);
  for (const state of states) {
    if (!JOB_STATES.includes(state)) {
      throw new UnknownJobStateError(state);
    }
  }
  return [...new Set(states)];
}

/**
 * What a name means to `clean`.
 *
 * @throws UnknownJobStateError for a name that stands for no state
 *
 * @internal
 */
export function cleanStateOf(type: CleanType): JobState | 'paused' {
  return type === 'paused' ? type : statesOf([type])[0]!;
}

/**
 * Checks a number of jobs or events.
 *
 * @param least - smallest number that is taken
 * @throws InvalidLimitError for what is no such number
 *
 * @internal
 */
export function checkLimit(option: string, value: unknown, least: number): void {
  if (!Number.isSafeInteger(value) || (value as number) < least) {
    throw new InvalidLimitError(option, value, least);
  }
}

/**
 * Checks how a job is said to have ended.
 *
 * @throws UnknownJobStateError unless it is `completed` or `failed`
 *
 * @internal
 */
export function checkFinishedState(state: unknown): asserts state is FinishedState {
  if (state !== 'completed' && state !== 'failed') {
    throw new UnknownJobStateError(state, ['completed', 'failed']);
  }
}

/**
 * How `addBulk` goes about it.
 *
 * @public
 */
export interface AddBulkOptions {
  /** Adds all jobs in one step, at most 1,000 of them: all are stored, or none. Default `false`. */
  atomic?: boolean;
}

/**
 * Checks the options of `addBulk`.
 *
 * @throws InvalidOptionsError, UnknownOptionError or InvalidFlagError
 *
 * @internal
 */
export function checkAddBulkOptions(options: AddBulkOptions): Required<AddBulkOptions> {
  refuseUnknownOptions('addBulk', options, ['atomic']);
  const { atomic = false } = options;
  return { atomic: checkFlag('atomic', atomic) };
}

/**
 * How `run` goes about it.
 *
 * @public
 */
export interface RunOptions extends FinishedOptions {
  /** Options of the job. */
  job?: JobOptions;
}

/**
 * Checks the options of `run`, but for those of the job.
 *
 * @returns `timeout` in milliseconds
 * @throws UnknownOptionError, InvalidOptionsError or InvalidDurationError
 *
 * @internal
 */
export function checkRunOptions(options: RunOptions): RunOptions {
  refuseUnknownOptions('run', options, ['signal', 'timeout', 'job']);
  const { timeout } = options;
  return timeout === undefined ? options : { ...options, timeout: durationToMillis('timeout', timeout) };
}

/**
 * Checks that an entry may be a job.
 *
 * @throws InvalidJobError unless it is an object
 *
 * @internal
 */
export function checkEntry(entry: unknown): asserts entry is object {
  if (typeof entry !== 'object' || entry === null) {
    throw new InvalidJobError(entry);
  }
}

/**
 * Prepares each of the jobs that `addBulk` was given.
 *
 * @param prepare - checks one and makes of it what is stored, now or later
 * @returns a promise only where one of them is not prepared at once
 * @throws InvalidJobsError when it is no array, or with all entries of it that cannot be added
 *
 * @internal
 */
export function prepareAll<Given, Prepared>(
  jobs: readonly Given[],
  prepare: (job: Given) => Prepared | Promise<Prepared>,
): Prepared[] | Promise<Prepared[]> {
  if (!Array.isArray(jobs)) {
    throw new InvalidJobsError([], jobs);
  }
  const prepared: Prepared[] = [];
  const errors: InvalidJobEntry[] = [];
  const later: Promise<void>[] = [];
  const refuse = (index: number, error: unknown): void => void errors.push({ index, error: asError(error) });
  // By index: forEach would pass over the holes of a sparse array.
  for (let index = 0; index < jobs.length; index += 1) {
    const job: unknown = jobs[index];
    try {
      checkEntry(job);
      const one = prepare(job as Given);
      if (isThenable(one)) {
        later.push(
          one.then(
            (known) => void (prepared[index] = known),
            (error: unknown) => refuse(index, error),
          ),
        );
      } else {
        prepared[index] = one;
      }
    } catch (error) {
      refuse(index, error);
    }
  }
  const finish = (): Prepared[] => {
    if (errors.length > 0) {
      throw new InvalidJobsError(errors.sort((left, right) => left.index - right.index));
    }
    return prepared;
  };
  return later.length === 0 ? finish() : Promise.all(later).then(finish);
}

/**
 * What stands between two positions.
 *
 * @param start - first position, from 0
 * @param end - last position, included; -1 for all
 * @returns how many are passed over, and how many there are at most, `null` for all
 * @throws InvalidRangeError for what is no position
 *
 * @internal
 */
export function rangeOf(start: number, end: number): { offset: number; limit: number | null } {
  if (!Number.isSafeInteger(start) || start < 0) {
    throw new InvalidRangeError('start', start);
  }
  if (!Number.isSafeInteger(end) || end < -1) {
    throw new InvalidRangeError('end', end);
  }
  return { offset: start, limit: end === -1 ? null : Math.max(0, end - start + 1) };
}
