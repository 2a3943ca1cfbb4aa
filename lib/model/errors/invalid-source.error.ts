import { LaneError } from './lane-error';

/**
 * Thrown by `queue.ingest` when it is given nothing that it could read jobs from.
 *
 * @public
 */
export class InvalidSourceError extends LaneError {
  readonly code = 'LANE_BAD_SOURCE';

  /** @param value - what was given; it may be a payload, so only its type is told */
  constructor(value: unknown) {
    super(
      `What ingest was given is ${value === null ? 'null' : `of type ${typeof value}`} and brings no jobs; it must be an ` +
        `Observable, or an array, a generator or anything else that for … of or for await can go through.`,
    );
  }
}
