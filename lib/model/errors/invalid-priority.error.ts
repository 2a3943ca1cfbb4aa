import { InvalidOptionError } from './invalid-option.error';

/**
 * Thrown by `add` and `changePriority` when `priority` is not an integer from 0 to 2097151.
 *
 * @public
 */
export class InvalidPriorityError extends InvalidOptionError {
  readonly code = 'LANE_BAD_PRIORITY';
}
