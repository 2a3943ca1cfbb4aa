import { InvalidOptionError } from './invalid-option.error';

/**
 * Thrown by `add` and `changeDelay` when `delay` is negative, not a number or not a duration.
 *
 * @public
 */
export class InvalidDelayError extends InvalidOptionError {
  readonly code = 'LANE_BAD_DELAY';
}
