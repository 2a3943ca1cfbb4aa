import { LONGEST_DELAY } from '../duration';

/**
 * How long a failed job waits for its next attempt, in stored form.
 *
 * @public
 */
export interface Backoff {
  /** `fixed` waits the same time before each retry, `exponential` doubles it. */
  type: 'fixed' | 'exponential';
  /** Milliseconds: every wait (fixed), or the first one (exponential). */
  delay: number;
  /** 0 to 1: the share of the wait that is drawn at random; 0 when absent. */
  jitter?: number;
}

/**
 * Computes the wait before the next attempt, at most a hundred years. Storage protocol, section 17.1.
 *
 * @param backoff - the job's setting, or `undefined` for none
 * @param attemptsMade - attempts that have ended, the present one included; at least 1
 * @param random - draws from 0 (included) to 1 (excluded)
 * @returns milliseconds; 0 means at once
 *
 * @internal
 */
export function backoffDelay(
  backoff: Backoff | undefined,
  attemptsMade: number,
  random: () => number,
): number {
  if (backoff === undefined) {
    return 0;
  }
  // Past this exponent every wait is the longest, and no number of attempts can overflow.
  const growth = backoff.type === 'fixed' ? 1 : 2 ** Math.min(attemptsMade - 1, 62);
  const whole = Math.min(LONGEST_DELAY, Math.round(growth * backoff.delay));
  const jitter = backoff.jitter ?? 0;
  if (jitter === 0) {
    return whole;
  }
  return Math.floor(random() * whole * jitter + whole * (1 - jitter));
}
