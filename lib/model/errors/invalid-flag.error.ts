import { InvalidOptionError } from './invalid-option.error';

/**
 * Thrown when an option that is on or off is given something else than a boolean.
 *
 * @public
 */
export class InvalidFlagError extends InvalidOptionError {
  readonly code = 'LANE_BAD_FLAG';
}
