import type { Claim, ClaimRequest } from './job-handover';
import type { MutatingCall, Reply } from './mutating-call';

/**
 * Reason with which a job fails that nobody has started in time.
 *
 * @public
 */
export const EXPIRED_REASON = 'job was not started in time';

/**
 * On what terms jobs are claimed that were not started in time.
 *
 * @public
 */
export type ClaimExpiredJobsRequest = Pick<ClaimRequest, 'count' | 'leaseDuration' | 'workerName'>;

/**
 * Reply of `claimExpiredJobs`.
 *
 * @public
 */
export interface ClaimExpiredJobsReply extends Reply {
  /** Jobs that expired first come first, each with the `deferredFailure` of its expiry. `idle` says nothing. */
  claim: Claim;
  /** More may have expired: the call may be made again at once. */
  more: boolean;
}

/**
 * Ending jobs that nobody starts.
 *
 * @public
 */
export interface JobExpiry {
  /**
   * Leases jobs whose time to be started is over, wherever they wait, so that the caller fails them: of paused queues
   * too, and past every limit. A job that a worker has started once does not expire, nor does one that is held back.
   *
   * Iterations of job schedulers are left to the claim that meets them: what comes after them has to be planned.
   *
   * Events: `waiting` (prev `delayed`) per job whose time came meanwhile, then `active`, per job.
   */
  claimExpiredJobs(request: ClaimExpiredJobsRequest, call: MutatingCall): Promise<ClaimExpiredJobsReply>;
}
