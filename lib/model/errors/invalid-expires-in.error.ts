import { InvalidOptionError } from './invalid-option.error';

/**
 * Thrown when the time within which a job has to be started is no duration of at least a millisecond.
 *
 * @public
 */
export class InvalidExpiresInError extends InvalidOptionError {
  readonly code = 'LANE_BAD_EXPIRES_IN';
}
