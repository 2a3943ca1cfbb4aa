import type { MutatingCall, Reply } from './mutating-call';
import type { Refusal } from './refusal';

/**
 * A payload in place of the one that a job has.
 *
 * @public
 */
export interface DataUpdate {
  readonly id: string;
  /** JSON. */
  readonly data: string;
}

/**
 * Payloads to store, in order.
 *
 * @public
 */
export interface UpdateDataRequest {
  /** At most `MAX_BATCH`. */
  readonly updates: readonly DataUpdate[];
}

/**
 * Reply of `updateData`.
 *
 * @public
 */
export interface UpdateDataReply extends Reply {
  /** One per update, in order: `null` for done. */
  refusals: (Refusal | null)[];
}

/**
 * Changing what a job is about.
 *
 * @public
 */
export interface JobData {
  /**
   * Stores payloads, in any state of the job. A worker that has the job was handed the old one, and keeps it.
   *
   * Refusals, per update: `JobNotFound`. Events: none.
   */
  updateData(request: UpdateDataRequest, call: MutatingCall): Promise<UpdateDataReply>;
}
