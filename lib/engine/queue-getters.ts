/* eslint-disable @typescript-eslint/no-explicit-any -- untyped queues are used as in BullMQ */
import { checkStoredJobId } from '../model/job-id';
import { checkPriority, checkTimestamp } from '../model/job-options';
import { JOB_STATES, type JobState } from '../model/job-state';
import { endOf } from './events/job-watch';
import type { Job } from './job';
import { rangeOf, stateOf, statesOf, type JobType } from './queue-arguments';
import { QueueBase } from './queue-base';

/**
 * What `getJobFinishedResult` tells.
 *
 * @public
 */
export type JobFinishedResult<Result> =
  | { readonly state: 'unfinished' }
  | { readonly state: 'completed'; readonly returnvalue: Result }
  | { readonly state: 'failed'; readonly failedReason: string; readonly failedCode: string | undefined };

/**
 * The part of a `Queue` that reads.
 *
 * @internal
 */
export abstract class QueueGetters<AnyJob extends Job = Job, Result = any> extends QueueBase<AnyJob> {
  /** Whether the queue is paused. */
  async isPaused(): Promise<boolean> {
    return (await this.use('isPaused')).backend.isPaused();
  }

  /**
   * The job of that id, or `undefined`.
   *
   * @throws InvalidJobIdError when the id is no text
   */
  async getJob(id: string): Promise<AnyJob | undefined> {
    checkStoredJobId(id);
    const { backend } = await this.use('getJob');
    const [record] = await backend.getJobs([id]);
    return record == null ? undefined : this.toJob(record);
  }

  /**
   * How a job came to its end, as far as it has: by the state that it is in, whatever else is stored of it.
   *
   * @returns `undefined` when the queue does not hold the job
   * @throws InvalidJobIdError when the id is no text
   */
  async getJobFinishedResult(id: string): Promise<JobFinishedResult<Result> | undefined> {
    checkStoredJobId(id);
    const { backend } = await this.use('getJobFinishedResult');
    const [record] = await backend.getJobs([id]);
    const end = endOf(record ?? null);
    switch (end?.kind) {
      case undefined:
        return { state: 'unfinished' };
      case 'gone':
        return undefined;
      case 'completed':
        return { state: 'completed', returnvalue: end.returnvalue as Result };
      case 'failed':
        return { state: 'failed', failedReason: end.reason, failedCode: end.code };
    }
  }

  /**
   * Where a job stands, or `unknown` when the queue does not hold it.
   *
   * @throws InvalidJobIdError when the id is no text
   */
  async getJobState(id: string): Promise<JobState | 'unknown'> {
    checkStoredJobId(id);
    const { backend } = await this.use('getJobState');
    const [state] = await backend.getStates([id]);
    return state ?? 'unknown';
  }

  /**
   * Jobs of some states, state by state, without gaps, and each of them once.
   *
   * @param types - a state or several; default all
   * @param start - first position within each state, from 0
   * @param end - last position, included; -1 for all
   * @param asc - `true`: next to run first, for finished jobs oldest first; default the reverse
   * @throws UnknownJobStateError for a state that does not exist, InvalidRangeError for a bad position
   */
  async getJobs(
    types: JobType | readonly JobType[] = JOB_STATES,
    start = 0,
    end = -1,
    asc = false,
  ): Promise<AnyJob[]> {
    const states = statesOf(typeof types === 'string' ? [types] : types);
    const range = rangeOf(start, end);
    const { backend } = await this.use('getJobs');
    const order = asc ? 'ascending' : 'descending';
    const pages = await Promise.all(states.map((state) => backend.getPage({ state, ...range, order })));
    // A job that went from one state to another between two pages is in both.
    const records = new Map(pages.flat().map((record) => [record.id, record]));
    return [...records.values()].map((record) => this.toJob(record));
  }

  /**
   * Ids of the jobs that `getJobs` brings.
   *
   * @param types - a state or several
   * @param start - first position within each state, from 0
   * @param end - last position, included; -1 for all. Default 1
   * @param asc - `true`: next to run first, for finished jobs oldest first; default the reverse
   * @throws UnknownJobStateError for a state that does not exist, InvalidRangeError for a bad position
   */
  async getRanges(types: JobType | readonly JobType[], start = 0, end = 1, asc = false): Promise<string[]> {
    return (await this.getJobs(types, start, end, asc)).map((job) => job.id);
  }

  /** Jobs that are ready to run, next first. */
  getWaiting(start = 0, end = -1): Promise<AnyJob[]> {
    return this.getJobs('waiting', start, end, true);
  }

  /** Jobs that are ready to run with a priority, next first. */
  getPrioritized(start = 0, end = -1): Promise<AnyJob[]> {
    return this.getJobs('prioritized', start, end, true);
  }

  /** Jobs that wait for their time, next first. */
  getDelayed(start = 0, end = -1): Promise<AnyJob[]> {
    return this.getJobs('delayed', start, end, true);
  }

  /** Jobs that workers have, the longest held first. */
  getActive(start = 0, end = -1): Promise<AnyJob[]> {
    return this.getJobs('active', start, end, true);
  }

  /** Jobs that ended well, newest first. */
  getCompleted(start = 0, end = -1): Promise<AnyJob[]> {
    return this.getJobs('completed', start, end, false);
  }

  /** Jobs that failed for good, newest first. */
  getFailed(start = 0, end = -1): Promise<AnyJob[]> {
    return this.getJobs('failed', start, end, false);
  }

  /** Jobs that wait for their children, in flows of BullMQ's clients, the longest waiting first. */
  getWaitingChildren(start = 0, end = -1): Promise<AnyJob[]> {
    return this.getJobs('waiting-children', start, end, true);
  }

  /**
   * How many jobs are in each state.
   *
   * @param types - default all
   * @throws UnknownJobStateError for a state that does not exist
   */
  async getJobCounts<Type extends JobType = JobState>(...types: Type[]): Promise<Record<Type, number>> {
    const wanted: readonly JobType[] = types.length === 0 ? JOB_STATES : types;
    statesOf(wanted);
    const counts = await (await this.use('getJobCounts')).backend.getCounts();
    return Object.fromEntries(wanted.map((type) => [type, counts[stateOf(type)]])) as Record<Type, number>;
  }

  /** Sum of the jobs in some states. */
  async getJobCountByTypes(...types: JobType[]): Promise<number> {
    const counts = await this.getJobCounts(...new Set(statesOf(types.length === 0 ? JOB_STATES : types)));
    return Object.values<number>(counts).reduce((sum, count) => sum + count, 0);
  }

  /** How many jobs are ready to run without a priority. */
  getWaitingCount(): Promise<number> {
    return this.getJobCountByTypes('waiting');
  }

  /** How many jobs are ready to run with a priority. */
  getPrioritizedCount(): Promise<number> {
    return this.getJobCountByTypes('prioritized');
  }

  /** How many jobs workers have. */
  getActiveCount(): Promise<number> {
    return this.getJobCountByTypes('active');
  }

  /** How many jobs ended well and are kept. */
  getCompletedCount(): Promise<number> {
    return this.getJobCountByTypes('completed');
  }

  /** How many jobs failed for good and are kept. */
  getFailedCount(): Promise<number> {
    return this.getJobCountByTypes('failed');
  }

  /** How many jobs wait for their children, in flows of BullMQ's clients. */
  getWaitingChildrenCount(): Promise<number> {
    return this.getJobCountByTypes('waiting-children');
  }

  /**
   * How many jobs wait for their time.
   *
   * @param timestamp - counts those alone that are due before that time, in milliseconds since 1970
   * @throws InvalidTimestampError when it is no time
   */
  async getDelayedCount(timestamp?: number): Promise<number> {
    if (timestamp === undefined) {
      return this.getJobCountByTypes('delayed');
    }
    const before = checkTimestamp(timestamp);
    return (await this.use('getDelayedCount')).backend.countDelayed(before);
  }

  /**
   * How many jobs wait with each of some priorities.
   *
   * @param priorities - 0 stands for jobs without one; a job that is taken back from a worker that is gone counts there
   * @returns a number by priority
   * @throws InvalidPriorityError for what is no priority
   */
  async getCountsPerPriority(priorities: readonly number[]): Promise<Record<string, number>> {
    const wanted = [...new Set(priorities.map(checkPriority))];
    const counts = await (await this.use('getCountsPerPriority')).backend.countPriorities(wanted);
    return Object.fromEntries(wanted.map((priority, index) => [String(priority), counts[index]!]));
  }

  /** Jobs that have still to be run: waiting, prioritized, delayed, and waiting for their children. */
  count(): Promise<number> {
    return this.getJobCountByTypes('waiting', 'prioritized', 'delayed', 'waiting-children');
  }

  /**
   * The log of a job.
   *
   * @param id - of the job; one that is not there has no rows
   * @param start - first row, from 0
   * @param end - last row, included; -1 for all
   * @param asc - `true`: oldest first (default); `false`: newest first, and positions count from there
   * @returns the rows, and how many the whole log has
   * @throws InvalidJobIdError when the id is no text, InvalidRangeError for a bad position
   */
  async getJobLogs(id: string, start = 0, end = -1, asc = true): Promise<{ logs: string[]; count: number }> {
    checkStoredJobId(id);
    const range = rangeOf(start, end);
    const { backend } = await this.use('getJobLogs');
    const order = asc ? 'ascending' : 'descending';
    const { rows, count } = await backend.getLogs({ id, ...range, order });
    return { logs: rows, count };
  }

  /**
   * Who has stored the queue, as BullMQ's clients and dashboards ask for it: the library and its version. `null` where
   * nobody has said, and in stores that clients of BullMQ do not share.
   */
  async getVersion(): Promise<string | null> {
    const { version } = await (await this.use('getVersion')).backend.getSettings();
    return version;
  }
}
