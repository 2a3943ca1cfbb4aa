import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * Thrown to who waits for the result of a job that failed for good.
 *
 * @public
 */
export class JobFailedError extends LaneError {
  readonly code = 'LANE_JOB_FAILED';

  /**
   * @param failedReason - message of the failure
   * @param failedCode - outcome code of the failure, such as `no-handler`, if it has one that is still known
   */
  constructor(
    readonly jobId: string,
    readonly queueName: string,
    readonly failedReason: string,
    readonly failedCode?: string,
  ) {
    super(`Job ${showValue(jobId)} of queue ${showValue(queueName)} failed: ${failedReason}`);
  }
}
