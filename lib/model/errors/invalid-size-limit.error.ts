import { InvalidOptionError } from './invalid-option.error';

/**
 * Thrown when `sizeLimit` is no number of bytes.
 *
 * @public
 */
export class InvalidSizeLimitError extends InvalidOptionError {
  readonly code = 'LANE_BAD_SIZE_LIMIT';
}
