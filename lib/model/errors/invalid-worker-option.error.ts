import { InvalidOptionError } from './invalid-option.error';

/**
 * Thrown when a worker option, such as `concurrency` or `lockDuration`, is out of its range.
 *
 * @public
 */
export class InvalidWorkerOptionError extends InvalidOptionError {
  readonly code = 'LANE_BAD_WORKER_OPTION';
}
