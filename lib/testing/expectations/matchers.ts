import type { Recorded } from '../recording';
import {
  checkCompleted,
  checkEnqueued,
  checkFailed,
  checkIdle,
  type ExpectedJobOptions,
  type Verdict,
} from './checks';

/**
 * What the matchers add to `expect`.
 *
 * @typeParam R - what a matcher of the runner gives
 *
 * @public
 */
export interface LaneMatchers<R = void> {
  /**
   * A job of that name was added, whatever has become of it.
   *
   * @param data - all of its data; matchers such as `expect.objectContaining` stand for what they match. Default: whatever
   * @param options - options that it has, among others; `'1h'` and 3600000 are the same
   */
  toHaveEnqueued(name: string, data?: unknown, options?: ExpectedJobOptions): R;
  /**
   * Jobs of that name have completed.
   *
   * @param times - exactly how many; default: at least one
   */
  toHaveCompleted(name: string, times?: number): R;
  /**
   * Jobs of that name have failed for good: an attempt that is made again is none.
   *
   * @param timesOrReason - exactly how many, or why: part of the reason, a pattern, or a matcher; default: at least one
   */
  toHaveFailed(name: string, timesOrReason?: unknown): R;
  /** Nothing runs, and nothing is ready that somebody here works on. What waits for time to pass does not count. */
  toBeIdle(): R;
}

/**
 * The matchers, for `expect.extend`. Importing `nestjs-lane/testing/jest` or `nestjs-lane/testing/vitest` does that.
 *
 * @public
 */
export const laneMatchers = {
  toHaveEnqueued: (received: Recorded, name: string, data?: unknown, options?: ExpectedJobOptions): Verdict =>
    checkEnqueued(received, name, data, options),
  toHaveCompleted: (received: Recorded, name: string, times?: number): Verdict =>
    checkCompleted(received, name, times),
  toHaveFailed: (received: Recorded, name: string, timesOrReason?: unknown): Verdict =>
    checkFailed(received, name, timesOrReason),
  toBeIdle: (received: Recorded): Verdict => checkIdle(received),
};
