import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * Thrown by `queue.cancel` when the reason is no text. Nothing was changed.
 *
 * @public
 */
export class InvalidReasonError extends LaneError {
  readonly code = 'LANE_BAD_REASON';

  constructor(reason: unknown) {
    super(
      `The reason for cancelling a job is ${showValue(reason)}; it must be a text, which becomes a part of the job's ` +
        `failedReason. Leave it out to give none.`,
    );
  }
}
