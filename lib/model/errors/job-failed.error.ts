import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * Thrown to who waits for the result of a job that failed for good.
 *
 * @public
 */
export class JobFailedError extends LaneError {
  readonly code: string = 'LANE_JOB_FAILED';

  /**
   * @param failedReason - message of the failure
   * @param failedCode - outcome code of the failure, such as `no-handler`, if it has one that is still known
   * @param options - `cause`, where another error led to this one; `fix`, what to do, as whole sentences
   */
  constructor(
    readonly jobId: string,
    readonly queueName: string,
    readonly failedReason: string,
    readonly failedCode?: string,
    options: { cause?: unknown; fix?: string } = {},
  ) {
    const { cause, fix } = options;
    super(
      `Job ${showValue(jobId)} of queue ${showValue(queueName)} failed: ${failedReason}${fix === undefined ? '' : `. ${fix}`}`,
      { cause },
    );
  }
}
