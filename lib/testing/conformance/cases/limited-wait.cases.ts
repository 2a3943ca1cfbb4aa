import assert from 'node:assert/strict';

import type { RateLimit } from '../../../model/rate-limit';
import type { ContractCase } from '../conformance-case';
import type { ConformanceContext } from '../conformance-context';
import { completed, type QueueUser } from '../queue-user';

const LONG = 3_600_000;
const LIMIT = 60_000;

function wait(user: QueueUser, context: ConformanceContext, limiter?: RateLimit): Promise<boolean> {
  const limited = limiter === undefined ? {} : { limiter };
  return user.handle.waitForWork({ block: LONG, signal: context.signal().signal, limited });
}

/** Whether a wait has ended by now. */
function watch(waiting: Promise<boolean>): { hasEnded: boolean } {
  const seen = { hasEnded: false };
  void waiting.then(() => (seen.hasEnded = true));
  return seen;
}

/** Two handles that were held back wait while the limit is lifted: both have to be woken. */
function lifts(
  title: string,
  lift: (user: QueueUser) => Promise<unknown>,
  limiter?: RateLimit,
): ContractCase {
  return {
    operation: 'waitForWork',
    title,
    covers: ['success'],
    async run(context) {
      const user = context.open();
      if (limiter === undefined) {
        await user.setRateLimit({ max: 1, duration: LIMIT });
      }
      const terms = limiter === undefined ? {} : { limiter };
      await user.addIds('a', 'b', 'c', 'd');
      const held = [context.open(), context.open()];
      await held[0]!.claim(1, terms);
      for (const each of held) {
        assert.equal((await each.claim(1, terms)).idle?.reason, 'limited');
      }
      const early = wait(held[0]!, context, limiter);
      const seen = watch(early);
      await context.advance(1);
      assert.equal(seen.hasEnded, false);
      await lift(user);

      assert.equal(await early, true);
      // This one comes too late to see it happen.
      assert.equal(await wait(held[1]!, context, limiter), true);
      assert.equal((await held[1]!.claim(1, terms)).jobs.length, 1);
    },
  };
}

/**
 * Waiting at a ceiling, and for the end of a rate limit.
 *
 * @internal
 */
export const LIMITED_WAIT_CASES: readonly ContractCase[] = [
  lifts('is woken when the rate limit is taken back that it waits for', (user) => user.setRateLimit(null)),
  lifts('is woken when the rate is raised that it waits for', (user) =>
    user.setRateLimit({ max: 9, duration: LIMIT }),
  ),
  lifts('LIM-04 is woken when the window is ended that it waits for', (user) => user.limitClaims(null)),
  lifts(
    'is woken when the window is ended that its own limiter waits for',
    (user) => user.limitClaims(null),
    {
      max: 1,
      duration: LIMIT,
    },
  ),
  {
    operation: 'waitForWork',
    title: 'is not woken by jobs that are added while a rate limit is waited for, and ends with its time',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const held = context.open();
      const limiter = { max: 1, duration: LIMIT };
      await user.addIds('a', 'b');
      await held.claim(1, { limiter });
      assert.equal((await held.claim(1, { limiter })).idle?.reason, 'limited');
      const { signal } = context.signal();
      const waiting = held.handle.waitForWork({ block: 500, signal, limited: { limiter } });
      const seen = watch(waiting);
      await user.addIds('c', 'd');
      await user.settle(completed(await user.claim(1)));
      await context.advance(499);
      assert.equal(seen.hasEnded, false);
      await context.advance(1);

      assert.equal(await waiting, false);
    },
  },
  {
    operation: 'waitForWork',
    title: 'leaves work to those that no rate limit holds back',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      const limiter = { max: 1, duration: LIMIT };
      const held = context.open();
      const free = context.open();
      await user.addIds('a');
      await held.claim(1, { limiter });
      await context.takeWakeUps(held);
      const work = held.handle.waitForWork({ block: LONG, signal: context.signal().signal });
      await context.advance(1);
      await user.addIds('b');
      assert.equal(await work, true);
      assert.equal((await held.claim(1, { limiter })).idle?.reason, 'limited');
      const end = wait(held, context, limiter);
      const seen = watch(end);

      assert.equal(await free.handle.waitForWork({ block: LONG, signal: context.signal().signal }), true);
      assert.equal((await free.claim(1)).jobs[0]?.id, 'b');
      await context.advance(1);
      assert.equal(seen.hasEnded, false);
      await user.limitClaims(null);
      assert.equal(await end, true);
    },
  },
  {
    operation: 'waitForWork',
    title:
      'LIM-06 is not woken by jobs that are added at the ceiling, but by the end of one, and by room for more',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      const idle = context.open();
      await user.setCeiling(1);
      await user.addIds('a', 'b', 'c', 'd');
      let claim = await user.claim(1);
      for (const makeRoom of [
        () => user.settle(completed(claim)),
        () => user.setCeiling(2),
        () => user.setCeiling(null),
      ]) {
        assert.equal((await idle.claim(1)).idle?.reason, 'blocked');
        await context.takeWakeUps(idle);
        const waiting = idle.handle.waitForWork({ block: LONG, signal: context.signal().signal });
        const seen = watch(waiting);
        await user.add({});
        await context.advance(1);
        assert.equal(seen.hasEnded, false);
        await makeRoom();

        assert.equal(await waiting, true);
        claim = await user.claim(1);
        assert.equal(claim.jobs.length, 1);
      }
    },
  },
  {
    operation: 'waitForWork',
    title:
      'JOB-13 is not woken by jobs that come due in a claim that brings none, while paused or at the ceiling',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const idle = context.open();
      await user.addIds('first');
      await user.claim(1);
      for (const [id, hold, letGo] of [
        ['a', () => user.pause(), () => user.resume()],
        ['b', () => user.setCeiling(1), () => user.setCeiling(null)],
      ] as const) {
        await user.add({ id, delay: 10 });
        await context.advance(10);
        await hold();
        await context.takeWakeUps(idle);
        const waiting = idle.handle.waitForWork({ block: LONG, signal: context.signal().signal });
        const seen = watch(waiting);
        assert.deepEqual((await user.claim(1)).jobs, []);
        assert.deepEqual(await user.ids('waiting'), [id]);
        await context.advance(1);
        assert.equal(seen.hasEnded, false);
        await letGo();

        assert.equal(await waiting, true);
        assert.deepEqual(
          (await idle.claim(1)).jobs.map((job) => job.id),
          [id],
        );
      }
    },
  },
];
