import { InvalidOptionError } from './invalid-option.error';

/**
 * Thrown when the time that a handler may take is no duration of at least a millisecond.
 *
 * @public
 */
export class InvalidTimeoutError extends InvalidOptionError {
  readonly code = 'LANE_BAD_TIMEOUT';
}
