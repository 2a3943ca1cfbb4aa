import { LaneError } from '../../model/errors/lane-error';

/**
 * Thrown by what needs the workers of an application before it has started, that is, before its last bootstrap hook has
 * ended.
 *
 * @public
 */
export class NotStartedError extends LaneError {
  readonly code = 'LANE_NOT_STARTED';

  /** @param what - what was asked for, such as `LaneRunner.start()` */
  constructor(what: string) {
    super(
      `${what} was called before the application has started. Call it when app.init() or app.listen() has ended, ` +
        'or from a handler.',
    );
  }
}
