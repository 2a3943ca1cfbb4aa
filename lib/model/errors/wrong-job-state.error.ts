import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * Thrown by a call that cannot be done with a job in the state that it is in. Nothing was changed.
 *
 * @public
 */
export class WrongJobStateError extends LaneError {
  readonly code = 'LANE_WRONG_JOB_STATE';

  /**
   * @param rule - which states the call takes
   */
  constructor(
    readonly jobId: string,
    readonly queueName: string,
    rule = 'this call takes jobs of other states',
  ) {
    super(
      `Job ${showValue(jobId)} of queue ${showValue(queueName)} is in the wrong state: ${rule}. It may have moved on ` +
        `since it was read; job.getState() tells where it stands now.`,
    );
  }
}
