import assert from 'node:assert/strict';

import { CHANNELS } from '../../../contract/mutating-call';
import type { ContractCase } from '../conformance-case';
import { completed, leaseOf } from '../queue-user';

const MINUTE = 60_000;

/**
 * What a call that is made again is answered, beyond what holds of all operations alike.
 *
 * @internal
 */
export const REPLY_SLOT_CASES: readonly ContractCase[] = [
  {
    operation: 'claimJobs',
    title: 'returns jobs again as they are now, when it is made again',
    covers: ['replay'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b');
      const call = await user.nextCall('w0');
      const { claim } = await user.claimWith(call, 2);
      await user.progress('a', '50');

      const again = await user.claimWith(call, 2);

      assert.deepEqual(again.claim, {
        ...claim,
        jobs: [{ ...claim.jobs[0]!, progress: '50' }, claim.jobs[1]!],
      });
    },
  },
  {
    operation: 'claimJobs',
    title: 'leaves out, when it is made again, jobs that were settled since',
    covers: ['replay'],
    async run(context) {
      const user = context.open();
      await user.addIds('kept', 'done', 'gone', 'retried');
      const call = await user.nextCall('w0');
      const { claim } = await user.claimWith(call, 4);
      const other = context.open();
      await other.settle([
        { ...leaseOf(claim, 'retried'), kind: 'handed-back' },
        ...completed({ ...claim, jobs: claim.jobs.filter((job) => job.id === 'done') }),
        ...completed(
          { ...claim, jobs: claim.jobs.filter((job) => job.id === 'gone') },
          { retention: { count: 0, age: null, limit: 1 } },
        ),
      ]);
      assert.deepEqual(
        (await other.claim(4)).jobs.map((job) => job.id),
        ['retried'],
      );

      const again = await user.claimWith(call, 4);

      assert.deepEqual(
        again.claim.jobs.map((job) => job.id),
        ['kept'],
      );
    },
  },
  {
    operation: 'claimJobs',
    title: 'leaves out, when it is made again, jobs whose lease is over, whoever has them',
    covers: ['replay'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b');
      const call = await user.nextCall('w0');
      const { claim } = await user.claimWith(call, 2, { leaseDuration: 100 });
      await user.renew([leaseOf(claim, 'b')], 1_000);
      await context.advance(100);

      const again = await user.claimWith(call, 2, { leaseDuration: 100 });

      assert.deepEqual(
        again.claim.jobs.map((job) => job.id),
        ['b'],
      );
      assert.equal(await user.state('a'), 'active');
    },
  },
  {
    operation: 'claimJobs',
    title: 'takes nothing, when it is made again, that came in the meantime',
    covers: ['replay'],
    async run(context) {
      const user = context.open();
      const call = await user.nextCall('w0');
      const reply = await user.claimWith(call, 2);
      assert.deepEqual(reply.claim.idle, { reason: 'empty', dueIn: null });
      await user.addIds('a');

      assert.deepEqual(await user.claimWith(call, 2), reply);

      assert.equal(await user.state('a'), 'waiting');
    },
  },
  {
    operation: 'settleJobs',
    title: 'answers refusals and claimed jobs alike when it is made again',
    covers: ['replay'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b');
      const claim = await user.claim(1);
      const call = await user.nextCall('w0');
      const outcomes = [...completed(claim), ...completed(claim)];
      const reply = await user.settleWith(call, outcomes, 1);
      assert.equal(reply.refusals.length, 2);
      assert.notEqual(reply.refusals[1], null);
      assert.deepEqual(
        reply.claim?.jobs.map((job) => job.id),
        ['b'],
      );

      assert.deepEqual(await user.settleWith(call, outcomes, 1), reply);

      assert.equal((await user.job('a'))?.attemptsMade, 1);
      assert.equal((await user.job('b'))?.attemptsStarted, 1);
    },
  },
  {
    operation: 'settleJobs',
    title: 'answers no claim when it is made again without one',
    covers: ['replay'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b');
      const outcomes = completed(await user.claim(1));
      const call = await user.nextCall('w0');
      const reply = await user.settleWith(call, outcomes);
      assert.equal(reply.claim, null);

      assert.deepEqual(await user.settleWith(call, outcomes), reply);
    },
  },
  {
    operation: 'addJobs',
    title: 'is numbered by channel, and channels know nothing of each other',
    covers: ['replay'],
    async run(context) {
      const user = context.open();
      const other = context.open();
      const notAfter = (await user.handle.time()) + MINUTE;
      const job = { id: null, name: 'work', data: '{}', options: '{}', priority: 0, delay: 0, lifo: false };
      const channels = Object.values(CHANNELS).flat();
      for (const { handle } of [user, other]) {
        for (const channel of channels) {
          const call = { caller: handle.caller, channel, sequence: 1, notAfter };
          await handle.addJobs({ jobs: [job] }, call);
        }
      }

      assert.equal((await user.ids('waiting')).length, 2 * channels.length);
    },
  },
  {
    operation: 'addJobs',
    title: 'may leave numbers out',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const call = await user.nextCall('a0');
      for (const sequence of [7, 1_000_000]) {
        await user.handle.addJobs({ jobs: [] }, { ...call, sequence });
      }

      await assert.rejects(user.handle.addJobs({ jobs: [] }, { ...call, sequence: 8 }), {
        code: 'LANE_STALE_CALL',
      });
    },
  },
  {
    operation: 'addJobs',
    title: 'is known for ten minutes at least',
    covers: ['replay'],
    async run(context) {
      const user = context.open();
      const call = await user.nextCall('a0');
      const job = { id: null, name: 'work', data: '{}', options: '{}', priority: 0, delay: 0, lifo: false };
      const reply = await user.handle.addJobs({ jobs: [job] }, call);
      await context.advance(10 * MINUTE - 1);
      await context.open().addIds('other');

      assert.deepEqual(await user.handle.addJobs({ jobs: [job] }, call), reply);

      assert.equal((await user.handle.getCounts()).waiting, 2);
    },
  },
  {
    operation: 'addJobs',
    title: 'is known for ten minutes at least, whenever its caller made another call before',
    covers: ['replay'],
    async run(context) {
      const job = { id: null, name: 'work', data: '{}', options: '{}', priority: 0, delay: 0, lifo: false };
      const gaps = [1, 4, 5, 9].flatMap((minutes) => [minutes * MINUTE, minutes * MINUTE + 1]);
      for (const gap of gaps) {
        const user = context.open();
        await user.add({});
        await context.advance(gap);
        const call = await user.nextCall('a1');
        const reply = await user.handle.addJobs({ jobs: [job] }, call);
        await context.advance(10 * MINUTE - 1);

        assert.deepEqual(await user.handle.addJobs({ jobs: [job] }, call), reply);
      }

      assert.equal((await context.open().handle.getCounts()).waiting, 2 * gaps.length);
    },
  },
  {
    operation: 'claimJobs',
    title: 'is known for twice its lease at least',
    covers: ['replay'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      const call = await user.nextCall('w0');
      const { claim } = await user.claimWith(call, 1, { leaseDuration: 20 * MINUTE });
      await user.addIds('b');
      await context.advance(40 * MINUTE - 1);
      await context.open().recover();

      const again = await user.claimWith(call, 1, { leaseDuration: 20 * MINUTE });

      assert.deepEqual(again.claim, { ...claim, jobs: [] });
      assert.equal(await user.state('b'), 'waiting');
    },
  },
  {
    operation: 'addJobs',
    title: 'is known for as long as it may be made again',
    covers: ['replay'],
    async run(context) {
      const user = context.open();
      const notAfter = (await user.handle.time()) + 60 * MINUTE;
      const call = await user.nextCall('a0', { notAfter });
      const job = { id: null, name: 'work', data: '{}', options: '{}', priority: 0, delay: 0, lifo: false };
      const reply = await user.handle.addJobs({ jobs: [job] }, call);
      await context.advance(60 * MINUTE);
      await context.open().addIds('other');

      assert.deepEqual(await user.handle.addJobs({ jobs: [job] }, call), reply);

      assert.equal((await user.handle.getCounts()).waiting, 2);
    },
  },
];
