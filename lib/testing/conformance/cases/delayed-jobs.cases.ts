import assert from 'node:assert/strict';

import { MAX_BATCH } from '../../../contract/mutating-call';
import { MAX_MOVED } from '../../../contract/job-moves';
import { Refusal } from '../../../contract/refusal';
import type { ContractCase } from '../conformance-case';
import { addEachState, type QueueUser } from '../queue-user';

/** Adds delayed jobs, the first of which is due first. */
async function addDelayed(user: QueueUser, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, index) => `d${index}`);
  for (let first = 0; first < count; first += MAX_BATCH) {
    await user.add(
      ...ids.slice(first, first + MAX_BATCH).map((id, index) => ({ id, delay: 1_000 + first + index })),
    );
  }
  return ids;
}

/** @internal */
export const DELAYED_JOB_CASES: readonly ContractCase[] = [
  {
    operation: 'promoteJobs',
    title: 'MGMT-14 makes delayed jobs ready, behind those that wait, whatever their time',
    covers: ['success', 'event:waiting'],
    async run(context) {
      const user = context.open();
      await user.add(
        { id: 'late', delay: 9_000 },
        { id: 'soon', delay: 10, lifo: true },
        { id: 'stays', delay: 20 },
        { id: 'w' },
      );
      const tail = await context.tail(user);
      const before = await user.job('late');

      const reply = await user.promote('late', 'soon');

      assert.deepEqual(reply, { now: await user.handle.time(), refusals: [null, null] });
      assert.deepEqual(await user.job('late'), { ...before, state: 'waiting', delay: 0 });
      assert.deepEqual(await user.ids('waiting'), ['w', 'late', 'soon']);
      assert.deepEqual(await user.ids('delayed'), ['stays']);
      await tail.expect([
        { event: 'waiting', jobId: 'late', prev: 'delayed' },
        { event: 'waiting', jobId: 'soon', prev: 'delayed' },
      ]);
    },
  },
  {
    operation: 'promoteJobs',
    title: 'puts a prioritized job behind those of its priority',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.add(
        { id: 'd', delay: 100, priority: 3 },
        { id: 'low', priority: 4 },
        { id: 'same', priority: 3 },
      );

      await user.promote('d');

      assert.deepEqual(await user.ids('prioritized'), ['same', 'd', 'low']);
      assert.equal(await user.state('d'), 'prioritized');
    },
  },
  {
    operation: 'promoteJobs',
    title: 'MGMT-14 STORE-04 refuses jobs that are not there or not delayed, and takes the others',
    covers: ['refusal:JobNotFound', 'refusal:WrongState', 'event:waiting'],
    async run(context) {
      const user = context.open();
      await addEachState(user);
      const before = await user.snapshot();
      const tail = await context.tail(user);

      const refused = await user.promote('none', 'done', 'running', 'w');

      const { JobNotFound, WrongState } = Refusal;
      context.expectRefusals(refused, JobNotFound, WrongState, WrongState, WrongState);
      assert.deepEqual(await user.snapshot(), before);
      context.expectRefusals(await user.promote('none', 'd', 'd'), JobNotFound, null, WrongState);
      assert.deepEqual(await user.ids('waiting'), ['w', 'd']);
      await tail.expect([{ event: 'waiting', jobId: 'd', prev: 'delayed' }]);
    },
  },
  {
    operation: 'promoteJobs',
    title: 'moves jobs of a paused queue as well, which wait until it is resumed',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'd', delay: 100 });
      await user.pause();

      await user.promote('d');

      assert.equal(await user.state('d'), 'waiting');
      assert.deepEqual((await user.claim(1)).jobs, []);
      await user.resume();
      assert.deepEqual((await user.claim(1)).jobs[0]?.id, 'd');
    },
  },
  {
    operation: 'promoteDelayedJobs',
    title:
      'makes as many delayed jobs ready as are wanted, those that are due first, and says whether there are more',
    covers: ['success', 'event:waiting'],
    async run(context) {
      const user = context.open();
      await user.add(
        { id: 'c', delay: 3_000 },
        { id: 'a', delay: 1_000 },
        { id: 'b', delay: 2_000, priority: 7 },
        { id: 'w' },
      );
      const tail = await context.tail(user);

      const reply = await user.promoteDelayed(2);

      assert.deepEqual(reply, { now: await user.handle.time(), moved: 2, more: true });
      assert.deepEqual(
        [await user.ids('waiting'), await user.ids('prioritized'), await user.ids('delayed')],
        [['w', 'a'], ['b'], ['c']],
      );
      assert.equal((await user.job('b'))?.delay, 0);
      const { moved, more } = await user.promoteDelayed(1);
      assert.deepEqual([moved, more], [1, false]);
      const none = await user.promoteDelayed(1);
      assert.deepEqual([none.moved, none.more], [0, false]);
      await tail.expect(['a', 'b', 'c'].map((jobId) => ({ event: 'waiting', jobId, prev: 'delayed' })));
    },
  },
  {
    operation: 'promoteDelayedJobs',
    title: 'moves a bounded number of jobs, whatever is wanted',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const ids = await addDelayed(user, MAX_MOVED + 1);

      const { moved, more } = await user.promoteDelayed(ids.length);

      assert.deepEqual([moved, more], [MAX_MOVED, true]);
      assert.deepEqual(await user.ids('delayed'), ids.slice(MAX_MOVED));
      assert.deepEqual(await user.ids('waiting'), ids.slice(0, MAX_MOVED));
    },
  },
  {
    operation: 'changeDelays',
    title:
      'MGMT-16 holds delayed jobs back until another time, counted from now, sooner or later than before',
    covers: ['success', 'event:delayed'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'a', delay: 100 }, { id: 'b', delay: 200 }, { id: 'c', delay: 300 });
      await context.advance(50);
      const tail = await context.tail(user);
      const before = await user.job('a');
      const now = await user.handle.time();

      const reply = await user.changeDelays(['a', 1_000], ['c', 9.5]);

      assert.deepEqual(reply, { now, refusals: [null, null] });
      assert.deepEqual(await user.job('a'), { ...before, delay: 1_000 });
      assert.equal((await user.job('c'))?.delay, 10);
      assert.deepEqual(await user.ids('delayed'), ['c', 'b', 'a']);
      await tail.expect([
        { event: 'delayed', jobId: 'a', delay: now + 1_000 },
        { event: 'delayed', jobId: 'c', delay: now + 10 },
      ]);
      await context.advance(9);
      assert.deepEqual((await user.claim(1)).idle, { reason: 'empty', dueIn: 1 });
      await context.advance(1);
      assert.equal((await user.claim(1)).jobs[0]?.id, 'c');
    },
  },
  {
    operation: 'changeDelays',
    title: 'puts a job behind those that are due at the same time, and makes it due with no delay',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'a', delay: 100 }, { id: 'b', delay: 100 }, { id: 'c', delay: 200 });

      await user.changeDelays(['a', 100]);
      assert.deepEqual(await user.ids('delayed'), ['b', 'a', 'c']);
      await user.changeDelays(['c', 0]);

      assert.deepEqual([await user.state('c'), (await user.job('c'))?.delay], ['delayed', 0]);
      assert.deepEqual(
        (await user.claim(3)).jobs.map(({ id }) => id),
        ['c'],
      );
    },
  },
  {
    operation: 'changeDelays',
    title: 'MGMT-16 refuses jobs that are not there or not delayed, and takes the others',
    covers: ['refusal:JobNotFound', 'refusal:WrongState', 'event:delayed'],
    async run(context) {
      const user = context.open();
      await addEachState(user);
      await user.add({ id: 'p', priority: 1 });
      const before = await user.snapshot();
      const tail = await context.tail(user);

      const refused = await user.changeDelays(['none', 5], ['done', 5], ['running', 5], ['w', 5], ['p', 5]);

      const { JobNotFound, WrongState } = Refusal;
      context.expectRefusals(refused, JobNotFound, WrongState, WrongState, WrongState, WrongState);
      assert.deepEqual(await user.snapshot(), before);
      context.expectRefusals(await user.changeDelays(['none', 5], ['d', 5]), JobNotFound, null);
      const delay = (await user.handle.time()) + 5;
      await tail.expect([{ event: 'delayed', jobId: 'd', delay }]);
    },
  },
];
