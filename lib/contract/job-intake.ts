import type { MutatingCall, Reply } from './mutating-call';

/**
 * A job to store. Everything that can be checked without the store was checked before.
 *
 * @public
 */
export interface NewJob {
  /** Id of the caller's own, or `null` to have the queue count one. */
  id: string | null;
  name: string;
  /** JSON of the payload. */
  data: string;
  /** JSON of the stored options. */
  options: string;
  /** 0 to 2097151. */
  priority: number;
  /** Milliseconds before the job may run, from its time of adding. */
  delay: number;
  /** Its time of adding in milliseconds since 1970; that of the store when absent. */
  timestamp?: number | undefined;
  /** Runs before its equals that already wait; has no effect on prioritized and delayed jobs. */
  lifo: boolean;
  /** Whole milliseconds that each attempt may take; no limit when absent. */
  timeout?: number | undefined;
  /** Whole milliseconds within which it has to be started, from when its delay is over; no limit when absent. */
  expiresIn?: number | undefined;
  /** JSON object of its headers, at least one; none when absent. */
  headers?: string | undefined;
  /** Version of its payload's form, a whole number of at least 1; none when absent. */
  version?: number | undefined;
}

/**
 * Jobs to store, in order.
 *
 * @public
 */
export interface AddJobsRequest {
  /** At most `MAX_ADDED`. */
  readonly jobs: readonly NewJob[];
}

/**
 * What became of one job of an add.
 *
 * @public
 */
export interface AddResult {
  /** The id it is stored under. */
  id: string;
  /** `duplicate`: the id was stored already, and nothing was changed but the event log and the count of ids. */
  status: 'added' | 'duplicate';
}

/**
 * Reply of `addJobs`.
 *
 * @public
 */
export interface AddJobsReply extends Reply {
  /** One per job, in order. */
  results: AddResult[];
}

/**
 * Taking jobs in.
 *
 * @public
 */
export interface JobIntake {
  /**
   * Stores jobs in order, in one step. Ids are counted on with every job, those with an id of their own and duplicates
   * too.
   *
   * Events: `added`, then `waiting` or `delayed`, per job; `duplicated` for an id that exists.
   */
  addJobs(request: AddJobsRequest, call: MutatingCall): Promise<AddJobsReply>;
}
