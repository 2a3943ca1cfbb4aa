import type { MutatingCall, Reply } from './mutating-call';
import type { Refusal } from './refusal';

/**
 * A row for the log of a job.
 *
 * @public
 */
export interface LogEntry {
  readonly id: string;
  /** Any text. */
  readonly row: string;
  /** Newest rows of the job that are kept from then on, at least 1; `null` for all. */
  readonly keep: number | null;
}

/**
 * Rows to write, in order.
 *
 * @public
 */
export interface AddLogsRequest {
  /** At most `MAX_BATCH`. */
  readonly entries: readonly LogEntry[];
}

/**
 * Reply of `addLogs`.
 *
 * @public
 */
export interface AddLogsReply extends Reply {
  /** One per row, in order: `null` for done. */
  refusals: (Refusal | null)[];
  /** One per row, in order: how many rows its job had then; 0 where the row was refused. */
  counts: number[];
}

/**
 * A log to shorten.
 *
 * @public
 */
export interface LogClearing {
  readonly id: string;
  /** Newest rows that stay; 0 for none. */
  readonly keep: number;
}

/**
 * Logs to shorten, in order.
 *
 * @public
 */
export interface ClearLogsRequest {
  /** At most `MAX_BATCH`. */
  readonly logs: readonly LogClearing[];
}

/**
 * Reply of `clearLogs`.
 *
 * @public
 */
export interface ClearLogsReply extends Reply {
  /** One per log, in order: `null` for done. */
  refusals: (Refusal | null)[];
}

/**
 * A part of the log of one job.
 *
 * @public
 */
export interface LogPageRequest {
  readonly id: string;
  /** Rows to skip, at least 0, in the direction of reading. */
  readonly offset: number;
  /** Most rows to return, or `null` for all. */
  readonly limit: number | null;
  /** `ascending`: oldest first; `descending`: newest first. */
  readonly order: 'ascending' | 'descending';
}

/**
 * What a log holds.
 *
 * @public
 */
export interface LogPage {
  /** The rows of the part. */
  rows: string[];
  /** Rows in the whole log. */
  count: number;
}

/**
 * The logs of jobs: rows of text that a job collects while it runs, and that go with it.
 *
 * @public
 */
export interface JobLogs {
  /**
   * Writes rows behind those that a job has, in any state of the job.
   *
   * Refusals, per row: `JobNotFound`. Events: none.
   */
  addLogs(request: AddLogsRequest, call: MutatingCall): Promise<AddLogsReply>;
  /**
   * Removes the oldest rows of jobs, in any state of the job.
   *
   * Refusals, per log: `JobNotFound`. Events: none.
   */
  clearLogs(request: ClearLogsRequest, call: MutatingCall): Promise<ClearLogsReply>;
  /** Reads rows; a job that is not there has none. */
  getLogs(request: LogPageRequest): Promise<LogPage>;
}
