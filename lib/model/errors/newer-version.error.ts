import { showValue } from './show-value';
import { UnrecoverableError } from './unrecoverable.error';

/**
 * The failure of a job whose data is of a newer version than the code knows. It was held back ten times before, with
 * growing pauses, for processes that know the version.
 *
 * @public
 */
export class NewerVersionError extends UnrecoverableError {
  /** Outcome code stored with the job. */
  readonly outcomeCode = 'newer-version';

  /**
   * @param jobName - name of the job
   * @param queueName - its queue
   * @param version - of its data
   * @param known - the version of the definition in this process
   */
  constructor(
    readonly jobName: string,
    readonly queueName: string,
    readonly version: number,
    readonly known: number,
  ) {
    super(
      `The data of job ${showValue(jobName)} of queue ${showValue(queueName)} is of version ${version}, and this ` +
        `process knows version ${known}. Deploy the definition that has version ${version} here too.`,
    );
  }
}
