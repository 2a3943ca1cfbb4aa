import { LaneError } from './lane-error';

/**
 * Thrown when a backend is made whose driver package is not installed.
 *
 * @public
 */
export class MissingDriverError extends LaneError {
  readonly code = 'LANE_DRIVER_MISSING';

  /**
   * @param backend - the backend, such as `redis`
   * @param driver - name of the package, such as `ioredis`
   */
  constructor(
    backend: string,
    readonly driver: string,
    options?: { cause?: unknown },
  ) {
    super(
      `The backend ${backend}() reaches its server by the package "${driver}", which is not installed. ` +
        `Install it: npm install ${driver}.`,
      options,
    );
  }
}
