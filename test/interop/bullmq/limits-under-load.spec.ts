import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { majors, type Major, type Party } from './support/bullmq';
import { CommonGround, type CommonWorkerOptions } from './support/common-ground';
import { guardSharedQueues } from './support/guard';
import { expectSound, Ledger, logOf, type Logged } from './support/ledger';

guardSharedQueues();

const window = 200;

/** Between the time that a script goes by and that of the entry it writes. */
const slack = 20;

const endings = ['completed', 'failed'];

/** The most jobs that were active at once, by the log of the server. */
function mostActive(log: readonly Logged[]): number {
  let active = 0;
  return Math.max(
    ...log.map(({ event }) => {
      if (event === 'active') active += 1;
      if (endings.includes(event)) active -= 1;
      return active;
    }),
  );
}

/**
 * How many jobs each window has let through. The first one that comes after the end of a window begins the next; of
 * which window those are that come just before its end, the log does not tell.
 */
function windowsOf(log: readonly Logged[]): number[] {
  const windows: number[] = [];
  let begin = -Infinity;
  for (const { at } of log.filter(({ event }) => event === 'active')) {
    if (at >= begin + window) {
      begin = at;
      windows.push(0);
    }
    if (at < begin + window - slack) windows.push(windows.pop()! + 1);
  }
  return windows;
}

interface Limits {
  ceiling?: number;
  rate?: number;
}

const jobs = 400;

const casts = majors.flatMap((major): { by: Party; major: Major }[] => [
  { by: 'ours', major },
  { by: major, major },
]);

describe.each(casts)(
  'limits of $by, on a queue that BullMQ $major and we work at full load',
  ({ by, major }) => {
    let ground: CommonGround;

    beforeEach(() => {
      ground = new CommonGround();
    });

    afterEach(() => ground.close());

    /** Four workers, half of them ours, run jobs of both: more than the ceiling at once, and those of one less. */
    async function run(limits: Limits, options: CommonWorkerOptions = {}): Promise<Logged[]> {
      const ours = ground.ourQueue('work') as unknown as ReturnType<CommonGround['theirQueue']>;
      const theirs = ground.theirQueue(major, 'work');
      const setter = by === 'ours' ? ours : theirs;
      if (limits.ceiling !== undefined) await setter.setGlobalConcurrency(limits.ceiling);
      if (limits.rate !== undefined) await setter.setGlobalRateLimit(limits.rate, window);
      const ledger = new Ledger();
      const parties: Party[] = ['ours', major, 'ours', major];
      parties.forEach((party) => {
        ground.work(party, 'work', ledger.handler(party), { concurrency: 3, drainDelay: 1, ...options });
      });
      await Promise.all(
        (
          [
            ['ours', ours],
            [major, theirs],
          ] as const
        ).map(([party, queue]) =>
          queue.addBulk(ledger.enter(party, jobs / 2, ['plain', 'prioritized']) as never),
        ),
      );
      await ground.untilQuiet('work');
      await ground.stopWorkers();
      expect(ground.errors).toEqual([]);
      expect(ledger.workers).toEqual(new Set(parties));
      await expectSound(ledger, ground, 'work', [ours, theirs]);
      return logOf(ground, 'work');
    }

    it('never has more active than the ceiling, nor fewer than it may', async () => {
      expect(mostActive(await run({ ceiling: 7 }))).toBe(7);
    });

    it('never lets more through than the rate', async () => {
      const windows = windowsOf(await run({ rate: 80 }, { concurrency: 10 }));
      expect(Math.max(...windows)).toBeLessThanOrEqual(80);
      expect(windows.length).toBeGreaterThanOrEqual(jobs / 80);
    });

    it('holds both, beside limiters of the workers', async () => {
      const log = await run({ ceiling: 7, rate: 150 }, { limiter: { max: 10_000, duration: window } });
      expect(mostActive(log)).toBeLessThanOrEqual(7);
      expect(Math.max(...windowsOf(log))).toBeLessThanOrEqual(150);
    });
  },
);
