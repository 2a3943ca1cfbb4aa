import { LaneError } from '../../model/errors/lane-error';

/**
 * Thrown when something is asked of the worker of a queue that has none in this process.
 *
 * @public
 */
export class NoWorkerError extends LaneError {
  readonly code = 'LANE_NO_WORKER';

  /**
   * @param queue - its name
   * @param connection - name of its connection
   * @param message - why it has none, and what to do
   */
  constructor(
    readonly queue: string,
    readonly connection: string,
    message: string,
  ) {
    super(message);
  }
}
