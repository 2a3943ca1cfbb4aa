import type { RateLimit } from '../model/rate-limit';
import type { MutatingCall, Reply } from './mutating-call';

/**
 * What a window counts that was begun by hand: more jobs than any rate allows. Storage protocol, section 17.5.
 *
 * @public
 */
export const COUNTED_BY_HAND = Number.MAX_SAFE_INTEGER;

/**
 * What is stored for a queue as a whole.
 *
 * @public
 */
export interface QueueSettings {
  /** Whether the queue is paused. */
  isPaused: boolean;
  /** Most jobs that may be active at once, or `null` for any number. */
  ceiling: number | null;
  /** Jobs that may be claimed in one window, or `null` where the queue has no rate of its own. */
  max: number | null;
  /** Length of a window in milliseconds, or `null` where the queue has none of its own. */
  duration: number | null;
  /** How many events are kept, about. */
  maxEvents: number;
  /** What the clients of the queue say that they are, or `null`. */
  version: string | null;
}

/**
 * Limits of a whole queue, for all its workers together.
 *
 * The rate that a claim goes by is put together from two: the number of jobs is the queue's, else that of the claim's
 * `limiter`; the length of a window is that of the `limiter`, else the queue's. All claims are counted in one window.
 *
 * @public
 */
export interface QueueLimits {
  /**
   * Sets how many jobs may be active at once, at least 1; `null` takes that back. Those that are active go on. Who
   * waits for work is woken by room for more.
   */
  setCeiling(request: { readonly ceiling: number | null }, call: MutatingCall): Promise<Reply>;

  /**
   * Sets how many jobs may be claimed in a time; `null` takes that back. What the present window has counted stays
   * counted, and a new length holds from the next window on. Who waits for the end of a limit is woken.
   */
  setRateLimit(request: { readonly limit: RateLimit | null }, call: MutatingCall): Promise<Reply>;

  /**
   * Lets no jobs through for so many milliseconds, at least 1, where claims go by a rate; `null` ends the present window,
   * whoever began it, and wakes who waits for its end.
   */
  limitClaims(request: { readonly duration: number | null }, call: MutatingCall): Promise<Reply>;

  /** Whether as many jobs are active as may be. */
  isMaxed(): Promise<boolean>;

  /**
   * Milliseconds for which no jobs are let through by a rate of `max` jobs in a window: 0 when some are.
   *
   * @param max - `null` for that of the queue; where it has none, what is left of the present window, -2 without one,
   * and -1 for one without an end, as other clients can store it
   */
  getRateLimitTtl(max: number | null): Promise<number>;

  /** What is stored for the queue as a whole. */
  getSettings(): Promise<QueueSettings>;
}
