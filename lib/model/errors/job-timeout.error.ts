import { TIMEOUT_CODE } from '../time-limits';
import { JobFailedError } from './job-failed.error';

/**
 * An attempt took longer than its `timeout`: the reason of its handler's aborted signal, the error with which a worker
 * tells that the attempt has failed, and what who waits for the result is thrown when no attempt is left.
 *
 * @public
 */
export class JobTimeoutError extends JobFailedError {
  override readonly code = 'LANE_JOB_TIMEOUT';

  /**
   * @param failedReason - what is stored as the `failedReason` of the job
   * @param options - `cause`: what the handler threw when its signal was aborted
   */
  constructor(jobId: string, queueName: string, failedReason: string, options?: { cause?: unknown }) {
    const fix = 'Give it a longer timeout, or have its handler do less in an attempt.';
    super(jobId, queueName, failedReason, TIMEOUT_CODE, { ...options, fix });
  }
}
