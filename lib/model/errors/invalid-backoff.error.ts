import { InvalidOptionError } from './invalid-option.error';

/**
 * Thrown by `add` when `backoff` has an unknown type, a bad delay or a jitter outside 0 to 1.
 *
 * @public
 */
export class InvalidBackoffError extends InvalidOptionError {
  readonly code = 'LANE_BAD_BACKOFF';
}
