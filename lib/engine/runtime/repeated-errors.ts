import type { Clock } from '../../contract/clock';

const QUIET_TIME = 60_000;

/**
 * Lets the first of a row of connection errors through and holds the others back for a minute, so that an outage
 * is one line a minute and not thousands.
 *
 * @internal
 */
export class RepeatedErrors {
  #quietUntil = -Infinity;

  constructor(
    private readonly clock: Clock,
    private readonly report: (error: Error) => void,
  ) {}

  /** Reports the error unless one was reported within the last minute. */
  take(error: Error): void {
    const now = this.clock.now();
    const clockWasSetBack = now < this.#quietUntil - QUIET_TIME;
    if (now >= this.#quietUntil || clockWasSetBack) {
      this.#quietUntil = now + QUIET_TIME;
      this.report(error);
    }
  }
}
