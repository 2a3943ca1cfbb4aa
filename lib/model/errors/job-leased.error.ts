import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * Thrown when a job is to be removed that a worker has, or whose removal would take along a job that a worker has.
 * Nothing was changed.
 *
 * @public
 */
export class JobLeasedError extends LaneError {
  readonly code = 'LANE_JOB_LEASED';

  constructor(
    readonly jobId: string,
    readonly queueName: string,
  ) {
    super(
      `Job ${showValue(jobId)} of queue ${showValue(queueName)} was not removed: a worker has it, or a job that would go ` +
        `with it. Wait until it has ended, or until its worker is gone for longer than lockDuration.`,
    );
  }
}
