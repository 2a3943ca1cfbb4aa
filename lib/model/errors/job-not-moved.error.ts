import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * What a job fails with whose handler threw a `DelayedError` or a `WaitingError` without having moved it. The attempt
 * counts, and the job is tried again as its options say.
 *
 * @public
 */
export class JobNotMovedError extends LaneError {
  readonly code = 'LANE_JOB_NOT_MOVED';

  /**
   * @param thrown - name of what was thrown
   * @param jobId - the job
   * @param queueName - its queue
   */
  constructor(
    readonly thrown: string,
    readonly jobId: string,
    readonly queueName: string,
    options?: { cause?: unknown },
  ) {
    super(
      `The handler of job ${showValue(jobId)} of queue ${showValue(queueName)} threw a ${showValue(thrown)}, but the job ` +
        `was not moved. Await job.moveToDelayed() or job.moveToWait() before, on the job that the handler was given.`,
      options,
    );
  }
}
