import { LaneError } from './lane-error';

/**
 * Thrown by `log` and `addJobLog` when the row is no text. Nothing was stored.
 *
 * @public
 */
export class InvalidLogRowError extends LaneError {
  readonly code = 'LANE_BAD_LOG_ROW';

  /** @param row - what was given; it may be a payload, so only its type is told */
  constructor(row: unknown) {
    super(
      `The row for the log of a job is ${row === null ? 'null' : `of type ${typeof row}`}; it must be a text. ` +
        `Turn it into one, for example with JSON.stringify or util.inspect.`,
    );
  }
}
