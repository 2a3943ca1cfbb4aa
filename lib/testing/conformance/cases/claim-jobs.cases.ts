import assert from 'node:assert/strict';

import { leaseTokenOf, MAX_BATCH, MAX_BATCH_SIZE } from '../../../contract/mutating-call';
import type { ContractCase } from '../conformance-case';
import { completed, leaseOf, type QueueUser } from '../queue-user';

async function claimIds(user: QueueUser, count: number): Promise<string[]> {
  return (await user.claim(count)).jobs.map((job) => job.id);
}

/** @internal */
export const CLAIM_JOBS_CASES: readonly ContractCase[] = [
  {
    operation: 'claimJobs',
    title: 'leases the next jobs to the caller',
    covers: ['success', 'event:active'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b', 'c');
      const added = await user.job('a');
      await context.advance(10);
      const now = await user.handle.time();
      const tail = await context.tail(user);
      const call = await user.nextCall('w0');

      const reply = await user.claimWith(call, 2, { workerName: 'worker-1' });

      assert.equal(reply.now, now);
      assert.equal(reply.claim.token, leaseTokenOf(call));
      assert.equal(reply.claim.idle, null);
      assert.deepEqual(reply.claim.jobs[0], {
        ...added,
        state: 'active',
        attemptsStarted: 1,
        processedOn: now,
        processedBy: 'worker-1',
      });
      assert.deepEqual(await user.handle.getJobs(['a', 'b']), reply.claim.jobs);
      assert.deepEqual(await user.ids('active'), ['a', 'b']);
      assert.deepEqual(await user.ids('waiting'), ['c']);
      await tail.expect([
        { event: 'active', jobId: 'a', prev: 'waiting' },
        { event: 'active', jobId: 'b', prev: 'waiting' },
      ]);
    },
  },
  {
    operation: 'claimJobs',
    title: 'says that nothing is ready, and that no job is delayed',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      const nothing = await user.claim(1);
      assert.deepEqual([nothing.jobs, nothing.idle], [[], { reason: 'empty', dueIn: null }]);
      await user.addIds('a');

      const claim = await user.claim(2);

      assert.deepEqual([claim.jobs.length, claim.idle], [1, { reason: 'empty', dueIn: null }]);
    },
  },
  {
    operation: 'claimJobs',
    title: 'does not call the queue empty when the wanted number came',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add({}, {}, { delay: 10 });

      assert.equal((await user.claim(2)).idle, null);
    },
  },
  {
    operation: 'claimJobs',
    title: 'says when the next delayed job is due',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.add({ delay: 500 }, { delay: 100, priority: 5 }, { delay: 300 });
      await context.advance(40);

      assert.deepEqual((await user.claim(1)).idle, { reason: 'empty', dueIn: 60 });
    },
  },
  {
    operation: 'claimJobs',
    title: 'JOB-11 lets jobs wait once they are due, behind those that wait already',
    covers: ['event:waiting'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'late', delay: 101 }, { id: 'due', delay: 100 }, { id: 'soon', delay: 50 });
      await user.addIds('first');
      await context.advance(100);
      const tail = await context.tail(user);

      const claim = await user.claim(2);

      assert.deepEqual(
        claim.jobs.map((job) => job.id),
        ['first', 'soon'],
      );
      assert.equal(claim.jobs[1]!.delay, 0);
      const due = await user.job('due');
      assert.deepEqual([due?.state, due?.delay], ['waiting', 0]);
      assert.equal(await user.state('late'), 'delayed');
      await tail.expect([
        { event: 'waiting', jobId: 'soon', prev: 'delayed' },
        { event: 'waiting', jobId: 'due', prev: 'delayed' },
        { event: 'active', jobId: 'first', prev: 'waiting' },
        { event: 'active', jobId: 'soon', prev: 'waiting' },
      ]);
    },
  },
  {
    operation: 'claimJobs',
    title: 'hands out a delayed job at its due time and not before',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'a', delay: 100 });
      await context.advance(99);
      assert.deepEqual(await claimIds(user, 1), []);
      assert.equal(await user.state('a'), 'delayed');
      await context.advance(1);

      assert.deepEqual(await claimIds(user, 1), ['a']);
    },
  },
  {
    operation: 'claimJobs',
    title: 'puts due jobs in order of their due times, then of their adding',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'z', delay: 20 }, { id: 'y', delay: 20 }, { id: 'late', delay: 30 });
      await context.advance(5);
      await user.add({ id: 'x', delay: 15 }, { id: 'soon', delay: 1 });
      await context.advance(100);

      assert.deepEqual(await claimIds(user, 9), ['soon', 'z', 'y', 'x', 'late']);
    },
  },
  {
    operation: 'claimJobs',
    title: 'puts a prioritized job that is due behind its equals',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add(
        { id: 'due', delay: 10, priority: 2 },
        { id: 'equal', priority: 2 },
        { id: 'less', priority: 3 },
      );
      await context.advance(10);

      assert.deepEqual(await claimIds(user, 1), ['equal']);
      assert.equal(await user.state('due'), 'prioritized');
      assert.deepEqual(await claimIds(user, 9), ['due', 'less']);
    },
  },
  {
    operation: 'claimJobs',
    title: 'MGMT-15 takes all that are due, however many, before it calls the queue empty',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      for (let batch = 0; batch < 4; batch += 1) {
        await user.add(...Array.from({ length: MAX_BATCH }, () => ({ delay: 1 + batch })));
      }
      await context.advance(10);
      const seen = new Set<string>();
      for (;;) {
        const claim = await user.claim(MAX_BATCH - 50);
        claim.jobs.forEach((job) => seen.add(job.id));
        if (claim.idle !== null) {
          assert.deepEqual(claim.idle, { reason: 'empty', dueIn: null });
          break;
        }
        assert.ok(claim.jobs.length > 0);
      }

      assert.equal(seen.size, 4 * MAX_BATCH);
    },
  },
  {
    operation: 'claimJobs',
    title: 'T-B30 takes ten thousand jobs with delays of a few milliseconds, each once',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const total = 10_000;
      for (let added = 0; added < total; added += MAX_BATCH) {
        await user.add(...Array.from({ length: MAX_BATCH }, (_, index) => ({ delay: 1 + (index % 5) })));
      }
      const { signal } = context.signal();
      const seen = new Set<string>();
      while (seen.size < total) {
        const claim = await user.claim(MAX_BATCH);
        claim.jobs.forEach((job) => seen.add(job.id));
        await user.settle(completed(claim, { retention: { count: 0, age: null, limit: 1 } }));
        if (claim.idle !== null && seen.size < total) {
          assert.ok(claim.idle.dueIn !== null, 'delayed jobs are left, so one is due some time');
          const woken = user.handle.waitForWork({ block: 1_000, signal });
          await context.advance(Math.max(1, claim.idle.dueIn));
          assert.equal(await woken, true);
        }
      }

      assert.deepEqual(await user.handle.getCounts(), {
        waiting: 0,
        prioritized: 0,
        delayed: 0,
        active: 0,
        completed: 0,
        failed: 0,
        'waiting-children': 0,
      });
    },
  },
  {
    operation: 'claimJobs',
    title: 'JOB-12 hands out nothing while the queue is paused, but lets due jobs wait',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'a' }, { id: 'due', delay: 10 }, { id: 'late', delay: 100 });
      await user.pause();
      await context.advance(10);

      const claim = await user.claim(5);

      assert.deepEqual([claim.jobs, claim.idle], [[], { reason: 'paused', dueIn: 90 }]);
      assert.deepEqual(await user.ids('waiting'), ['a', 'due']);
      assert.deepEqual(await user.ids('active'), []);
    },
  },
  {
    operation: 'claimJobs',
    title: 'gives each job to one caller only, under a token of its own',
    covers: ['rule'],
    async run(context) {
      const first = context.open();
      const second = context.open();
      await first.addIds('a', 'b', 'c', 'd');

      const claims = await Promise.all([
        first.claim(1),
        second.claim(1),
        first.handle.claimJobs(
          { count: 9, leaseDuration: 30_000, workerName: null },
          await first.nextCall('w1'),
        ),
      ]);

      const [one, two, three] = [claims[0], claims[1], claims[2].claim];
      const ids = [...one.jobs, ...two.jobs, ...three.jobs].map((job) => job.id);
      assert.deepEqual(ids.sort(), ['a', 'b', 'c', 'd']);
      assert.equal(new Set([one.token, two.token, three.token]).size, 3);
    },
  },
  {
    operation: 'claimJobs',
    title: 'keeps the name of the last worker that has one',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      for (const [workerName, expected] of [
        [null, null],
        ['one', 'one'],
        [null, 'one'],
        ['two', 'two'],
      ] as const) {
        const claim = await user.claim(1, { workerName });
        assert.equal(claim.jobs[0]!.processedBy, expected);
        await user.settle([{ id: 'a', token: claim.token, kind: 'handed-back' }]);
      }
    },
  },
  {
    operation: 'claimJobs',
    title: 'brings no more data than a call carries, and a larger job alone',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const half = JSON.stringify('x'.repeat(MAX_BATCH_SIZE / 2 - 2));
      const large = JSON.stringify('x'.repeat(MAX_BATCH_SIZE));
      await user.add({ id: 'half-1', data: half }, { id: 'half-2', data: half });
      await user.add({ id: 'small' });
      await user.add({ id: 'large', data: large });
      await user.add({ id: 'last', priority: 1 });

      const claims = [await user.claim(9), await user.claim(9), await user.claim(9), await user.claim(9)];

      assert.deepEqual(
        claims.map((claim) => claim.jobs.map((job) => job.id)),
        [['half-1', 'half-2'], ['small'], ['large'], ['last']],
      );
      assert.deepEqual(
        claims.map((claim) => claim.idle),
        [null, null, null, { reason: 'empty', dueIn: null }],
      );
    },
  },
  {
    operation: 'claimJobs',
    title: 'leaves jobs that were too much data where they were, plain or prioritized',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const half = JSON.stringify('x'.repeat(MAX_BATCH_SIZE / 2));
      await user.add({ id: 'p-z', priority: 1, data: half }, { id: 'p-m', priority: 1 });
      await user.add({ id: 'p-large', priority: 1, data: half }, { id: 'p-b', priority: 1 });
      await user.add({ id: 'p-a', priority: 1 });
      await user.add({ id: 'z', data: half }, { id: 'large', data: half }, { id: 'm' }, { id: 'a' });

      assert.deepEqual(await claimIds(user, 9), ['z']);
      assert.deepEqual(await user.ids('waiting'), ['large', 'm', 'a']);
      assert.deepEqual(await claimIds(user, 9), ['large', 'm', 'a']);
      assert.deepEqual(await claimIds(user, 9), ['p-z', 'p-m']);
      assert.deepEqual(await user.ids('prioritized'), ['p-large', 'p-b', 'p-a']);
      assert.deepEqual(await claimIds(user, 9), ['p-large', 'p-b', 'p-a']);
    },
  },
  {
    operation: 'claimJobs',
    title: 'takes as many as it is asked for at most, from waiting and prioritized together',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'a' }, { id: 'b' }, { id: 'p', priority: 1 }, { id: 'q', priority: 1 });

      assert.deepEqual(await claimIds(user, 3), ['a', 'b', 'p']);
      assert.deepEqual(await user.ids('prioritized'), ['q']);
    },
  },
  {
    operation: 'claimJobs',
    title: 'counts every claim of a job as a start',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      for (let starts = 1; starts <= 3; starts += 1) {
        const claim = await user.claim(1);
        assert.deepEqual([claim.jobs[0]!.attemptsStarted, claim.jobs[0]!.attemptsMade], [starts, 0]);
        await user.settle([{ id: 'a', token: claim.token, kind: 'handed-back' }]);
      }
    },
  },
  {
    operation: 'claimJobs',
    title: 'leases jobs for any time',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b');

      const claim = await user.claim(2, { leaseDuration: Number.MAX_VALUE });
      await user.renew([leaseOf(claim, 'a')], Number.MAX_VALUE);
      await user.recover({ sweepInterval: Number.MAX_VALUE });

      assert.deepEqual(await user.ids('active'), ['a', 'b']);
      assert.deepEqual((await user.settle(completed(claim))).refusals, [null, null]);
    },
  },
];
