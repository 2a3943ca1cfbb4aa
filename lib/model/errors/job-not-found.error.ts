import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * Thrown by a call that names a job which the queue does not hold (any more). Nothing was changed.
 *
 * @public
 */
export class JobNotFoundError extends LaneError {
  readonly code = 'LANE_JOB_NOT_FOUND';

  constructor(
    readonly jobId: string,
    readonly queueName: string,
  ) {
    super(
      `Job ${showValue(jobId)} is not in queue ${showValue(queueName)}. It was never added, or removed by retention ` +
        `(removeOnComplete, removeOnFail). Check the id, or keep finished jobs longer.`,
    );
  }
}
