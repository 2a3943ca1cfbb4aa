import type { JobRecord } from '../model/job-record';
import type { Retention } from '../model/policy/retention';
import type { RateLimit } from '../model/rate-limit';
import type { PatternIteration } from './iteration-planning';
import type { CancelNotice } from './job-cancelling';
import type { MutatingCall, Reply } from './mutating-call';
import type { Refusal } from './refusal';

/**
 * How many jobs a claim asks for, and on what terms.
 *
 * @public
 */
export interface ClaimRequest {
  /** Most jobs wanted, 1 to `MAX_BATCH`. */
  readonly count: number;
  /** Milliseconds that the jobs belong to the claimer without renewal. */
  readonly leaseDuration: number;
  /** Stored with the jobs, or `null`. */
  readonly workerName: string | null;
  /**
   * Lease token that the jobs carry, for a claimer who is told what it is to be: whoever knows it has a say about the
   * jobs. Not empty, and not `0`, which clients of BullMQ take for no lease. Left out, the jobs carry that of the call.
   */
  readonly token?: string;
  /** Rate of the worker's own, see `QueueLimits`. A job that must be failed is not counted. Default none. */
  readonly limiter?: RateLimit;
}

/**
 * Why a claim brought fewer jobs than wanted.
 *
 * @public
 */
export interface ClaimIdle {
  /**
   * `empty`: nothing is ready to run; `paused`: the queue hands out no jobs; `blocked`: as many are active as may be;
   * `limited`: as many were claimed as may be in this time.
   */
  reason: 'empty' | 'paused' | 'blocked' | 'limited';
  /** Milliseconds until the next delayed job is due, for `limited` until the limit ends, at least 0; `null` without one. */
  dueIn: number | null;
}

/**
 * The jobs that a claim leased to its caller.
 *
 * @public
 */
export interface Claim {
  /**
   * In running order, state `active`. A job with `deferredFailure` or `cancelReason` must be failed without running, with
   * the latter as cancelled: one that was abandoned too often, has expired before it was started, or is not wanted.
   */
  jobs: JobRecord[];
  /** Proves the lease on these jobs in later calls. */
  token: string;
  /** Iterations of job schedulers among the jobs, whose successor the claimer plans before it runs them. */
  iterations: PatternIteration[];
  /** `null` when the wanted number came, or when a bound of the call stopped it and more may be ready. */
  idle: ClaimIdle | null;
}

/**
 * Reply of `claimJobs`.
 *
 * @public
 */
export interface ClaimJobsReply extends Reply {
  claim: Claim;
}

/**
 * How one active job left its worker's hands.
 *
 * @public
 */
export type Outcome = { readonly id: string; readonly token: string } & (
  | {
      readonly kind: 'completed';
      /** JSON of the result. */
      readonly returnValue: string;
      readonly retention: Retention;
    }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      /** Lower-case outcome code, or `null`. */
      readonly code: string | null;
      /** JSON array of all the job's stacks, this one included. */
      readonly stacktrace: string;
      /** Attempts that the job had; `retries-exhausted` is written when they are used up. */
      readonly attempts: number;
      readonly retention: Retention;
    }
  | {
      readonly kind: 'retry';
      readonly reason: string;
      readonly stacktrace: string;
      /** Milliseconds to wait; 0 goes back to waiting at once, behind its equals. */
      readonly delay: number;
      /** Goes before its equals instead, when it does not wait; has no effect on prioritized jobs. */
      readonly lifo: boolean;
    }
  | {
      /** Held back by its own handler, at no cost of an attempt. */
      readonly kind: 'delayed';
      /** Store time in milliseconds from which on it may run; one that has passed is now. */
      readonly until: number;
      /**
       * How often no worker has had a handler for the job so far: stored with it, until it fails or is run again by hand.
       * Left out, what is stored stays.
       */
      readonly unhandled?: number;
    }
  /**
   * Back to the very front, a prioritized job to that of its priority, at no cost of an attempt: its worker stops
   * before it was run to an end, or its handler wants it to run anew, or not now.
   */
  | {
      readonly kind: 'handed-back';
      /**
       * The handler has met a rate limit: the claim of the same call heeds one that was set by hand, even if it goes by
       * no rate. Default `false`.
       */
      readonly isLimited?: boolean;
    }
);

/**
 * Outcomes to write, and the claim that follows them in the same step.
 *
 * @public
 */
export interface SettleJobsRequest {
  /** In the order in which the handlers ended, at most `MAX_BATCH`. */
  readonly outcomes: readonly Outcome[];
  /** Jobs to claim in the same step, after the outcomes; `null` for none. */
  readonly claim: ClaimRequest | null;
  /** Minutes for which completed and failed jobs are counted, at least 1 (see `Metrics`); not when absent or `null`. */
  readonly maxDataPoints?: number | null;
}

/**
 * Reply of `settleJobs`.
 *
 * @public
 */
export interface SettleJobsReply extends Reply {
  /** One per outcome, in order: `null` for done. */
  refusals: (Refusal | null)[];
  /** `null` when none was asked for. */
  claim: Claim | null;
}

/** A lease as its holder knows it. @public */
export interface HeldLease {
  readonly id: string;
  readonly token: string;
}

/**
 * Leases to lengthen.
 *
 * @public
 */
export interface RenewLeasesRequest {
  /** At most `MAX_BATCH`. */
  readonly leases: readonly HeldLease[];
  /** Milliseconds from now. */
  readonly leaseDuration: number;
}

/**
 * Reply of `renewLeases`.
 *
 * @public
 */
export interface RenewLeasesReply extends Reply {
  /** One per lease, in order: `null` for renewed. */
  refusals: (Refusal | null)[];
  /** Jobs of renewed leases that were cancelled while these were held. */
  cancels: CancelNotice[];
}

/**
 * The terms of a sweep.
 *
 * @public
 */
export interface RecoverAbandonedJobsRequest {
  /**
   * Milliseconds between sweeps, over all processes: an earlier call does nothing. Where callers differ, the shorter of
   * two counts: that of the last sweep and that of the call.
   */
  readonly sweepInterval: number;
  /** Times a job may be abandoned; one more and its next claimer has to fail it. */
  readonly maxStalledCount: number;
}

/**
 * Reply of `recoverAbandonedJobs`.
 *
 * @public
 */
export interface RecoverAbandonedJobsReply extends Reply {
  /** Ids of the jobs taken back, at most `MAX_RECOVERED`. */
  recovered: string[];
  /** More wait to be taken back: the call may be made again at once. */
  more: boolean;
}

/**
 * Most jobs that one sweep takes back.
 *
 * @public
 */
export const MAX_RECOVERED = 1_000;

/**
 * Reason with which a job that was abandoned too often fails. Storage protocol, section 17.4.
 *
 * @public
 */
export const STALLED_REASON = 'job stalled more than allowable limit';

/**
 * Handing jobs out and taking their outcomes in.
 *
 * @public
 */
export interface JobHandover {
  /**
   * Leases the next jobs: all that wait, front first, then by priority. Delayed jobs that are due wait from then on,
   * also where the queue is paused, or its limits let no jobs through. Such a claim counts for no rate.
   *
   * Events: `waiting` (prev `delayed`) per job that came due, `active` per job claimed.
   */
  claimJobs(request: ClaimRequest, call: MutatingCall): Promise<ClaimJobsReply>;

  /**
   * Takes outcomes of leased jobs, one after the other, then claims, in one step.
   *
   * Refusals, per outcome: `JobNotFound`, `LeaseMissing`, `LeaseMismatch`.
   *
   * A job whose cancel was requested fails as cancelled, see `JobCancelling`, unless its outcome is that it has
   * completed.
   *
   * Events: `completed`; `failed`, then `retries-exhausted` when no attempts are left; `waiting` (prev `active`) or
   * `delayed`; those of the claim; `drained` after a finish that leaves nothing waiting and nothing active.
   */
  settleJobs(request: SettleJobsRequest, call: MutatingCall): Promise<SettleJobsReply>;

  /**
   * Lengthens leases.
   *
   * Refusals, per lease: `JobNotFound`, `LeaseMissing`, `LeaseMismatch`.
   */
  renewLeases(request: RenewLeasesRequest, call: MutatingCall): Promise<RenewLeasesReply>;

  /**
   * Takes back jobs whose lease ran out. A sweep notes which jobs are active; the next one takes back those of them
   * that were not renewed since and whose lease is over. They go to the very front, whatever their priority, in the
   * order of their claims.
   *
   * Events: `waiting` (prev `active`), then `stalled`, per job.
   */
  recoverAbandonedJobs(
    request: RecoverAbandonedJobsRequest,
    call: MutatingCall,
  ): Promise<RecoverAbandonedJobsReply>;
}
