import { describe, expect, it } from '@jest/globals';

import { type Backoff, backoffDelay } from '../../../../lib/model/policy/backoff';
import { SeededRandom } from '../../../support/seeded-random.mjs';

const HUNDRED_YEARS = 3_153_600_000_000;

function noDraw(): number {
  throw new Error('Nothing had to be drawn.');
}

function delays(backoff: Backoff, attempts: number): number[] {
  return Array.from({ length: attempts }, (_, index) => backoffDelay(backoff, index + 1, noDraw));
}

describe('backoffDelay', () => {
  it('is none without a backoff', () => {
    expect(backoffDelay(undefined, 1, noDraw)).toBe(0);
    expect(backoffDelay(undefined, 100, noDraw)).toBe(0);
  });

  it('is the same before each attempt when fixed', () => {
    expect(delays({ type: 'fixed', delay: 1500 }, 4)).toEqual([1500, 1500, 1500, 1500]);
    expect(delays({ type: 'fixed', delay: 0, jitter: 0 }, 2)).toEqual([0, 0]);
  });

  it('doubles when exponential, beginning with the delay itself', () => {
    expect(delays({ type: 'exponential', delay: 1000 }, 6)).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000]);
    expect(delays({ type: 'exponential', delay: 0 }, 3)).toEqual([0, 0, 0]);
  });

  it('makes the best of what other clients have stored', () => {
    expect(backoffDelay(250, 3, noDraw)).toBe(250);
    expect(backoffDelay({ type: 'their own', delay: 40 }, 3, noDraw)).toBe(40);
    expect(backoffDelay({ type: 'their own' }, 3, noDraw)).toBe(0);
    expect(backoffDelay({ type: 'fixed', delay: 'soon', jitter: 'some' }, 1, noDraw)).toBe(0);
    expect(backoffDelay({ type: 'exponential', delay: -5 }, 4, noDraw)).toBe(0);
  });

  it('is a whole number of milliseconds, whatever was stored', () => {
    expect(delays({ type: 'exponential', delay: 0.4 }, 4)).toEqual([0, 1, 2, 3]);
    expect(delays({ type: 'fixed', delay: 2.5 }, 1)).toEqual([3]);
  });

  it('is none where the delay is no time', () => {
    for (const delay of [undefined, null, -1, NaN, 'x'] as number[]) {
      expect(delays({ type: 'fixed', delay }, 2)).toEqual([0, 0]);
      expect(delays({ type: 'exponential', delay, jitter: -1 }, 2)).toEqual([0, 0]);
      expect(backoffDelay({ type: 'exponential', delay, jitter: 0.5 }, 1, () => 0.5)).toBe(0);
    }
  });

  it('stays a time that a store can hold, however many attempts there were', () => {
    for (const attemptsMade of [42, 60, 63, 64, 1_000, 1_025, 5_000, Number.MAX_SAFE_INTEGER]) {
      expect(backoffDelay({ type: 'exponential', delay: 1 }, attemptsMade, noDraw)).toBeLessThanOrEqual(
        HUNDRED_YEARS,
      );
      expect(backoffDelay({ type: 'exponential', delay: HUNDRED_YEARS }, attemptsMade, noDraw)).toBe(
        HUNDRED_YEARS,
      );
      expect(backoffDelay({ type: 'exponential', delay: 0 }, attemptsMade, noDraw)).toBe(0);
    }
    expect(backoffDelay({ type: 'exponential', delay: 1 }, 42, noDraw)).toBe(2 ** 41);
    expect(backoffDelay({ type: 'exponential', delay: 1 }, 43, noDraw)).toBe(HUNDRED_YEARS);
    expect(backoffDelay({ type: 'exponential', delay: 1, jitter: 1 }, 5_000, () => 0.5)).toBe(
      HUNDRED_YEARS / 2,
    );
  });

  it.each([
    [0.5, 0, 500],
    [0.5, 0.5, 750],
    [0.5, 0.999_999, 999],
    [1, 0, 0],
    [1, 0.25, 250],
    [0.25, 0, 750],
    [0.25, 0.5, 875],
  ])('draws the share %p of the wait at random: %p of it gives %p ms', (jitter, drawn, millis) => {
    expect(backoffDelay({ type: 'fixed', delay: 1000, jitter }, 1, () => drawn)).toBe(millis);
    expect(backoffDelay({ type: 'exponential', delay: 250, jitter }, 3, () => drawn)).toBe(millis);
  });

  it('stays between the certain share and the whole wait, and uses all of the range', () => {
    const random = new SeededRandom();
    for (let round = 0; round < 300; round += 1) {
      const backoff = {
        type: random.pick(['fixed', 'exponential']),
        delay: random.integer(0, 100_000),
        jitter: random.pick([0.01, 0.1, 0.3, 0.5, 0.7, 0.99, 1]),
      } satisfies Backoff;
      const attemptsMade = random.integer(1, 20);
      const whole = backoffDelay({ ...backoff, jitter: 0 }, attemptsMade, noDraw);
      const drawn = Array.from({ length: 100 }, () =>
        backoffDelay(backoff, attemptsMade, () => random.next()),
      );
      const lowest = Math.floor(whole * (1 - backoff.jitter));
      const context = JSON.stringify({ backoff, attemptsMade, whole, drawn, random: String(random) });
      if (!drawn.every((millis) => Number.isInteger(millis) && millis >= lowest && millis <= whole)) {
        throw new Error(`Out of bounds: ${context}`);
      }
      // That a hundred draws all miss the same quarter of the range does not happen.
      const range = whole - lowest;
      if (
        range > 100 &&
        (Math.min(...drawn) > lowest + range / 4 + 1 || Math.max(...drawn) < whole - range / 4 - 1)
      ) {
        throw new Error(`Not spread over the range: ${context}`);
      }
    }
  });
});
