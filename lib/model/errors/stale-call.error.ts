import { LaneError } from './lane-error';

/**
 * Refusal of a call whose number is lower than the last one of its channel. It had no effect.
 * Seen only by code that speaks the contract directly.
 *
 * @public
 */
export class StaleCallError extends LaneError {
  readonly code = 'LANE_STALE_CALL';

  constructor(
    readonly channel: string,
    readonly sequence: number,
  ) {
    super(
      `Call ${sequence} of channel "${channel}" is older than the last call of that channel, so it was refused. ` +
        `Number the calls of a channel upwards and wait for each reply.`,
    );
  }
}
