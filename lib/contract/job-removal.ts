import type { JobState } from '../model/job-state';
import type { MutatingCall, Reply } from './mutating-call';
import type { Refusal } from './refusal';

/**
 * Most jobs that one call removes or looks at, and events that it drops for each of them: what there is more is left to
 * the next call, so that none holds up the store.
 *
 * @public
 */
export const MAX_REMOVED = 250;

/**
 * A job to remove.
 *
 * @public
 */
export interface JobToRemove {
  readonly id: string;
  /** Whether the jobs below it in a flow go with it. Only clients of BullMQ store flows. */
  readonly removeChildren: boolean;
}

/**
 * Jobs to remove, in order.
 *
 * @public
 */
export interface RemoveJobsRequest {
  /** At most `MAX_BATCH`. */
  readonly jobs: readonly JobToRemove[];
}

/**
 * Reply of `removeJobs`.
 *
 * @public
 */
export interface RemoveJobsReply extends Reply {
  /** One per job, in order: `null` for done, or begun. */
  refusals: (Refusal | null)[];
  /**
   * Places in the request, from 0, of jobs that are there still, because a family is larger than a call's bound. Their
   * next removal goes on where this one ended.
   */
  unfinished: number[];
}

/**
 * Which jobs to clean away.
 *
 * @public
 */
export interface CleanJobsRequest {
  /** `paused`: those that wait, while the queue is paused. */
  readonly state: JobState | 'paused';
  /** Store time in milliseconds from which on jobs are too young. */
  readonly before: number;
  /** Jobs of that state to pass over, from the front: those that the calls before have seen and kept. */
  readonly kept: number;
  /** Most jobs to remove, at least 1. */
  readonly limit: number;
}

/**
 * Reply of `cleanJobs`.
 *
 * @public
 */
export interface CleanJobsReply extends Reply {
  /** Ids of the removed jobs: next to run first, for active jobs first claimed, for finished ones oldest first. */
  removed: string[];
  /** Jobs that were passed over or kept. */
  kept: number;
  /** There may be jobs behind those that the call has looked at. */
  more: boolean;
}

/**
 * What to empty a queue of.
 *
 * @public
 */
export interface DrainQueueRequest {
  /** Whether delayed jobs go as well. */
  readonly delayed: boolean;
  /** Jobs to pass over: those that the calls before have seen and kept. */
  readonly kept: number;
}

/**
 * Reply of `drainQueue`.
 *
 * @public
 */
export interface DrainQueueReply extends Reply {
  /** How many jobs were removed. */
  removed: number;
  /** Jobs that were passed over or kept. */
  kept: number;
  /** There may be jobs behind those that the call has looked at. */
  more: boolean;
}

/**
 * How to destroy a queue.
 *
 * @public
 */
export interface ObliterateQueueRequest {
  /** Whether active jobs are removed too, rather than a reason to refuse. */
  readonly force: boolean;
  /** Most jobs to remove, 1 to `MAX_REMOVED`. */
  readonly limit: number;
}

/**
 * Reply of `obliterateQueue`.
 *
 * @public
 */
export interface ObliterateQueueReply extends Reply {
  /** `null` for done, or begun. */
  refusal: Refusal | null;
  /** How many jobs were removed. */
  removed: number;
  /** There is more to remove: the call is to be made again. */
  more: boolean;
}

/**
 * Where to look for orphaned jobs.
 *
 * @public
 */
export interface FindOrphanedJobsRequest {
  /** Where the look before has ended; `null` for the first one. */
  readonly cursor: string | null;
  /** Records to look at, about; a backend may look at fewer, so as to hold up nobody. */
  readonly count: number;
}

/**
 * Jobs that seem to be in no state.
 *
 * @public
 */
export interface FoundOrphanedJobs {
  ids: string[];
  /** Where to go on, `null` at the end. */
  cursor: string | null;
}

/**
 * Jobs to remove if they are in no state.
 *
 * @public
 */
export interface RemoveOrphanedJobsRequest {
  /** At most `MAX_REMOVED`. */
  readonly ids: readonly string[];
}

/**
 * Reply of `removeOrphanedJobs`.
 *
 * @public
 */
export interface RemoveOrphanedJobsReply extends Reply {
  /** Ids of the removed jobs. */
  removed: string[];
  /** How many of the ids were looked at, from the first on; at least one. The others are left to the next call. */
  checked: number;
}

/**
 * Taking jobs out of a queue, other than by running them. What is left in the middle of several calls is intact.
 *
 * A removed job leaves nothing of its own. Where clients of BullMQ have stored flows or deduplicated jobs, it is
 * forgotten by its parent, and gives up the deduplication id that it holds.
 *
 * @public
 */
export interface JobRemoval {
  /**
   * Removes jobs.
   *
   * Refusals, per job: `JobNotFound`; `JobLeased`, also when a job is that would go with it; `OutstandingIteration`.
   *
   * Events: `removed` per job, those of the family included.
   */
  removeJobs(request: RemoveJobsRequest, call: MutatingCall): Promise<RemoveJobsReply>;

  /**
   * Removes jobs of one state that are old: finished ones by when they ended, others by their last claim, prioritized
   * and new ones by when they were added. Leased jobs and outstanding iterations are kept.
   *
   * Events: `cleaned`, unless nothing was removed.
   */
  cleanJobs(request: CleanJobsRequest, call: MutatingCall): Promise<CleanJobsReply>;

  /** Removes what waits to be run, but for outstanding iterations. Writes no events. */
  drainQueue(request: DrainQueueRequest, call: MutatingCall): Promise<DrainQueueReply>;

  /**
   * Removes everything, last of all the event log, the counted ids and the pause. Jobs go state by state: active, delayed,
   * completed, waiting, prioritized, failed; active ones by their claims.
   *
   * Refusals: `QueueNotPaused`; `QueueActive` unless forced.
   */
  obliterateQueue(request: ObliterateQueueRequest, call: MutatingCall): Promise<ObliterateQueueReply>;

  /**
   * Looks for jobs that are in no state, as failures of other clients can leave them behind. Each call looks at a
   * part of the store; a job that is being moved meanwhile may be among what it finds.
   */
  findOrphanedJobs(request: FindOrphanedJobsRequest): Promise<FoundOrphanedJobs>;

  /** Removes those of the jobs that are in no state. Writes no events. */
  removeOrphanedJobs(
    request: RemoveOrphanedJobsRequest,
    call: MutatingCall,
  ): Promise<RemoveOrphanedJobsReply>;
}
