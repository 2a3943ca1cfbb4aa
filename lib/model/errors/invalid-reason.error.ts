import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * Thrown by `queue.cancel` and `discard` when the reason is no text. Nothing was changed.
 *
 * @public
 */
export class InvalidReasonError extends LaneError {
  readonly code = 'LANE_BAD_REASON';

  /** @param doing - what the reason is for */
  constructor(reason: unknown, doing: 'cancelling' | 'discarding' = 'cancelling') {
    super(
      `The reason for ${doing} a job is ${showValue(reason)}; it must be a text, which becomes a part of the job's ` +
        `failedReason. Leave it out to give none.`,
    );
  }
}
