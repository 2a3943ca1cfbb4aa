import { InvalidOptionError } from './invalid-option.error';

/**
 * Thrown when the number of log rows to keep is none.
 *
 * @public
 */
export class InvalidKeepLogsError extends InvalidOptionError {
  readonly code = 'LANE_BAD_KEEP_LOGS';
}
