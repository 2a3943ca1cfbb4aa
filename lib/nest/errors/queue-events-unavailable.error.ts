import { LaneError } from '../../model/errors/lane-error';

/**
 * Thrown by `this.queueEvents` of a `QueueEventsHost` that does not have it.
 *
 * @public
 */
export class QueueEventsUnavailableError extends LaneError {
  readonly code = 'LANE_NO_QUEUE_EVENTS';

  /** @param className - of the host */
  constructor(className: string) {
    super(
      `queueEvents of ${className} was read before the application has started, or the class has no @QueueEventsListener. ` +
        'Read it in onApplicationBootstrap or later, and put the decorator on the class.',
    );
  }
}
