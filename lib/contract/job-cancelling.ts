import type { MutatingCall, Reply } from './mutating-call';
import type { Refusal } from './refusal';

/**
 * A job to cancel.
 *
 * @public
 */
export interface JobCancel {
  readonly id: string;
  /** Becomes the job's `failedReason`; not empty. */
  readonly reason: string;
}

/**
 * Jobs to cancel, in order.
 *
 * @public
 */
export interface CancelJobsRequest {
  /** At most `MAX_BATCH`. */
  readonly cancels: readonly JobCancel[];
}

/**
 * What became of a cancel.
 *
 * - `ended`: nobody held the job, and it has failed
 * - `requested`: a worker holds it and is told
 * - `unreachable`: somebody holds it who cannot be told, such as a worker of BullMQ; the request is noted
 *
 * @public
 */
export type CancelAnswer = 'ended' | 'requested' | 'unreachable';

/**
 * Reply of `cancelJobs`.
 *
 * @public
 */
export interface CancelJobsReply extends Reply {
  /** One per job, in order: `null` for done. */
  refusals: (Refusal | null)[];
  /** One per job, in order; `null` where it was refused. */
  answers: (CancelAnswer | null)[];
}

/**
 * What the holder of a job is told when that is cancelled. It may be told several times.
 *
 * @public
 */
export interface CancelNotice {
  readonly id: string;
  /** Of the lease that it was held by when it was cancelled. */
  readonly token: string;
  readonly reason: string;
}

/**
 * The caller that holds a lease, if it is one that can be told something: it claimed without a token of its own
 * choosing, see `leaseTokenOf`.
 *
 * @public
 */
export function holderOf(token: string): string | null {
  return /^([0-9a-f]{32}):w\d:\d+$/.exec(token)?.[1] ?? null;
}

/**
 * Cancelling jobs.
 *
 * A job that nobody holds fails at once. For one that is held the request is noted with the job and told to its holder,
 * by `waitForWork` and by `renewLeases`; from then on the job ends by completing, or fails as cancelled. Whatever outcome
 * would have it run again, or have it fail, has it fail so, and when it is taken back from its holder its next
 * claimer has to fail it. The first request for a run counts.
 *
 * A job that fails as cancelled has the reason of the request as its `failedReason` and the code `cancelled`. What is
 * kept of it is up to the `removeOnFail` of its own options where no outcome says it. Jobs that did not run have ended
 * no attempt.
 *
 * @public
 */
export interface JobCancelling {
  /**
   * Cancels jobs.
   *
   * Refusals, per job: `JobNotFound`; `WrongState` when it has finished; `OutstandingIteration` unless it is held.
   *
   * Events: `failed` per job that ended, with its state as `prev`; `drained` after an end that leaves nothing waiting
   * and nothing active, where something was before.
   */
  cancelJobs(request: CancelJobsRequest, call: MutatingCall): Promise<CancelJobsReply>;
}
