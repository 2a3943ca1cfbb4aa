import { InvalidOptionError } from './invalid-option.error';

/**
 * Thrown when an option of a stream is out of its range.
 *
 * @public
 */
export class InvalidStreamOptionError extends InvalidOptionError {
  readonly code = 'LANE_BAD_STREAM_OPTION';
}
