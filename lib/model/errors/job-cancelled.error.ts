import { cancelledText } from '../cancel-reason';
import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * The reason of a handler's aborted signal when `queue.cancel` was called for its job, the error with which a worker
 * tells that a cancelled job has failed, and what who waits for the result of such a job is thrown.
 *
 * @public
 */
export class JobCancelledError extends LaneError {
  readonly code = 'LANE_JOB_CANCELLED';

  /** What is stored as the `failedReason` of the job. */
  readonly failedReason: string;

  /**
   * @param reason - why, if that was said
   * @param options - `cause`: what the handler threw
   */
  constructor(
    readonly jobId: string,
    readonly queueName: string,
    readonly reason: string | undefined,
    options?: { cause?: unknown },
  ) {
    const why = reason === undefined || reason === '' ? '' : `: ${showValue(reason)}`;
    super(
      `Job ${showValue(jobId)} of queue ${showValue(queueName)} was cancelled${why}. It is not tried again by itself; ` +
        `job.retry() has it run once more.`,
      options,
    );
    this.failedReason = cancelledText(reason);
  }
}
