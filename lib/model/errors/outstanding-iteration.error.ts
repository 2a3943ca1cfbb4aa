import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * Thrown when the next job of a job scheduler is to be removed, from which the scheduler goes on: it would end without a
 * word. Clients of BullMQ make schedulers. Nothing was changed.
 *
 * @public
 */
export class OutstandingIterationError extends LaneError {
  readonly code = 'LANE_OUTSTANDING_ITERATION';

  constructor(
    readonly jobId: string,
    readonly queueName: string,
  ) {
    super(
      `Job ${showValue(jobId)} of queue ${showValue(queueName)} stays as it is: its job scheduler goes on from it, and ` +
        `would end. Remove the scheduler instead, with removeJobScheduler() of BullMQ.`,
    );
  }
}
