import type { JobState } from './job-state';

/**
 * A stored job. Texts named "JSON" hold what the producer or the worker serialised and are never reparsed by a
 * backend. All times are milliseconds since 1970 on the store's clock.
 *
 * @public
 */
export interface JobRecord {
  /** Unique in its queue. */
  id: string;
  name: string;
  state: JobState;
  /** JSON of the payload. */
  data: string;
  /** JSON of the options as given, durations in their storage unit. */
  options: string;
  /** Time of adding. */
  timestamp: number;
  /** Milliseconds the job was last held back; 0 once it is due. */
  delay: number;
  /** 0 (before all others) to 2097151; lower runs first. */
  priority: number;
  /** Attempts that ended, by completion, failure or retry. */
  attemptsMade: number;
  /** Times the job was claimed. */
  attemptsStarted: number;
  /** Times its worker was found to be gone. */
  stalledCounter: number;
  /** Times a worker held it back for want of a handler, since it was added or run again by hand. */
  unhandled: number;
  /** JSON of the last progress, or `null` before the first. */
  progress: string | null;
  /** JSON of the result, or `null` unless completed. */
  returnValue: string | null;
  /** Message of the last failure, or `null`. */
  failedReason: string | null;
  /** Lower-case outcome code such as `no-handler`, or `null`. */
  failedCode: string | null;
  /** JSON array of the stacks of failed attempts, oldest first. */
  stacktrace: string;
  /** Milliseconds that each attempt may take, or `null` for no limit of the job's own. */
  timeout: number | null;
  /** Milliseconds within which the job has to be started, from when it may run, or `null` for no limit. */
  expiresIn: number | null;
  /** Time from which on it expires unless it has been started, or `null` for none, also once it has expired. */
  expiresAt: number | null;
  /** JSON object of the headers, or `null` for none. */
  headers: string | null;
  /** Version of the payload's form, or `null` for none. */
  version: number | null;
  /** Reason with which the next claimer has to fail the job instead of running it, or `null`. */
  deferredFailure: string | null;
  /**
   * Reason with which the job fails as cancelled, in place of being run (again), or `null` unless its cancel was
   * requested while somebody held it.
   */
  cancelReason: string | null;
  /** Time of the last claim, or `null`. */
  processedOn: number | null;
  /** Time of completion or final failure, or `null`. */
  finishedOn: number | null;
  /** Name of the last worker that has one, or `null`. */
  processedBy: string | null;
}

/**
 * The record of a job that has not been run, nor been held back for longer than it was added with.
 *
 * @internal
 */
export function newJobRecord(
  job: Pick<JobRecord, 'id' | 'name' | 'state' | 'data' | 'options' | 'timestamp' | 'delay' | 'priority'>,
  own: {
    readonly timeout?: number | undefined;
    readonly expiresIn?: number | undefined;
    readonly headers?: string | undefined;
    readonly version?: number | undefined;
  } = {},
): JobRecord {
  return {
    id: job.id,
    name: job.name,
    state: job.state,
    data: job.data,
    options: job.options,
    timestamp: job.timestamp,
    delay: job.delay,
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
    timeout: own.timeout ?? null,
    expiresIn: own.expiresIn ?? null,
    expiresAt: own.expiresIn === undefined ? null : job.timestamp + job.delay + own.expiresIn,
    headers: own.headers ?? null,
    version: own.version ?? null,
    deferredFailure: null,
    cancelReason: null,
    processedOn: null,
    finishedOn: null,
    processedBy: null,
  };
}
