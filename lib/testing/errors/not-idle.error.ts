import { LaneError } from '../../model/errors/lane-error';

/**
 * A test waited for its queues to be idle, and they were not in the time and with the number of jobs that it allowed: a
 * job adds itself again, or a handler does not settle. The message has a table of what kept them busy.
 *
 * @public
 */
export class NotIdleError extends LaneError {
  readonly code = 'LANE_NOT_IDLE';

  /**
   * @param bound - which one was reached, as a sentence
   * @param table - what kept the queues busy
   */
  constructor(bound: string, table: string) {
    super(
      `The queues are not idle: ${bound}\n\n${table}\n\n` +
        'Have the handler settle, or let time pass with clock.advance() if it waits for that; raise maxJobs or maxTime if it is just much.',
    );
  }
}
