import { InvalidOptionError } from './invalid-option.error';

/**
 * Thrown when a time is neither a number of milliseconds nor a text such as `30s` or `5m`.
 *
 * @public
 */
export class InvalidDurationError extends InvalidOptionError {
  readonly code = 'LANE_BAD_DURATION';
}
