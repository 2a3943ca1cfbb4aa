import type { Clock } from '../../contract/clock';
import type { LaneError } from '../../model/errors/lane-error';

const QUIET_TIME = 60_000;

/**
 * Lets the first of a row of errors of the store through and holds the others of its kind back for a minute, so that
 * an outage is one line a minute and not thousands.
 *
 * @internal
 */
export class RepeatedErrors {
  readonly #quietUntil = new Map<string, number>();

  constructor(
    private readonly clock: Clock,
    private readonly report: (error: LaneError) => void,
  ) {}

  /** Reports the error unless one of its kind was reported within the last minute. */
  take(error: LaneError): void {
    const now = this.clock.now();
    const quietUntil = this.#quietUntil.get(error.code) ?? -Infinity;
    const clockWasSetBack = now < quietUntil - QUIET_TIME;
    if (now >= quietUntil || clockWasSetBack) {
      this.#quietUntil.set(error.code, now + QUIET_TIME);
      this.report(error);
    }
  }
}
