import { InvalidOptionError } from './invalid-option.error';

/**
 * Thrown when `removeOnComplete` or `removeOnFail` is none of the accepted forms.
 *
 * @public
 */
export class InvalidRetentionError extends InvalidOptionError {
  readonly code = 'LANE_BAD_RETENTION';
}
