import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * Thrown by `add` and `addBulk` when a job's name is empty or not a text. Nothing was stored.
 *
 * @public
 */
export class InvalidJobNameError extends LaneError {
  readonly code = 'LANE_BAD_JOB_NAME';

  /** @param jobName - what was given; it may be a payload in the wrong place, so the error does not hold it */
  constructor(jobName: unknown) {
    super(
      `Job name ${showValue(jobName)} cannot be used: a job is routed by its name, so it must be a text of at ` +
        `least one character. Give the name as the first argument: add('send', data).`,
    );
  }
}
