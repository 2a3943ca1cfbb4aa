// The entries for test runners make the matchers known to `expect`, with their arguments.

import { expect as expectOfJest } from '@jest/globals';
import type { LaneHarness } from 'nestjs-lane/testing';
import 'nestjs-lane/testing/jest';
import 'nestjs-lane/testing/vitest';
import { expect as expectOfVitest } from 'vitest';

export function byJest(lane: LaneHarness): void {
  expectOfJest(lane).toHaveEnqueued('send', { to: 'a@b.co' }, { delay: '1h' });
  expectOfJest(lane).not.toHaveFailed('send', /no such address/);
  expectOfJest(lane).toBeIdle();
  // @ts-expect-error how many times is a number
  expectOfJest(lane).toHaveCompleted('send', 'twice');
}

export function byVitest(lane: LaneHarness): void {
  expectOfVitest(lane).toHaveEnqueued('send', { to: 'a@b.co' }, { delay: '1h' });
  expectOfVitest(lane).not.toHaveFailed('send', /no such address/);
  expectOfVitest(lane).toBeIdle();
  // @ts-expect-error how many times is a number
  expectOfVitest(lane).toHaveCompleted('send', 'twice');
}

/** The global `expect` of Jest takes its matchers from this interface. */
export function byGlobalExpect(matchers: jest.Matchers<void, LaneHarness>): void {
  matchers.toHaveCompleted('send', 1);
}
