import type { JobRecord } from '../model/job-record';
import type { JobState } from '../model/job-state';

/**
 * A part of the jobs of one state.
 *
 * @public
 */
export interface PageRequest {
  readonly state: JobState;
  /** Jobs to skip, at least 0. */
  readonly offset: number;
  /** Most jobs to return, or `null` for all. */
  readonly limit: number | null;
  /**
   * `ascending`: next to run first, for finished jobs oldest first. `descending`: the reverse.
   * Active jobs are ordered by their claim.
   */
  readonly order: 'ascending' | 'descending';
}

/**
 * Reading, without any effect.
 *
 * @public
 */
export interface JobLookup {
  /** The jobs of these ids, in order, `null` where there is none. */
  getJobs(ids: readonly string[]): Promise<(JobRecord | null)[]>;
  /** The states of these ids, in order, `null` where there is no such job. */
  getStates(ids: readonly string[]): Promise<(JobState | null)[]>;
  /** How many jobs are in each state. */
  getCounts(): Promise<Record<JobState, number>>;
  /** How many delayed jobs are due before a time in milliseconds. */
  countDelayed(before: number): Promise<number>;
  /**
   * How many jobs wait with each of these priorities, in order; 0 stands for those of state `waiting`. Jobs that were
   * taken back go before all of them, and count there.
   */
  countPriorities(priorities: readonly number[]): Promise<number[]>;
  /** Jobs of one state, without gaps. */
  getPage(request: PageRequest): Promise<JobRecord[]>;
}
