import assert from 'node:assert/strict';

import { MAX_REMOVED } from '../../../contract/job-removal';
import type { ContractCase } from '../conformance-case';
import type { ConformanceContext } from '../conformance-context';
import { completed, failure, leaseOf, leasesOf, retry, type QueueUser } from '../queue-user';

/** Completes a job after each millisecond. */
async function completeOneByOne(context: ConformanceContext, user: QueueUser, ids: string[]): Promise<void> {
  for (const id of ids) {
    await user.addIds(id);
    await user.finishAll();
    await context.advance(1);
  }
}

/** Adds many jobs, in batches. */
async function addMany(user: QueueUser, count: number): Promise<void> {
  for (let added = 0; added < count; added += 200) {
    await user.add(...Array.from({ length: Math.min(200, count - added) }, () => ({})));
  }
}

/** @internal */
export const CLEAN_JOBS_CASES: readonly ContractCase[] = [
  {
    operation: 'cleanJobs',
    title: 'MGMT-35 removes completed jobs that ended by a time, to the millisecond, oldest first',
    covers: ['success', 'event:cleaned'],
    async run(context) {
      const user = context.open();
      const start = await user.handle.time();
      await completeOneByOne(context, user, ['a', 'b', 'c', 'd']);
      const tail = await context.tail(user);

      const reply = await user.clean('completed', { before: start + 2 });

      const now = await user.handle.time();
      assert.deepEqual(reply, { now, removed: ['a', 'b', 'c'], kept: 0, more: false });
      assert.deepEqual(await user.ids('completed'), ['d']);
      assert.deepEqual(await user.handle.getJobs(['a', 'b', 'c']), [null, null, null]);
      await tail.expect([{ event: 'cleaned', count: '3' }]);
    },
  },
  {
    operation: 'cleanJobs',
    title: 'removes no more than its limit, those that are oldest or next to run',
    covers: ['success', 'event:cleaned'],
    async run(context) {
      const user = context.open();
      await completeOneByOne(context, user, ['a', 'b', 'c']);
      await user.addIds('d', 'e', 'f');
      await user.add({ id: 'first', lifo: true });
      const tail = await context.tail(user);

      assert.deepEqual((await user.clean('completed', { limit: 2 })).removed, ['a', 'b']);
      assert.deepEqual((await user.clean('waiting', { limit: 3 })).removed, ['first', 'd', 'e']);

      assert.deepEqual(await user.ids('completed'), ['c']);
      assert.deepEqual(await user.ids('waiting'), ['f']);
      await tail.expect([
        { event: 'cleaned', count: '2' },
        { event: 'cleaned', count: '3' },
      ]);
    },
  },
  {
    operation: 'cleanJobs',
    title: 'MGMT-35 removes jobs of one state and no other',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.addIds('of-completed', 'of-failed', 'of-active');
      const claim = await user.claim(3, { leaseDuration: 10 });
      await user.settle([
        ...completed({ ...claim, jobs: [claim.jobs[0]!] }),
        failure(leaseOf(claim, 'of-failed')),
      ]);
      await context.advance(10);
      await user.add(
        { id: 'of-waiting' },
        { id: 'of-prioritized', priority: 3 },
        { id: 'of-delayed', delay: 1_000 },
      );
      const states = ['failed', 'waiting', 'delayed', 'completed', 'active', 'prioritized'] as const;

      for (const [index, state] of states.entries()) {
        assert.deepEqual((await user.clean(state)).removed, [`of-${state}`]);
        const left = states.map((each, at) => (at <= index ? null : each));
        assert.deepEqual(await user.handle.getStates(states.map((each) => `of-${each}`)), left);
      }
    },
  },
  {
    operation: 'cleanJobs',
    title: 'MGMT-36 keeps active jobs that are leased',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b', 'c');
      const claim = await user.claim(3, { leaseDuration: 10 });
      await user.renew([leaseOf(claim, 'b')], 20);
      await context.advance(10);

      const { removed, kept } = await user.clean('active');

      assert.deepEqual([removed, kept], [['a', 'c'], 1]);
      assert.deepEqual(await user.ids('active'), ['b']);
      context.expectRefusals(await user.renew(leasesOf({ ...claim, jobs: [claim.jobs[1]!] })), null);
    },
  },
  {
    operation: 'cleanJobs',
    title: 'goes by the last claim of jobs that were run, and by the time of adding of those that were not',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const start = await user.handle.time();
      await user.add({ id: 'ran' }, { id: 'ran-delayed' }, { id: 'ran-prioritized', priority: 1 });
      await user.add({ id: 'late', delay: 100_000 });
      await context.advance(10);
      const claim = await user.claim(3);
      await user.settle([
        retry(leaseOf(claim, 'ran')),
        retry(leaseOf(claim, 'ran-delayed'), { delay: 500 }),
        retry(leaseOf(claim, 'ran-prioritized')),
      ]);
      await user.addIds('young');

      assert.deepEqual((await user.clean('waiting', { before: start + 9 })).removed, []);
      assert.deepEqual((await user.clean('delayed', { before: start + 9 })).removed, ['late']);
      assert.deepEqual((await user.clean('prioritized', { before: start + 9 })).removed, ['ran-prioritized']);
      assert.deepEqual((await user.clean('waiting', { before: start + 10 })).removed, ['ran', 'young']);
      assert.deepEqual((await user.clean('delayed', { before: start + 10 })).removed, ['ran-delayed']);
    },
  },
  {
    operation: 'cleanJobs',
    title: 'passes over what it kept before',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      const start = await user.handle.time();
      await user.addIds('a', 'b');
      await context.advance(1);
      await user.add({ id: 'young', lifo: true });

      const first = await user.clean('waiting', { before: start, limit: 1 });
      assert.deepEqual([first.removed, first.kept], [['a'], 1]);
      const second = await user.clean('waiting', { before: start + 1, limit: 5, kept: first.kept });

      assert.deepEqual([second.removed, second.kept], [['b'], 1]);
      assert.deepEqual(await user.ids('waiting'), ['young']);
    },
  },
  {
    operation: 'cleanJobs',
    title: 'looks at a bounded number of jobs, and says that there may be more',
    covers: ['success', 'event:cleaned'],
    async run(context) {
      const user = context.open();
      await addMany(user, MAX_REMOVED + 1);
      const tail = await context.tail(user);

      const first = await user.clean('waiting', { limit: 5_000 });
      assert.deepEqual([first.removed.length, first.kept, first.more], [MAX_REMOVED, 0, true]);
      const second = await user.clean('waiting', { limit: 5_000 });

      assert.deepEqual([second.removed, second.more], [[String(MAX_REMOVED + 1)], false]);
      await tail.expect([
        { event: 'cleaned', count: String(MAX_REMOVED) },
        { event: 'cleaned', count: '1' },
      ]);
    },
  },
  {
    operation: 'cleanJobs',
    title: 'changes nothing where there is nothing old',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const start = await user.handle.time();
      await completeOneByOne(context, user, ['a']);
      await user.add({ id: 'b' }, { id: 'c', priority: 1 }, { id: 'd', delay: 10 });
      const before = await user.snapshot();

      for (const state of ['completed', 'failed', 'waiting', 'prioritized', 'delayed', 'active'] as const) {
        assert.deepEqual((await user.clean(state, { before: start - 1 })).removed, []);
      }

      assert.deepEqual(await user.snapshot(), before);
    },
  },
  {
    operation: 'cleanJobs',
    title: 'takes the word for paused jobs for those that wait, while the queue is paused',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'a' }, { id: 'b' }, { id: 'c', priority: 1 });
      assert.deepEqual((await user.clean('paused')).removed, []);
      await user.pause();
      await user.addIds('d');

      assert.deepEqual((await user.clean('paused')).removed, ['a', 'b', 'd']);

      assert.deepEqual(await user.ids('prioritized'), ['c']);
    },
  },
];
