import type { NewJob } from '../../contract/job-intake';
import type { JobRecord } from '../../model/job-record';
import type { JobRow } from './store';

/**
 * The row of a job that has no place yet. Its fields are those of `newJobRecord`, written out: taken over from a record
 * by a spread, they cost an add four times what it takes.
 *
 * @internal
 */
export function newJobRow(queue: string, id: string, job: NewJob, timestamp: number): JobRow {
  return {
    queue,
    id,
    name: job.name,
    state: 'waiting',
    data: job.data,
    options: job.options,
    timestamp,
    delay: 0,
    priority: job.priority,
    attemptsMade: 0,
    attemptsStarted: 0,
    stalledCounter: 0,
    unhandled: 0,
    progress: null,
    returnValue: null,
    failedReason: null,
    failedCode: null,
    stacktrace: '[]',
    timeout: job.timeout ?? null,
    expiresIn: job.expiresIn ?? null,
    expiresAt: null,
    headers: job.headers ?? null,
    version: job.version ?? null,
    deferredFailure: null,
    cancelReason: null,
    processedOn: null,
    finishedOn: null,
    processedBy: null,
    order: 0,
    sequence: 0,
    token: null,
    claimed: null,
  };
}

/**
 * What callers see of a row.
 *
 * @internal
 */
export function toRecord(row: JobRow): JobRecord {
  return {
    id: row.id,
    name: row.name,
    state: row.state,
    data: row.data,
    options: row.options,
    timestamp: row.timestamp,
    delay: row.delay,
    priority: row.priority,
    attemptsMade: row.attemptsMade,
    attemptsStarted: row.attemptsStarted,
    stalledCounter: row.stalledCounter,
    unhandled: row.unhandled,
    progress: row.progress,
    returnValue: row.returnValue,
    failedReason: row.failedReason,
    failedCode: row.failedCode,
    stacktrace: row.stacktrace,
    timeout: row.timeout,
    expiresIn: row.expiresIn,
    expiresAt: row.expiresAt,
    headers: row.headers,
    version: row.version,
    deferredFailure: row.deferredFailure,
    cancelReason: row.cancelReason,
    processedOn: row.processedOn,
    finishedOn: row.finishedOn,
    processedBy: row.processedBy,
  };
}
