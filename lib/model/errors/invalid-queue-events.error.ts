import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * Thrown by `waitUntilFinished` when it is given something else than the `QueueEvents` of the job's queue.
 *
 * @public
 */
export class InvalidQueueEventsError extends LaneError {
  readonly code = 'LANE_BAD_QUEUE_EVENTS';

  /** @param given - the name of another queue, or what was given */
  constructor(given: unknown, queueName: string) {
    super(
      `The call waitUntilFinished was given ${typeof given === 'string' ? `the events of queue ${showValue(given)}` : showValue(given)}; ` +
        `it must be given the QueueEvents of queue ${showValue(queueName)}. Or call finished(), which needs none.`,
    );
  }
}
