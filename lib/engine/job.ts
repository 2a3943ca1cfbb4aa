/* eslint-disable @typescript-eslint/no-explicit-any -- untyped queues are used as in BullMQ */
import { JobNotFoundError } from '../model/errors/job-not-found.error';
import type { JobOptions } from '../model/job-options';
import { toJson } from '../model/payload';
import type { StoredJobOptions } from '../model/stored-job-options';
import { checkKeptRows, checkLogRow } from '../model/log-row';
import { ADD_LOGS, CLEAR_LOGS, UPDATE_DATA, UPDATE_PROGRESS } from './job-changes';
import { JobInHand } from './job-in-hand';
import { removeJob, type RemoveOptions } from './job-removing';
import type { BulkJob, Queue } from './queue';

export type { JobJson } from './job-view';

/**
 * A handle on one job, with what was known of it when it was read.
 *
 * Jobs are made by a `Queue` and handed to handlers by a `Worker`; payload and result are parsed when first read.
 *
 * @typeParam Data - payload
 * @typeParam Result - what the handler returns
 * @typeParam Name - job names
 *
 * @public
 */
export class Job<Data = any, Result = any, Name extends string = string> extends JobInHand<
  Data,
  Result,
  Name
> {
  /**
   * Adds a job, as `queue.add` does.
   *
   * @throws what `queue.add` throws
   */
  static create<Data, Result, Name extends string>(
    queue: Queue<Data, Result, Name>,
    name: Name,
    data: Data,
    opts?: JobOptions,
  ): Promise<Job<Data, Result, Name>> {
    return queue.add(name, data, opts);
  }

  /**
   * Adds many jobs, as `queue.addBulk` does.
   *
   * @throws what `queue.addBulk` throws
   */
  static createBulk<Data, Result, Name extends string>(
    queue: Queue<Data, Result, Name>,
    jobs: readonly BulkJob<Data, Name>[],
  ): Promise<Job<Data, Result, Name>[]> {
    return queue.addBulk(jobs);
  }

  /**
   * The job of that id, or `undefined`, as `queue.getJob` finds it.
   *
   * @throws what `queue.getJob` throws
   */
  static fromId<Data, Result, Name extends string>(
    queue: Queue<Data, Result, Name>,
    id: string,
  ): Promise<Job<Data, Result, Name> | undefined> {
    return queue.getJob(id);
  }

  /**
   * Writes a row into the log of a job, as `queue.addJobLog` does.
   *
   * @param keepLogs - how many of the newest rows the job keeps; default all
   * @returns how many rows the log has now
   * @throws what `queue.addJobLog` throws
   */
  static addJobLog(
    queue: Pick<Queue, 'addJobLog'>,
    id: string,
    row: string,
    keepLogs?: number,
  ): Promise<number> {
    return queue.addJobLog(id, row, keepLogs);
  }

  /**
   * Stores progress and tells it to all listeners of the queue.
   *
   * @param progress - any JSON value
   * @throws UnserializableDataError when it cannot be written as JSON
   * @throws JobNotFoundError when the queue does not hold the job any more
   */
  async updateProgress(progress: unknown): Promise<void> {
    const json = toJson(progress, 'null', 'progress', this.name);
    await this.owner.change(UPDATE_PROGRESS, { id: this.id, progress: json });
    this.record.progress = json;
    this.owner.onProgress(this, progress);
  }

  /**
   * Removes the job from its queue, in any state, and all that is kept of it. One that is gone already is no error.
   *
   * A parent, in a flow of BullMQ's clients, does not wait for it any longer; the jobs below it are removed with it
   * unless told otherwise.
   *
   * @throws JobLeasedError when a worker has it, or a job below it; nothing was removed then, unless more than 250
   * jobs are below it
   * @throws OutstandingIterationError for the job that a scheduler of BullMQ goes on from
   */
  async remove(options: RemoveOptions = {}): Promise<void> {
    try {
      await removeJob(this.owner, this.id, options, 'remove');
    } catch (error) {
      if (!(error instanceof JobNotFoundError)) {
        throw error;
      }
    }
  }

  /**
   * Stores a payload in place of the one that the job has, in any state of the job. A worker that runs the job at the
   * time was handed the old one.
   *
   * @param data - any JSON value; `undefined` becomes `{}`
   * @throws UnserializableDataError when it cannot be written as JSON
   * @throws JobNotFoundError when the queue does not hold the job any more
   */
  async updateData(data: Data): Promise<void> {
    const json = toJson(data, '{}', 'data', this.name);
    await this.owner.change(UPDATE_DATA, { id: this.id, data: json });
    this.takeData(json);
  }

  /**
   * Writes a row into the log of the job, which goes with the job. The job's option `keepLogs` says how many are kept.
   *
   * @param row - any text
   * @returns how many rows the log has now
   * @throws InvalidLogRowError when it is no text
   * @throws JobNotFoundError when the queue does not hold the job any more
   */
  async log(row: string): Promise<number> {
    const keep = keptRowsOf(this.opts);
    return this.owner.change(ADD_LOGS, { id: this.id, row: checkLogRow(row), keep });
  }

  /**
   * Removes rows of the job's log, the oldest first.
   *
   * @param keep - how many of the newest rows stay. Default none
   * @throws InvalidKeepLogsError when it is no integer of at least 0
   * @throws JobNotFoundError when the queue does not hold the job any more
   */
  async clearLogs(keep = 0): Promise<void> {
    await this.owner.change(CLEAR_LOGS, { id: this.id, keep: checkKeptRows('keep', keep, 0) });
  }
}

/** What other clients store is no more checked than that: 0 is all, as for them. */
function keptRowsOf({ keepLogs }: StoredJobOptions): number | null {
  return Number.isSafeInteger(keepLogs) && keepLogs! > 0 ? keepLogs! : null;
}
