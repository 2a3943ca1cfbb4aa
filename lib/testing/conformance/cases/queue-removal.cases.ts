import assert from 'node:assert/strict';

import { NO_EVENTS } from '../../../contract/event-log';
import { MAX_REMOVED } from '../../../contract/job-removal';
import { Refusal } from '../../../contract/refusal';
import type { ContractCase } from '../conformance-case';
import { completed, failure, leaseOf, type QueueUser } from '../queue-user';

/** A queue with a job in every state that callers can bring about, in the order of `IDS`. */
async function fill(user: QueueUser): Promise<void> {
  await user.addIds('ended', 'broken', 'held');
  const claim = await user.claim(3);
  await user.settle([...completed({ ...claim, jobs: [claim.jobs[0]!] }), failure(leaseOf(claim, 'broken'))]);
  await user.add({ id: 'ready' }, { id: 'ranked', priority: 3 }, { id: 'late', delay: 1_000 });
}

const IDS = ['ended', 'broken', 'held', 'ready', 'ranked', 'late'];

/**
 * What empties a queue: of what waits, of everything, of events.
 *
 * @internal
 */
export const QUEUE_REMOVAL_CASES: readonly ContractCase[] = [
  {
    operation: 'drainQueue',
    title: 'MGMT-33 removes what waits, and nothing else, without an event',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await fill(user);
      const tail = await context.tail(user);

      const reply = await user.drain(false);

      assert.deepEqual(reply, { now: await user.handle.time(), removed: 2, kept: 0, more: false });
      assert.deepEqual(await user.handle.getStates(IDS), [
        'completed',
        'failed',
        'active',
        null,
        null,
        'delayed',
      ]);
      await tail.expect([]);
    },
  },
  {
    operation: 'drainQueue',
    title: 'MGMT-33 removes delayed jobs when told so',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await fill(user);

      assert.equal((await user.drain(true)).removed, 3);

      assert.deepEqual(await user.handle.getStates(['ready', 'ranked', 'late']), [null, null, null]);
      assert.equal((await user.drain(true)).removed, 0);
    },
  },
  {
    operation: 'drainQueue',
    title: 'empties a paused queue, which stays paused',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      await user.pause();
      await user.addIds('b');

      assert.equal((await user.drain(false)).removed, 2);

      assert.equal(await user.handle.isPaused(), true);
      await user.addIds('a');
      await user.resume();
      assert.deepEqual(
        (await user.claim(5)).jobs.map((job) => job.id),
        ['a'],
      );
    },
  },
  {
    operation: 'drainQueue',
    title: 'removes a bounded number of jobs, next to run first, and says that there may be more',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.add(...Array.from({ length: 200 }, () => ({})));
      await user.add(...Array.from({ length: MAX_REMOVED - 205 }, () => ({})));
      await user.add(...Array.from({ length: 7 }, (_, index) => ({ id: `p${index}`, priority: 1 })));

      const first = await user.drain(false);
      assert.deepEqual([first.removed, first.more], [MAX_REMOVED, true]);
      assert.deepEqual(await user.ids('prioritized'), ['p5', 'p6']);
      const second = await user.drain(false);

      assert.deepEqual([second.removed, second.more], [2, false]);
    },
  },
  {
    operation: 'obliterateQueue',
    title: 'MGMT-37 refuses while the queue is not paused, and while jobs are active, and changes nothing',
    covers: ['refusal:QueueNotPaused', 'refusal:QueueActive'],
    async run(context) {
      const user = context.open();
      await fill(user);
      const before = await user.snapshot();
      context.expectRefusal(await user.obliterate(), Refusal.QueueNotPaused);
      context.expectRefusal(await user.obliterate(true), Refusal.QueueNotPaused);
      assert.deepEqual(await user.snapshot(), before);
      await user.pause();
      const paused = await user.snapshot();

      context.expectRefusal(await user.obliterate(), Refusal.QueueActive);

      assert.deepEqual(await user.snapshot(), paused);
    },
  },
  {
    operation: 'obliterateQueue',
    title: 'MGMT-38 leaves a queue as one that never was',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      const fresh = await user.snapshot();
      await fill(user);
      await user.add({}, {});
      const claim = await user.claim(1);
      await user.pause();

      const reply = await user.obliterate(true);

      const now = await user.handle.time();
      assert.deepEqual(reply, { now, refusal: null, removed: 8, more: false });
      assert.deepEqual(await user.snapshot(), fresh);
      assert.deepEqual(await user.handle.readEvents({ after: '0-0', limit: 10, block: 0 }), NO_EVENTS);
      context.expectRefusals(await user.settle(completed(claim)), Refusal.JobNotFound);
      assert.deepEqual(await user.add({ id: 'ended' }, {}), [
        { id: 'ended', status: 'added' },
        { id: '2', status: 'added' },
      ]);
      assert.deepEqual(
        (await user.claim(5)).jobs.map((job) => job.id),
        ['ended', '2'],
      );
    },
  },
  {
    operation: 'obliterateQueue',
    title: 'goes state by state, and takes active jobs by their claims, whenever their leases end',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await fill(user);
      await user.addIds('held later');
      await user.changePriorities(['held later', 0, true]);
      await user.claim(1, { leaseDuration: 10 });
      await user.pause();
      const order: string[] = [];
      const ids = [...IDS, 'held later'];

      for (let left = ids; left.length > 0;) {
        await user.obliterate(true, 1);
        const states = await user.handle.getStates(left);
        order.push(...left.filter((_, index) => states[index] === null));
        left = left.filter((_, index) => states[index] !== null);
      }

      assert.deepEqual(order, ['held', 'held later', 'late', 'ended', 'ready', 'ranked', 'broken']);
    },
  },
  {
    operation: 'obliterateQueue',
    title: 'can be stopped after each step, and leaves what is left intact',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b', 'c', 'd', 'e');
      await user.pause();

      const first = await user.obliterate(false, 2);
      assert.deepEqual([first.removed, first.more], [2, true]);
      const left = await user.ids('waiting');
      assert.equal(left.length, 3);
      assert.equal((await user.handle.getJobs(left)).includes(null), false);
      await user.resume();
      context.expectRefusal(await user.obliterate(false, 2), Refusal.QueueNotPaused);
      assert.deepEqual(
        (await user.claim(1)).jobs.map((job) => job.id),
        [left[0]],
      );
      await user.pause();
      const second = await user.obliterate(true, 2);
      const third = await user.obliterate(true, 2);

      assert.deepEqual([second.removed, second.more], [2, true]);
      assert.deepEqual([third.removed, third.more], [1, false]);
      assert.equal(await user.handle.isPaused(), false);
    },
  },
  {
    operation: 'obliterateQueue',
    title: 'does not touch other queues',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const other = context.open({ queueName: 'others' });
      await other.addIds('a');
      await user.addIds('a');
      await user.pause();
      const before = await other.snapshot();

      await user.obliterate();

      assert.deepEqual(await other.snapshot(), before);
    },
  },
  {
    operation: 'findOrphanedJobs',
    title: 'finds no job that is in a state',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await fill(user);
      const found: string[] = [];
      let cursor: string | null = null;
      do {
        const page = await user.handle.findOrphanedJobs({ cursor, count: 100 });
        found.push(...page.ids);
        cursor = page.cursor;
      } while (cursor !== null);

      assert.deepEqual(found, []);
    },
  },
  {
    operation: 'removeOrphanedJobs',
    title: 'MGMT-39 removes no job that is in a state, and nothing that is no job',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await fill(user);
      const before = await user.snapshot();
      const ids = [...IDS, 'none', 'meta', 'wait', 'events', 'id'];

      const reply = await user.handle.removeOrphanedJobs({ ids }, await user.nextCall('c0'));

      assert.deepEqual(reply, { now: await user.handle.time(), removed: [], checked: ids.length });
      assert.deepEqual(await user.snapshot(), before);
    },
  },
  {
    operation: 'trimEvents',
    title: 'MGMT-32 drops the oldest events, beyond a number',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b', 'c');
      const last = await user.handle.lastEventId();
      const trim = async (maxLength: number): Promise<object> =>
        user.handle.trimEvents({ maxLength }, await user.nextCall('c0'));
      const now = await user.handle.time();

      assert.deepEqual(await trim(6), { now, removed: 0, more: false });
      assert.deepEqual(await trim(2), { now, removed: 4, more: false });
      const { events: left } = await user.handle.readEvents({ after: '0-0', limit: 10, block: 0 });
      assert.deepEqual(
        left.map(({ event, jobId }) => [event, jobId]),
        [
          ['added', 'c'],
          ['waiting', 'c'],
        ],
      );
      assert.equal(await user.handle.lastEventId(), last);
      assert.deepEqual(await trim(0), { now, removed: 2, more: false });

      assert.equal(await user.handle.lastEventId(), last);
      const tail = await context.tail(user);
      await user.addIds('d');
      await tail.expect([
        { event: 'added', jobId: 'd', name: 'work' },
        { event: 'waiting', jobId: 'd' },
      ]);
      assert.equal((await user.handle.getCounts()).waiting, 4);
    },
  },
];
