import { LaneError } from '../../model/errors/lane-error';

/**
 * Thrown when a worker is to start in an application that takes no more jobs.
 *
 * @public
 */
export class DrainingError extends LaneError {
  readonly code = 'LANE_DRAINING';

  /** @param call - what was refused, such as `LaneRunner.start()` */
  constructor(call: string) {
    super(
      `${call} was refused: the application takes no more jobs, since it closes or LaneLifecycle.drain() was called. ` +
        'To take none for a while, use LaneRunner.stop() or pause() in place of drain().',
    );
  }
}
