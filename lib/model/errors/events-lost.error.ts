import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * Thrown by `queue.events(from, { strict: true })` when the log of the queue does not reach back to where the reader is.
 *
 * @public
 */
export class EventsLostError extends LaneError {
  readonly code = 'LANE_EVENTS_LOST';

  /**
   * @param from - id of the last event before the gap
   * @param to - id of the first event after it
   */
  constructor(
    readonly queueName: string,
    readonly from: string,
    readonly to: string,
  ) {
    super(
      `Events of queue ${showValue(queueName)} between ${from} and ${to} are missing: the log did not keep them. Read ` +
        `more often, keep more events, or leave out strict to be told of gaps instead.`,
    );
  }
}
