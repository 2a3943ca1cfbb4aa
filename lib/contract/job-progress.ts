import type { MutatingCall, Reply } from './mutating-call';
import type { Refusal } from './refusal';

/**
 * Progress of one job.
 *
 * @public
 */
export interface ProgressUpdate {
  readonly id: string;
  /** JSON. */
  readonly progress: string;
}

/**
 * Progress to store, in order.
 *
 * @public
 */
export interface UpdateProgressRequest {
  /** At most `MAX_BATCH`. */
  readonly updates: readonly ProgressUpdate[];
}

/**
 * Reply of `updateProgress`.
 *
 * @public
 */
export interface UpdateProgressReply extends Reply {
  /** One per update, in order: `null` for done. */
  refusals: (Refusal | null)[];
}

/**
 * What a job tells while it runs.
 *
 * @public
 */
export interface JobProgress {
  /**
   * Stores progress, in any state of the job.
   *
   * Refusals, per update: `JobNotFound`. Events: `progress`.
   */
  updateProgress(request: UpdateProgressRequest, call: MutatingCall): Promise<UpdateProgressReply>;
}
