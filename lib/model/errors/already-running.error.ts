import { LaneError } from './lane-error';

/**
 * Thrown by `run()` of a worker or listener that runs already.
 *
 * @public
 */
export class AlreadyRunningError extends LaneError {
  readonly code = 'LANE_ALREADY_RUNNING';

  /** @param what - the object, such as `Worker "email"` */
  constructor(what: string) {
    super(`${what} is running already. Call run() once, and only with autorun: false.`);
  }
}
