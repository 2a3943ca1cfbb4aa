import { showValue } from './show-value';
import { UnrecoverableError } from './unrecoverable.error';

/**
 * The failure of a job whose name no handler of this process takes, and which was held back for others as often as it
 * may be, or not at all with `unknownJob: 'fail'`. The job ends as failed with the code `no-handler` and is not retried.
 *
 * @public
 */
export class NoHandlerError extends UnrecoverableError {
  /** Outcome code stored with the job. */
  readonly outcomeCode = 'no-handler';

  /**
   * @param jobName - the name that nothing takes
   * @param queueName - the queue the job came from
   * @param known - the names that do have a handler
   */
  constructor(
    readonly jobName: string,
    readonly queueName: string,
    known: readonly string[],
  ) {
    super(
      `No handler takes job ${showValue(jobName)} of queue ${showValue(queueName)}. ` +
        (known.length === 0 ? 'There are no handlers. ' : `Handlers exist for: ${known.join(', ')}. `) +
        `Add @Process(${showValue(jobName)}) to a method of its processor, or @Process() for every other name.`,
    );
  }
}
