import { LaneError } from './lane-error';

/**
 * Thrown by a call on a queue, worker or listener after its `close()`.
 *
 * @public
 */
export class QueueClosedError extends LaneError {
  readonly code = 'LANE_CLOSED';

  /**
   * @param what - the closed object, such as `Queue "email"`
   * @param call - the refused call, such as `add`
   */
  constructor(what: string, call: string) {
    super(`${what} is closed, so ${call}() was refused. Make the call before close(), or create a new one.`);
  }
}
