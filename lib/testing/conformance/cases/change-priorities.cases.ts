import assert from 'node:assert/strict';

import { Refusal } from '../../../contract/refusal';
import type { ContractCase } from '../conformance-case';
import { handBack, leaseOf } from '../queue-user';

/** @internal */
export const CHANGE_PRIORITIES_CASES: readonly ContractCase[] = [
  {
    operation: 'changePriorities',
    title: 'MGMT-24 moves jobs that are ready behind those of their new priority',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'a' }, { id: 'b' }, { id: 'p5', priority: 5 }, { id: 'p3', priority: 3 });
      const before = await user.job('a');

      const reply = await user.changePriorities(['a', 3], ['p5', 0]);

      assert.deepEqual(reply, { now: await user.handle.time(), refusals: [null, null] });
      assert.deepEqual(await user.job('a'), { ...before, state: 'prioritized', priority: 3 });
      assert.deepEqual(await user.ids('waiting'), ['b', 'p5']);
      assert.deepEqual(await user.ids('prioritized'), ['p3', 'a']);
      await user.changePriorities(['p3', 3]);
      assert.deepEqual(await user.ids('prioritized'), ['a', 'p3']);
      await user.changePriorities(['a', 2_097_151], ['b', 2_097_150]);
      assert.deepEqual(
        (await user.claim(4)).jobs.map(({ id }) => id),
        ['p5', 'p3', 'b', 'a'],
      );
    },
  },
  {
    operation: 'changePriorities',
    title: 'MGMT-25 moves a job before those of its new priority when it is to go first',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.add(
        { id: 'a' },
        { id: 'b' },
        { id: 'p3', priority: 3 },
        { id: 'q3', priority: 3 },
        { id: 'p2', priority: 2 },
      );

      await user.changePriorities(['b', 0, true], ['q3', 3, true], ['a', 3, true]);

      assert.deepEqual(await user.ids('waiting'), ['b']);
      assert.deepEqual(await user.ids('prioritized'), ['p2', 'a', 'q3', 'p3']);
    },
  },
  {
    operation: 'changePriorities',
    title:
      'MGMT-25 moves as many jobs as there are before the first of a priority, the last one to the very front',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'first', priority: 3 });
      // By their ids they would come in another order.
      const ids = ['e', 'b', 'd', 'a', 'c'];
      await user.addIds(...ids);
      await user.add({ id: 'p2', priority: 2 });

      for (const id of ids) {
        await user.changePriorities([id, 3, true]);
      }

      assert.deepEqual(await user.ids('prioritized'), ['p2', 'c', 'a', 'd', 'b', 'e', 'first']);
      await user.add({ id: 'last2', priority: 2 });
      assert.deepEqual((await user.ids('prioritized')).slice(0, 3), ['p2', 'last2', 'c']);
    },
  },
  {
    operation: 'changePriorities',
    title: 'MGMT-24 lets jobs that are not ready stay where they are, and counts when they become so',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('done');
      await user.finishAll();
      await user.addIds('running');
      const claimed = await user.claim(1);
      await user.add({ id: 'd', delay: 100 }, { id: 'p', priority: 5 });
      const tail = await context.tail(user);

      await user.changePriorities(['done', 2], ['running', 9, true], ['d', 4, true]);

      const states = await user.handle.getStates(['done', 'running', 'd']);
      assert.deepEqual(states, ['completed', 'active', 'delayed']);
      assert.equal((await user.job('done'))?.priority, 2);
      await tail.expect([]);
      await context.advance(100);
      await user.settle([handBack(leaseOf(claimed))]);
      const ids = (await user.claim(3)).jobs.map(({ id }) => id);
      assert.deepEqual(ids, ['d', 'p', 'running']);
    },
  },
  {
    operation: 'changePriorities',
    title: 'moves jobs of a paused queue as well',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'a' }, { id: 'b' }, { id: 'p', priority: 5 });
      await user.pause();

      await user.changePriorities(['a', 0], ['p', 0, true]);

      assert.deepEqual(await user.ids('waiting'), ['p', 'b', 'a']);
      assert.deepEqual((await user.claim(1)).jobs, []);
      await user.resume();
      assert.equal((await user.claim(3)).jobs.length, 3);
    },
  },
  {
    operation: 'changePriorities',
    title: 'takes a job that was taken back from a worker to its new priority',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'a', priority: 5 });
      await user.claim(1, { leaseDuration: 10 });
      await user.recover();
      await context.advance(30_000);
      await user.recover();
      await user.addIds('w');
      assert.deepEqual(await user.ids('waiting'), ['a', 'w']);

      await user.changePriorities(['a', 4]);

      assert.deepEqual([await user.ids('waiting'), await user.ids('prioritized')], [['w'], ['a']]);
    },
  },
  {
    operation: 'changePriorities',
    title: 'refuses jobs that are not there, and takes the others',
    covers: ['refusal:JobNotFound'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');

      // Ids may be names of what a store keeps of a queue besides.
      const reply = await user.changePriorities(['none', 1], ['meta', 1], ['wait', 1], ['a', 1]);

      const { JobNotFound } = Refusal;
      context.expectRefusals(reply, JobNotFound, JobNotFound, JobNotFound, null);
      assert.equal(await user.job('none'), null);
      assert.deepEqual(await user.ids('prioritized'), ['a']);
    },
  },
];
