import assert from 'node:assert/strict';

import type { ContractCase } from '../conformance-case';
import { completed, completion, leaseOf, retry } from '../queue-user';

/**
 * How many jobs of a queue may be active at once.
 *
 * @internal
 */
export const CEILING_CASES: readonly ContractCase[] = [
  {
    operation: 'setCeiling',
    title: 'LIM-06 has no more jobs leased than may be active, by all callers together',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      const other = context.open();
      await user.add({ id: 'a' }, { id: 'b' }, { id: 'c', priority: 1 }, { id: 'd' });
      const now = await user.handle.time();
      assert.deepEqual(await user.setCeiling(3), { now });

      const first = await user.claim(1);
      const second = await other.claim(5);

      assert.equal(first.idle, null);
      assert.deepEqual(await user.ids('active'), ['a', 'b', 'd']);
      assert.deepEqual(second.idle, { reason: 'blocked', dueIn: null });
      const third = await user.claim(5);
      assert.deepEqual([third.jobs, third.idle], [[], { reason: 'blocked', dueIn: null }]);
      assert.deepEqual(await user.ids('prioritized'), ['c']);
    },
  },
  {
    operation: 'setCeiling',
    title: 'is told apart from a queue with nothing more to run',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.setCeiling(2);
      await user.addIds('a', 'b');

      assert.deepEqual((await user.claim(5)).idle, { reason: 'empty', dueIn: null });
      assert.deepEqual((await user.claim(5)).idle, { reason: 'blocked', dueIn: null });
    },
  },
  {
    operation: 'setCeiling',
    title: 'lets a settlement hand out the next job in the same call',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.setCeiling(2);
      await user.addIds('a', 'b', 'c', 'd', 'e');
      const claim = await user.claim(5);

      const reply = await user.settle([completion(leaseOf(claim, 'b'))], 5);

      assert.deepEqual(
        reply.claim?.jobs.map((job) => job.id),
        ['c'],
      );
      assert.deepEqual(reply.claim?.idle, { reason: 'blocked', dueIn: null });
      const both = [retry(leaseOf(claim, 'a')), ...completed(reply.claim)];
      assert.deepEqual(
        (await user.settle(both, 5)).claim?.jobs.map((job) => job.id),
        ['d', 'e'],
      );
    },
  },
  {
    operation: 'setCeiling',
    title: 'JOB-12 lets due jobs wait at the ceiling, leases none of them, and tells when the next is due',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.setCeiling(1);
      await user.add({ id: 'a' }, { id: 'due', delay: 10 }, { id: 'late', delay: 50 });
      await user.claim(1);
      await context.advance(10);
      const tail = await context.tail(user);

      const claim = await user.claim(1);

      assert.deepEqual([claim.jobs, claim.idle], [[], { reason: 'blocked', dueIn: 40 }]);
      assert.deepEqual(await user.ids('waiting'), ['due']);
      await tail.expect([{ event: 'waiting', jobId: 'due', prev: 'delayed' }]);
    },
  },
  {
    operation: 'setCeiling',
    title: 'LIM-06 spends no permit of a rate at the ceiling',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.setCeiling(1);
      await user.setRateLimit({ max: 2, duration: 1_000 });
      await user.addIds('a', 'b', 'c');
      const claim = await user.claim(5);
      for (let more = 0; more < 3; more += 1) {
        assert.equal((await user.claim(5)).idle?.reason, 'blocked');
      }

      const reply = await user.settle(completed(claim), 5);

      assert.deepEqual(
        reply.claim?.jobs.map((job) => job.id),
        ['b'],
      );
      assert.equal((await user.settle(completed(reply.claim), 5)).claim?.idle?.reason, 'limited');
    },
  },
  {
    operation: 'setCeiling',
    title: 'lets go on what is active when it is lowered, and is taken back by null',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b', 'c', 'd');
      const claim = await user.claim(3);
      await user.setCeiling(1);
      assert.deepEqual(await user.ids('active'), ['a', 'b', 'c']);
      context.expectRefusals(await user.settle(completed(claim).slice(1)), null, null);
      assert.deepEqual((await user.claim(1)).jobs, []);

      await user.setCeiling(null);

      assert.deepEqual((await user.claim(1)).jobs[0]?.id, 'd');
      assert.equal((await user.handle.getSettings()).ceiling, null);
    },
  },
  {
    operation: 'isMaxed',
    title: 'LIM-06 tells whether as many are active as may be, to every handle',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      const other = context.open();
      await user.addIds('a', 'b', 'c');
      assert.equal(await other.handle.isMaxed(), false);
      const claim = await user.claim(2);
      assert.equal(await other.handle.isMaxed(), false);
      await user.setCeiling(2);
      assert.equal(await other.handle.isMaxed(), true);
      await user.setCeiling(1);
      assert.equal(await other.handle.isMaxed(), true);
      await user.setCeiling(3);
      assert.equal(await other.handle.isMaxed(), false);
      await user.setCeiling(2);
      await user.settle([completion(leaseOf(claim, 'a'))]);

      assert.equal(await other.handle.isMaxed(), false);
      assert.equal(await context.open({ queueName: 'others' }).handle.isMaxed(), false);
    },
  },
  {
    operation: 'getSettings',
    title: 'tells what is stored for the queue, to every handle',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      const other = context.open();
      const none = { isPaused: false, ceiling: null, max: null, duration: null, maxEvents: 10_000 };
      assert.deepEqual(await other.handle.getSettings(), { ...none, version: null });
      await user.setCeiling(7);
      await user.setRateLimit({ max: 5, duration: 2_000 });
      await user.pause();

      const settings = await other.handle.getSettings();
      const { version } = settings;
      assert.deepEqual(settings, { ...none, isPaused: true, ceiling: 7, max: 5, duration: 2_000, version });
      await user.setRateLimit(null);
      assert.deepEqual(await other.handle.getSettings(), { ...none, isPaused: true, ceiling: 7, version });
    },
  },
];
