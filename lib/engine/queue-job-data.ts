/* eslint-disable @typescript-eslint/no-explicit-any -- untyped queues are used as in BullMQ */
import { refusalError, type Refusal } from '../contract/refusal';
import { checkStoredJobId } from '../model/job-id';
import { checkKeptRows, checkLogRow } from '../model/log-row';
import { toJson } from '../model/payload';
import type { Job } from './job';
import { QueueMetrics } from './queue-metrics';

/**
 * The part of a `Queue` that changes what is kept of a job, without reading the job first.
 *
 * @internal
 */
export abstract class QueueJobData<AnyJob extends Job = Job, Result = any> extends QueueMetrics<
  AnyJob,
  Result
> {
  /**
   * Stores progress of a job and tells it to all listeners of the queue, as `job.updateProgress` does.
   *
   * @param id - of the job
   * @param progress - any JSON value
   * @throws InvalidJobIdError when the id is no text
   * @throws UnserializableDataError when it cannot be written as JSON
   * @throws JobNotFoundError when the queue does not hold the job
   */
  async updateJobProgress(id: string, progress: unknown): Promise<void> {
    checkStoredJobId(id);
    const updates = [{ id, progress: toJson(progress, 'null', 'progress', id) }];
    const { refusals } = await this.command('updateJobProgress', (backend, call) =>
      backend.updateProgress({ updates }, call),
    );
    this.#refuse(refusals[0], id);
    this.emit('progress', id, progress);
  }

  /**
   * Writes a row into the log of a job, as `job.log` does.
   *
   * @param id - of the job
   * @param row - any text
   * @param keepLogs - how many of the newest rows the job keeps; default all, whatever its own option says
   * @returns how many rows the log has now
   * @throws InvalidJobIdError when the id is no text
   * @throws InvalidLogRowError when the row is no text, InvalidKeepLogsError when `keepLogs` is no integer of at least 1
   * @throws JobNotFoundError when the queue does not hold the job
   */
  async addJobLog(id: string, row: string, keepLogs?: number): Promise<number> {
    checkStoredJobId(id);
    const keep = keepLogs === undefined ? null : checkKeptRows('keepLogs', keepLogs, 1);
    const entries = [{ id, row: checkLogRow(row), keep }];
    const { refusals, counts } = await this.command('addJobLog', (backend, call) =>
      backend.addLogs({ entries }, call),
    );
    this.#refuse(refusals[0], id);
    return counts[0]!;
  }

  #refuse(refusal: Refusal | null | undefined, id: string): void {
    if (refusal != null) {
      throw refusalError(refusal, id, this.name);
    }
  }
}
