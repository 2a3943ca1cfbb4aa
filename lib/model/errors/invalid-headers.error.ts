import { LaneError } from './lane-error';

/**
 * Thrown when the headers of a job are no texts by name, or too many. Nothing was stored. Their values are in no message.
 *
 * @public
 */
export class InvalidHeadersError extends LaneError {
  readonly code = 'LANE_BAD_HEADERS';

  /** @param problem - what is wrong and what is accepted, as whole sentences */
  constructor(problem: string) {
    super(`Option "headers" cannot be used. ${problem}`);
  }
}
