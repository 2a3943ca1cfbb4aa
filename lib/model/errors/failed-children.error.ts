import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * Failure of a job whose handler returned although a child has failed that takes its parent along, by a flow of
 * BullMQ: its completion was refused. It is not tried again.
 *
 * @public
 */
export class FailedChildrenError extends LaneError {
  readonly code = 'LANE_FAILED_CHILDREN';

  constructor(
    readonly jobId: string,
    readonly queueName: string,
  ) {
    super(
      `Job ${showValue(jobId)} of queue ${showValue(queueName)} has children that have failed and take it along, so it ` +
        `cannot complete. Retry the children first, or give them another policy for failures.`,
    );
  }
}
