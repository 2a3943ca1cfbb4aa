import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * Reported when the cron pattern of a job scheduler, or its time zone, cannot be read. Nothing follows the iteration
 * that runs.
 *
 * @public
 */
export class InvalidCronPatternError extends LaneError {
  readonly code = 'LANE_BAD_PATTERN';

  /**
   * @param pattern - the cron pattern
   * @param tz - the time zone that it is meant in, or `null` for that of the process
   * @param options - `cause`, the complaint of who read it
   */
  constructor(
    readonly pattern: string,
    readonly tz: string | null,
    options?: { cause?: unknown },
  ) {
    super(
      `Cron pattern ${showValue(pattern)}${tz === null ? '' : ` in time zone ${showValue(tz)}`} cannot be read; it must ` +
        `have the fields minute, hour, day of month, month and day of week, before them one for the second if wanted, ` +
        `and a time zone such as "Europe/Berlin", or none. Correct the scheduler where it was made.`,
      options,
    );
  }
}
