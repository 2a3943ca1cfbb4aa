import { LaneError } from './lane-error';

/**
 * Refusal of a call that reached the store after its `notAfter`. It had no effect and can be made again under a
 * new number.
 *
 * @public
 */
export class CallExpiredError extends LaneError {
  readonly code = 'LANE_CALL_EXPIRED';

  constructor(
    readonly channel: string,
    readonly lateBy: number,
  ) {
    super(
      `A call of channel "${channel}" came ${Math.ceil(lateBy)} ms after its deadline, so it was refused. ` +
        `Make it again, or give it more time.`,
    );
  }
}
