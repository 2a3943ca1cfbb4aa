import { LaneError } from './lane-error';

/**
 * Thrown by `addBulk` when it is to add more jobs in one step than a step may have. Nothing was stored.
 *
 * @public
 */
export class TooManyJobsError extends LaneError {
  readonly code = 'LANE_TOO_MANY_JOBS';

  /**
   * @param count - jobs that were given
   * @param most - jobs that one step may add
   */
  constructor(
    readonly count: number,
    readonly most: number,
  ) {
    super(
      `There are ${count} jobs for addBulk to add in one step; they must be ${most} at most. ` +
        `Add them in parts, or without "atomic".`,
    );
  }
}
