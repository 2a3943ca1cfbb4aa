import { LaneError } from './lane-error';
import { showValue } from './show-value';
import { textProperty } from './text-property';

/**
 * The failure of a job that cannot be tried again, although attempts are left, because nobody can say when. It ends as
 * failed with the code `no-backoff`.
 *
 * @public
 */
export class BackoffStrategyError extends LaneError {
  readonly code = 'LANE_BACKOFF_STRATEGY';
  /** Outcome code stored with the job. */
  readonly outcomeCode = 'no-backoff';

  /**
   * @param type - of the job's backoff
   * @param why - what is wrong with its strategy, as a phrase that follows "the strategy"
   * @param fix - what to do, as a whole sentence
   * @param failure - why the attempt failed; the stack has that of it, too
   * @param cause - the error of the strategy, else the failure
   */
  constructor(type: string, why: string, fix: string, failure: Error, cause: Error = failure) {
    const reason = textProperty(failure, 'message') ?? '';
    super(
      `The attempt failed with ${showValue(reason)}, and nobody can say when the next one is due: the strategy of ` +
        `backoff ${showValue(type)} ${why}. ${fix}`,
      { cause },
    );
    this.stack = `${this.stack}\n${textProperty(failure, 'stack') ?? reason}`;
  }
}
