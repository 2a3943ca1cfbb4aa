import { InvalidOptionError } from './invalid-option.error';

/**
 * Thrown when the `timestamp` of a job is no time.
 *
 * @public
 */
export class InvalidTimestampError extends InvalidOptionError {
  readonly code = 'LANE_BAD_TIMESTAMP';
}
