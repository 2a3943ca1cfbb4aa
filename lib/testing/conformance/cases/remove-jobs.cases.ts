import assert from 'node:assert/strict';

import { Refusal } from '../../../contract/refusal';
import type { ContractCase } from '../conformance-case';
import { completed, failure, leaseOf, leasesOf, retry } from '../queue-user';

/** @internal */
export const REMOVE_JOBS_CASES: readonly ContractCase[] = [
  {
    operation: 'removeJobs',
    title: 'MGMT-11 removes a job of any state, and tells which it was in',
    covers: ['success', 'event:removed'],
    async run(context) {
      const user = context.open();
      await user.addIds('ended', 'broken', 'abandoned');
      const claim = await user.claim(3, { leaseDuration: 10 });
      await user.settle([
        ...completed({ ...claim, jobs: [claim.jobs[0]!] }),
        failure(leaseOf(claim, 'broken')),
      ]);
      await context.advance(10);
      await user.add({ id: 'ready' }, { id: 'ranked', priority: 3 }, { id: 'late', delay: 1_000 });
      const ids = ['ended', 'broken', 'abandoned', 'ready', 'ranked', 'late'];
      const tail = await context.tail(user);

      const reply = await user.remove(...ids);

      assert.deepEqual(reply, {
        now: await user.handle.time(),
        refusals: ids.map(() => null),
        unfinished: [],
      });
      assert.deepEqual(
        await user.handle.getJobs(ids),
        ids.map(() => null),
      );
      const counts = Object.values(await user.handle.getCounts());
      assert.deepEqual(counts, [0, 0, 0, 0, 0, 0, 0]);
      const prev = ['completed', 'failed', 'active', 'wait', 'prioritized', 'delayed'];
      await tail.expect(ids.map((jobId, index) => ({ event: 'removed', jobId, prev: prev[index]! })));
    },
  },
  {
    operation: 'removeJobs',
    title: 'MGMT-10 refuses a job that is leased, and only as long as it is',
    covers: ['refusal:JobLeased'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      const claim = await user.claim(1, { leaseDuration: 10 });
      await context.advance(9);
      const before = await user.snapshot();

      context.expectRefusals(await user.remove('a'), Refusal.JobLeased);
      assert.deepEqual(await user.snapshot(), before);
      context.expectRefusals(await user.renew(leasesOf(claim), 10), null);
      await context.advance(10);
      context.expectRefusals(await user.remove('a'), null);

      context.expectRefusals(await user.settle(completed(claim)), Refusal.JobNotFound);
      assert.equal(await user.state('a'), null);
    },
  },
  {
    operation: 'removeJobs',
    title: 'MGMT-12 refuses jobs that are not there, and takes the others in order',
    covers: ['refusal:JobNotFound', 'refusal:JobLeased', 'event:removed'],
    async run(context) {
      const user = context.open();
      await user.addIds('leased', 'a', 'b', 'c');
      await user.claim(1);
      const tail = await context.tail(user);

      context.expectRefusals(
        await user.remove('b', 'none', 'leased', 'a', 'b'),
        null,
        Refusal.JobNotFound,
        Refusal.JobLeased,
        null,
        Refusal.JobNotFound,
      );

      assert.deepEqual(await user.ids('waiting'), ['c']);
      assert.deepEqual(await user.ids('active'), ['leased']);
      await tail.expect([
        { event: 'removed', jobId: 'b', prev: 'wait' },
        { event: 'removed', jobId: 'a', prev: 'wait' },
      ]);
    },
  },
  {
    operation: 'removeJobs',
    title: 'takes the names of stored keys for the ids of no jobs',
    covers: ['refusal:JobNotFound'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'a' }, { id: 'b', priority: 1 }, { id: 'c', delay: 1_000 });
      const names = [
        '',
        'wait',
        'meta',
        'events',
        'prioritized',
        'delayed',
        'id',
        'pc',
        'marker',
        'a:lock',
        '*',
      ];
      const before = await user.snapshot();

      context.expectRefusals(await user.remove(...names), ...names.map(() => Refusal.JobNotFound));

      assert.deepEqual(await user.snapshot(), before);
    },
  },
  {
    operation: 'removeJobs',
    title: 'leaves nothing of a job to one that is added under its id',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      const claim = await user.claim(1);
      await user.progress('a', '50');
      await user.settle([retry(leaseOf(claim), { delay: 100 })]);
      await user.remove('a');
      await user.addIds('a');

      const job = await user.job('a');
      const { progress, failedReason, stacktrace, attemptsMade, attemptsStarted, processedOn } = job!;
      assert.deepEqual(
        [progress, failedReason, stacktrace, attemptsMade, attemptsStarted, processedOn],
        [null, null, '[]', 0, 0, null],
      );
      await context.advance(100);
      assert.deepEqual(
        (await user.claim(5)).jobs.map((each) => each.id),
        ['a'],
      );
    },
  },
  {
    operation: 'removeJobs',
    title: 'keeps the order of those that stay, and their wake-ups',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b', 'c', 'd', 'e');
      await user.add({ id: 'soon', delay: 10 }, { id: 'late', delay: 20 });
      await user.remove('c', 'a', 'e', 'soon');
      assert.deepEqual(await user.ids('waiting'), ['b', 'd']);

      const claim = await user.claim(5);

      assert.deepEqual(
        claim.jobs.map((job) => job.id),
        ['b', 'd'],
      );
      assert.deepEqual(claim.idle, { reason: 'empty', dueIn: 20 });
    },
  },
  {
    operation: 'removeJobs',
    title: 'takes an abandoned job from the sweep',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b');
      await user.claim(2, { leaseDuration: 10 });
      await user.recover();
      await context.advance(30_000);
      await user.remove('a');

      const { recovered } = await user.recover();

      assert.deepEqual(recovered, ['b']);
      assert.equal(await user.state('a'), null);
      assert.deepEqual(await user.ids('waiting'), ['b']);
    },
  },
];
