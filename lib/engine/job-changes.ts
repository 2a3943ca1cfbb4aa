import type { DataUpdate } from '../contract/job-data';
import type { LogClearing, LogEntry } from '../contract/job-logs';
import type { ProgressUpdate } from '../contract/job-progress';
import type { JobChange } from './job-owner';

/** @internal */
export const UPDATE_PROGRESS: JobChange<ProgressUpdate> = {
  name: 'updateProgress',
  sizeOf: ({ progress }) => progress.length,
  send: (backend, updates, call) => backend.updateProgress({ updates }, call),
};

/** @internal */
export const UPDATE_DATA: JobChange<DataUpdate> = {
  name: 'updateData',
  sizeOf: ({ data }) => data.length,
  send: (backend, updates, call) => backend.updateData({ updates }, call),
};

/**
 * Brings the number of rows that the job has then.
 *
 * @internal
 */
export const ADD_LOGS: JobChange<LogEntry, number> = {
  name: 'log',
  sizeOf: ({ row }) => row.length,
  async send(backend, entries, call) {
    const reply = await backend.addLogs({ entries }, call);
    return { ...reply, results: reply.counts };
  },
};

/** @internal */
export const CLEAR_LOGS: JobChange<LogClearing> = {
  name: 'clearLogs',
  sizeOf: () => 0,
  send: (backend, logs, call) => backend.clearLogs({ logs }, call),
};
