import { LaneError } from './lane-error';

/**
 * Thrown by `boundedConcatMap` with `overflow: 'error'` when more events wait than its buffer holds.
 *
 * @public
 */
export class EventOverflowError extends LaneError {
  readonly code = 'LANE_EVENT_OVERFLOW';

  constructor(buffer: number) {
    super(
      `More than ${buffer} events wait to be handled. Handle them faster, raise "buffer", or choose another "overflow".`,
    );
  }
}
