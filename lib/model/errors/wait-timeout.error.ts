import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * Thrown to who waits for the end of a job and has waited for as long as it was told to. The job goes on.
 *
 * @public
 */
export class WaitTimeoutError extends LaneError {
  readonly code = 'LANE_WAIT_TIMEOUT';

  constructor(
    readonly jobId: string,
    readonly queueName: string,
    millis: number,
  ) {
    super(
      `Job ${showValue(jobId)} of queue ${showValue(queueName)} did not end within ${millis} ms. It was not stopped; ` +
        `wait longer, or ask for its state later.`,
    );
  }
}
