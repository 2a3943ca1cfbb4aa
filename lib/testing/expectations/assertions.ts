import assert from 'node:assert/strict';

import type { Recorded, RecordedJob } from '../recording';
import {
  checkCompleted,
  checkEnqueued,
  checkFailed,
  checkIdle,
  enqueued,
  type ExpectedJobOptions,
  type Verdict,
} from './checks';

/**
 * The jobs that were added under a name, in order: for whatever no assertion is made for.
 *
 * @param recorded - a harness, the view of a queue, or the result of a run
 * @param data - what they have, all of it; default: whatever
 * @param options - options that they have, among others
 *
 * @example
 * ```ts
 * assert.equal(findEnqueued(lane.queue('email'), 'send').length, 2);
 * ```
 *
 * @public
 */
export function findEnqueued(
  recorded: Recorded,
  name: string,
  data?: unknown,
  options?: ExpectedJobOptions,
): RecordedJob[] {
  return enqueued(recorded, name, data, options);
}

/**
 * `toHaveEnqueued` as a function, for runners without matchers.
 *
 * @throws AssertionError with the nearest job and where it differs
 *
 * @public
 */
export function assertEnqueued(
  recorded: Recorded,
  name: string,
  data?: unknown,
  options?: ExpectedJobOptions,
): void {
  uphold(checkEnqueued(recorded, name, data, options));
}

/**
 * `toHaveCompleted` as a function.
 *
 * @throws AssertionError
 *
 * @public
 */
export function assertCompleted(recorded: Recorded, name: string, times?: number): void {
  uphold(checkCompleted(recorded, name, times));
}

/**
 * `toHaveFailed` as a function.
 *
 * @throws AssertionError
 *
 * @public
 */
export function assertFailed(
  recorded: Recorded,
  name: string,
  timesOrReason?: number | string | RegExp,
): void {
  uphold(checkFailed(recorded, name, timesOrReason));
}

/**
 * `toBeIdle` as a function.
 *
 * @throws AssertionError
 *
 * @public
 */
export function assertIdle(recorded: Recorded): void {
  uphold(checkIdle(recorded));
}

function uphold({ pass, message }: Verdict): void {
  if (!pass) {
    assert.fail(message());
  }
}
