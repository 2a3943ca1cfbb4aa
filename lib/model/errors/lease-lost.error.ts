import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * Reported when a worker's lease on a job ended before its outcome was written: the outcome was refused, nothing
 * was changed, and the job belongs to whoever holds it now.
 *
 * @public
 */
export class LeaseLostError extends LaneError {
  readonly code = 'LANE_LEASE_LOST';

  constructor(
    readonly jobId: string,
    readonly queueName: string,
  ) {
    super(
      `The lease on job ${showValue(jobId)} of queue ${showValue(queueName)} was lost, so its outcome was not written and ` +
        `the job may run again. Keep the event loop free while handlers run, or raise lockDuration.`,
    );
  }
}
