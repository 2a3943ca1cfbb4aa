import { LaneError } from './lane-error';

/**
 * Thrown by a backend when its store could not be reached, or when a reply did not come. The call may or may not
 * have run; made again under the same number it takes effect once.
 *
 * @public
 */
export class ConnectionLostError extends LaneError {
  readonly code = 'LANE_CONNECTION_LOST';

  /** @param store - what could not be reached, without credentials */
  constructor(store: string, options?: ErrorOptions) {
    super(`${store} could not be reached. The call is repeated until its deadline.`, options);
  }
}
