import { InvalidOptionError } from './invalid-option.error';

/**
 * Thrown by `add` when `attempts` is not an integer of at least 1.
 *
 * @public
 */
export class InvalidAttemptsError extends InvalidOptionError {
  readonly code = 'LANE_BAD_ATTEMPTS';
}
