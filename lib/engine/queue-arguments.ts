import type { FinishedState } from '../contract/job-moves';
import { InvalidJobsError } from '../model/errors/invalid-jobs.error';
import { InvalidLimitError } from '../model/errors/invalid-limit.error';
import { InvalidRangeError } from '../model/errors/invalid-range.error';
import { UnknownJobStateError } from '../model/errors/unknown-job-state.error';
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
 * Checks what `addBulk` was given.
 *
 * @throws InvalidJobsError unless it is an array of objects
 *
 * @internal
 */
export function checkJobs(jobs: unknown): void {
  if (!Array.isArray(jobs)) {
    throw new InvalidJobsError(jobs);
  }
  // By index: forEach would pass over the holes of a sparse array.
  for (let index = 0; index < jobs.length; index += 1) {
    const job: unknown = jobs[index];
    if (typeof job !== 'object' || job === null) {
      throw new InvalidJobsError(job, index);
    }
  }
}

/**
 * Checks the positions of a look-up.
 *
 * @throws InvalidRangeError for what is no position
 *
 * @internal
 */
export function checkRange(start: unknown, end: unknown): void {
  if (!Number.isSafeInteger(start) || (start as number) < 0) {
    throw new InvalidRangeError('start', start);
  }
  if (!Number.isSafeInteger(end) || (end as number) < -1) {
    throw new InvalidRangeError('end', end);
  }
}
