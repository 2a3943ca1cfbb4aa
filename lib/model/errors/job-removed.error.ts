import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * Thrown to who waits for the result of a job that the queue does not hold (any more).
 *
 * @public
 */
export class JobRemovedError extends LaneError {
  readonly code = 'LANE_JOB_REMOVED';

  constructor(
    readonly jobId: string,
    readonly queueName: string,
  ) {
    super(
      `Job ${showValue(jobId)} is not in queue ${showValue(queueName)}, so there is no result to wait for. It was ` +
        `removed, or had ended before and was not kept (removeOnComplete, removeOnFail). Begin to wait before it ` +
        `ends, or keep finished jobs longer.`,
    );
  }
}
