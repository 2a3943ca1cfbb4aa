import assert from 'node:assert/strict';

import type { ContractCase } from '../conformance-case';
import type { ConformanceContext } from '../conformance-context';
import { completed, handBack, leaseOf, retry, type QueueUser } from '../queue-user';

/** A wait that time alone does not end in these cases. */
const LONG = 3_600_000;

function wait(user: QueueUser, context: ConformanceContext, block = LONG): Promise<boolean> {
  return user.handle.waitForWork({ block, signal: context.signal().signal });
}

/** Two handles wait while the others act: each act has to wake both. */
function wakes(
  title: string,
  act: (user: QueueUser, context: ConformanceContext) => Promise<unknown>,
  prepare: (user: QueueUser, context: ConformanceContext) => Promise<unknown> = () => Promise.resolve(),
): ContractCase {
  return {
    operation: 'waitForWork',
    title,
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await prepare(user, context);
      const idle = [context.open(), context.open()];
      let woken = 0;
      const waits = idle.map(async (each) => {
        const result = await wait(each, context);
        woken += 1;
        return { result, each };
      });
      await context.advance(1);
      assert.equal(woken, 0);
      await act(user, context);

      const { result, each } = await Promise.race(waits);
      assert.equal(result, true);
      assert.equal((await each.claim(1)).jobs.length, 1);
    },
  };
}

/** @internal */
export const WAIT_FOR_WORK_CASES: readonly ContractCase[] = [
  wakes('is woken by a job that is added', (user) => user.addIds('a')),
  wakes('is woken by a prioritized job that is added', (user) => user.add({ priority: 5 })),
  wakes(
    'is woken by a job that comes due',
    (_, context) => context.advance(100),
    (user) => user.add({ delay: 100 }),
  ),
  wakes('is woken by a delayed job that was added meanwhile', async (user, context) => {
    await user.add({ delay: 100 });
    await context.advance(100);
  }),
  wakes(
    'is woken by a job that is due before the one it waited for',
    async (user, context) => {
      await user.add({ delay: 50 });
      await context.advance(50);
    },
    (user) => user.add({ delay: 10_000 }),
  ),
  wakes(
    'is woken by a delayed job that is promoted',
    (user) => user.promote('a'),
    (user) => user.add({ id: 'a', delay: LONG }),
  ),
  wakes(
    'is woken by delayed jobs that are promoted together, with a priority',
    (user) => user.promoteDelayed(10),
    (user) => user.add({ priority: 5, delay: LONG }, { delay: LONG }),
  ),
  wakes(
    'is woken by a job whose delay was made shorter',
    async (user, context) => {
      await user.changeDelays(['a', 50]);
      await context.advance(50);
    },
    (user) => user.add({ id: 'a', delay: 10_000 }),
  ),
  wakes(
    'is woken by a job that is retried',
    (user) => user.retry({ id: 'a' }),
    async (user, context) => {
      await user.addIds('a');
      await user.failAll();
      await context.takeWakeUps(user);
    },
  ),
  wakes(
    'is woken by jobs that are retried together',
    (user) => user.retryFinished('completed', 10),
    async (user, context) => {
      await user.add({ priority: 2 });
      await user.finishAll();
      await context.takeWakeUps(user);
    },
  ),
  {
    operation: 'waitForWork',
    title: 'is not woken by jobs that are moved in a paused queue',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const idle = context.open();
      await user.addIds('a', 'b');
      await user.failAll();
      await user.add({ id: 'c', delay: LONG }, { id: 'd', delay: LONG }, { id: 'w' });
      await user.pause();
      await context.takeWakeUps(idle);
      const woken = wait(idle, context, 50);
      await user.promote('c');
      await user.promoteDelayed(1);
      await user.retry({ id: 'a' });
      await user.retryFinished('failed', 1);
      await user.changePriorities(['w', 5]);
      await context.advance(50);

      assert.equal(await woken, false);
    },
  },
  {
    operation: 'waitForWork',
    title: 'T-B29 is woken by a job that is promoted while others are delayed again and again',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const idle = context.open();
      await user.add({ id: 'a', delay: LONG }, { id: 'b', delay: LONG });
      const woken = wait(idle, context);
      await context.advance(1);
      await user.changeDelays(['b', 60_000]);
      await user.promote('a');
      await user.changeDelays(['b', 90_000]);

      assert.equal(await woken, true);
      assert.equal((await idle.claim(1)).jobs[0]?.id, 'a');
    },
  },
  {
    operation: 'waitForWork',
    title: 'is woken by a job that is tried again at once, or after a delay, or handed back',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      const idle = context.open();
      await user.addIds('a');
      for (const outcome of [
        (job: Parameters<typeof retry>[0]) => retry(job),
        (job: Parameters<typeof retry>[0]) => retry(job, { delay: 20 }),
        (job: Parameters<typeof retry>[0]) => handBack(job),
      ]) {
        const claim = await user.claim(1);
        assert.equal(claim.jobs.length, 1);
        await context.takeWakeUps(idle);
        const woken = wait(idle, context);
        await user.settle([outcome(leaseOf(claim))]);
        await context.advance(20);

        assert.equal(await woken, true);
      }
    },
  },
  {
    operation: 'waitForWork',
    title: 'is woken by a job that is handed back to its priority',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'a', priority: 3 });
      const claim = await user.claim(1);
      const idle = context.open();
      await context.takeWakeUps(idle);
      const woken = wait(idle, context);
      await user.settle([handBack(leaseOf(claim))]);

      assert.equal(await woken, true);
    },
  },
  {
    operation: 'waitForWork',
    title: 'is woken when the queue is resumed',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.pause();
      await user.addIds('a');
      const woken = wait(context.open(), context);
      await context.advance(1);
      await user.resume();

      assert.equal(await woken, true);
    },
  },
  {
    operation: 'waitForWork',
    title: 'is woken by a job that comes due after the queue was resumed',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      const idle = context.open();
      await user.add({ delay: 100 });
      await user.pause();
      const woken = wait(idle, context);
      await context.advance(1);
      await user.resume();
      await context.advance(100);

      assert.equal(await woken, true);
      assert.equal((await idle.claim(1)).jobs.length, 1);
    },
  },
  {
    operation: 'waitForWork',
    title: 'is woken, after a claim, by a delayed job for which somebody waited who is gone',
    covers: ['rule'],
    async run(context) {
      const gone = context.open();
      const user = context.open();
      await user.add({ delay: 100 });
      const waiting = wait(gone, context);
      await context.advance(1);
      await gone.handle.close();
      await waiting;
      assert.deepEqual((await user.claim(1)).idle, { reason: 'empty', dueIn: 99 });
      const woken = wait(user, context);
      await context.advance(99);

      assert.equal(await woken, true);
    },
  },
  {
    operation: 'waitForWork',
    title: 'does not wait when work is ready or due',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      assert.equal(await wait(user, context), true);
      await user.finishAll();
      await user.add({ priority: 1 });
      assert.equal(await wait(user, context), true);
      await user.finishAll();
      await user.add({ delay: 5 });
      await context.advance(5);

      assert.equal(await wait(user, context), true);
    },
  },
  {
    operation: 'waitForWork',
    title: 'does not wait when a claim has left jobs, however many took some',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b', 'c');
      for (const worker of [user, context.open(), context.open()]) {
        assert.equal(await wait(worker, context), true);
        assert.equal((await worker.claim(1)).jobs.length, 1);
      }
      const woken = wait(user, context, 20);
      await context.advance(20);

      assert.equal(await woken, false);
    },
  },
  {
    operation: 'waitForWork',
    title: 'T-B32 JOB-39 wakes all idle workers for many jobs, so that one does not run them all',
    covers: ['rule'],
    async run(context) {
      const producer = context.open({ role: 'producer' });
      const workers = [context.open(), context.open(), context.open()];
      const waits = workers.map((worker) => wait(worker, context));
      await producer.addIds('a', 'b', 'c', 'd', 'e', 'f');

      const claimed = await Promise.all(
        waits.map(async (woken, index) => {
          assert.equal(await woken, true);
          return (await workers[index]!.claim(1)).jobs.length;
        }),
      );

      assert.deepEqual(claimed, [1, 1, 1]);
    },
  },
  {
    operation: 'waitForWork',
    title: 'T-B29 is woken by a plain job also when a delayed one is added after it',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const idle = context.open();
      for (let round = 0; round < 20; round += 1) {
        const woken = wait(idle, context);
        await Promise.all([user.add({ delay: 60_000 }), user.add({}), user.add({ delay: 60_000 })]);
        assert.equal(await woken, true);
        const claim = await idle.claim(1);
        assert.equal(claim.jobs.length, 1);
        await idle.settle(completed(claim));
      }
    },
  },
  {
    operation: 'waitForWork',
    title: 'T-B30 is woken a millisecond before the next job is due, and at its due time',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add({ delay: 10 });
      await context.advance(9);
      const woken = wait(user, context);
      await context.advance(1);

      assert.equal(await woken, true);
      assert.equal((await user.claim(1)).jobs.length, 1);
    },
  },
  {
    operation: 'waitForWork',
    title: 'is not woken by work of other queues',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const other = context.open({ queueName: 'others' });
      const woken = wait(user, context, 50);
      await other.add({}, { delay: 10 });
      await context.advance(50);

      assert.equal(await woken, false);
    },
  },
  {
    operation: 'waitForWork',
    title: 'ends without work when the time is over, and not before',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      let isOver = false;
      const woken = wait(user, context, 50).finally(() => (isOver = true));
      await context.advance(49);
      assert.equal(isOver, false);
      await context.advance(1);

      assert.equal(await woken, false);
    },
  },
  {
    operation: 'waitForWork',
    title: 'ends without work when the signal is aborted, before or meanwhile',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      const before = context.signal();
      before.abort();
      assert.equal(await user.handle.waitForWork({ block: LONG, signal: before.signal }), false);
      const meanwhile = context.signal();
      const woken = user.handle.waitForWork({ block: LONG, signal: meanwhile.signal });
      await context.advance(1);
      meanwhile.abort();

      assert.equal(await woken, false);
    },
  },
  {
    operation: 'waitForWork',
    title: 'leaves no listener at a signal, however often it waits',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const watched = context.signal();
      for (let round = 0; round < 500; round += 1) {
        const woken = user.handle.waitForWork({ block: 1_000, signal: watched.signal });
        await user.add({});
        assert.equal(await woken, true);
        await user.finishAll({ count: 0, age: null, limit: 1 });
      }
      const timedOut = user.handle.waitForWork({ block: 5, signal: watched.signal });
      await context.advance(5);
      assert.equal(await timedOut, false);

      assert.equal(watched.listeners, 0);
    },
  },
];
