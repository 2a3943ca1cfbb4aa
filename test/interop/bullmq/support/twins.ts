import { expect } from '@jest/globals';

import { onCommonGround, type CommonGround } from './common-ground';
import { snapshotOf, type Snapshot } from './snapshot';

/**
 * Runs a scenario twice, each time in a namespace of its own: once with BullMQ alone, once with us in some of its
 * roles. Both have to leave the same behind: keys, types, contents, and every job's events.
 *
 * @param scenario - brings its queues to a rest, with whoever the cast names
 * @param mayReport - errors that workers may emit
 * @returns what both left behind
 */
export async function expectTwins<Cast>(
  { theirs, mixed }: { theirs: Cast; mixed: Cast },
  scenario: (ground: CommonGround, cast: Cast) => Promise<void>,
  { mayReport }: { mayReport?: RegExp } = {},
): Promise<Snapshot> {
  const run = (cast: Cast): Promise<Snapshot> =>
    onCommonGround(async (ground) => {
      await scenario(ground, cast);
      await ground.stopWorkers();
      expect(ground.errors.filter(({ message }) => !mayReport?.test(message))).toEqual([]);
      return snapshotOf(ground);
    });
  const [expected, actual] = await Promise.all([run(theirs), run(mixed)]);
  expect(actual).toEqual(expected);
  return expected;
}

/** Where a job is, according to a snapshot. */
export function placeOf(snapshot: Snapshot, queue: string, jobId: string): string | undefined {
  const places = Object.entries(snapshot).filter(
    ([key, value]) =>
      key.startsWith(`q:${queue}:`) &&
      key.split(':').length === 3 &&
      ['list', 'zset'].includes((value as { type: string }).type) &&
      (value as { content: string[] }).content.includes(jobId),
  );
  return places.map(([key]) => key.split(':')[2]).join(' and ') || undefined;
}
