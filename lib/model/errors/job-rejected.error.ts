import { showValue } from './show-value';
import { UnrecoverableError } from './unrecoverable.error';

/**
 * A guard did not let a job reach its handler: it returned `false`. The job ends as failed with the code `rejected` and
 * is not retried.
 *
 * @public
 */
export class JobRejectedError extends UnrecoverableError {
  /** Stable identifier. */
  readonly code = 'LANE_JOB_REJECTED';

  /** Outcome code stored with the job. */
  readonly outcomeCode = 'rejected';

  /**
   * @param jobName - name of the job
   * @param queueName - its queue
   * @param handler - the handler that the job was on its way to, such as `EmailProcessor.send`
   */
  constructor(
    readonly jobName: string,
    readonly queueName: string,
    readonly handler: string,
  ) {
    super(
      `A guard of ${handler} has rejected job ${showValue(jobName)} of queue ${showValue(queueName)}. It is not tried ` +
        'again by itself; job.retry() has it run once more.',
    );
  }
}
