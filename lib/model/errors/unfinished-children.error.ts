import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * Failure of a job whose handler returned before the children were done that the job has by a flow of BullMQ: its
 * completion was refused. It counts as an attempt.
 *
 * @public
 */
export class UnfinishedChildrenError extends LaneError {
  readonly code = 'LANE_UNFINISHED_CHILDREN';

  constructor(
    readonly jobId: string,
    readonly queueName: string,
  ) {
    super(
      `Job ${showValue(jobId)} of queue ${showValue(queueName)} has children that are not done, so it cannot complete. ` +
        `Let it be tried again later, with attempts and a backoff, or remove these children.`,
    );
  }
}
