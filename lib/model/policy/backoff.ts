import { LONGEST_DELAY } from '../duration';

/**
 * How long a failed job waits for its next attempt, in stored form.
 *
 * @public
 */
export interface Backoff {
  /**
   * `fixed` waits the same time before each retry, `exponential` doubles it; any other name is that of a strategy of
   * the worker's.
   */
  type: 'fixed' | 'exponential' | (string & {});
  /** Milliseconds: every wait (fixed), or the first one (exponential). Whatever a strategy makes of it. */
  delay?: number;
  /** 0 to 1: the share of the wait that is drawn at random; 0 when absent. */
  jitter?: number;
}

/**
 * Types of backoff that need no strategy.
 *
 * @internal
 */
export const BUILT_IN_BACKOFFS: readonly string[] = ['fixed', 'exponential'];

/**
 * Name of the strategy of the worker's that a backoff asks for.
 *
 * @param backoff - as stored, by whatever client
 * @returns `undefined` when it asks for none
 *
 * @internal
 */
export function strategyOf(backoff: Backoff | ForeignBackoff | null | undefined): string | undefined {
  const type = typeof backoff === 'object' ? backoff?.type : undefined;
  return typeof type === 'string' && !BUILT_IN_BACKOFFS.includes(type) ? type : undefined;
}

/**
 * A job's setting as a client of BullMQ may have stored it: a bare number, or a type that only that client knows.
 *
 * @internal
 */
export type ForeignBackoff =
  number | { readonly type?: unknown; readonly delay?: unknown; readonly jitter?: unknown };

/**
 * Computes the wait before the next attempt, at most a hundred years. Storage protocol, section 17.1.
 *
 * @param backoff - the job's setting, or `undefined` for none; what is no type waits as a fixed one does
 * @param attemptsMade - attempts that have ended, the present one included; at least 1
 * @param random - draws from 0 (included) to 1 (excluded)
 * @returns milliseconds; 0 means at once
 *
 * @internal
 */
export function backoffDelay(
  backoff: Backoff | ForeignBackoff | undefined,
  attemptsMade: number,
  random: () => number,
): number {
  const { type, delay, jitter } = termsOf(backoff);
  // Past this exponent every wait is the longest, and no number of attempts can overflow.
  const growth = type === 'exponential' ? 2 ** Math.min(attemptsMade - 1, 62) : 1;
  const whole = Math.min(LONGEST_DELAY, Math.round(growth * delay));
  if (jitter === 0) {
    return whole;
  }
  return Math.floor(random() * whole * jitter + whole * (1 - jitter));
}

function termsOf(backoff: Backoff | ForeignBackoff | null | undefined): {
  type: unknown;
  delay: number;
  jitter: number;
} {
  const { type, delay, jitter } =
    typeof backoff === 'number'
      ? { type: 'fixed', delay: backoff, jitter: 0 }
      : ((backoff ?? {}) as Partial<Record<'type' | 'delay' | 'jitter', unknown>>);
  return { type, delay: positive(delay, LONGEST_DELAY), jitter: positive(jitter, 1) };
}

function positive(value: unknown, most: number): number {
  return typeof value === 'number' && value > 0 ? Math.min(value, most) : 0;
}
