import { EXPIRED_CODE } from '../time-limits';
import { JobFailedError } from './job-failed.error';

/**
 * No worker started a job within its `expiresIn`: the error with which a worker tells that the job has failed, and what
 * who waits for the result is thrown.
 *
 * @public
 */
export class JobExpiredError extends JobFailedError {
  override readonly code = 'LANE_JOB_EXPIRED';

  /** @param failedReason - what is stored as the `failedReason` of the job */
  constructor(jobId: string, queueName: string, failedReason: string) {
    const fix = 'Give it a longer expiresIn, or run more workers; job.retry() has it run in spite of that.';
    super(jobId, queueName, failedReason, EXPIRED_CODE, { fix });
  }
}
