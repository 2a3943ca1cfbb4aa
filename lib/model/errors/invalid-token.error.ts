import { InvalidOptionError } from './invalid-option.error';

/**
 * Thrown when the lease token that a call needs is missing, or none that proves anything.
 *
 * @public
 */
export class InvalidTokenError extends InvalidOptionError {
  readonly code = 'LANE_BAD_TOKEN';
}
