import assert from 'node:assert/strict';

import { Refusal } from '../../../contract/refusal';
import type { ContractCase } from '../conformance-case';
import type { ExpectedEvent } from '../event-tail';
import { addEachState, completed, leasesOf, retry, type QueueUser } from '../queue-user';

/** What is stored of how jobs ended, by their ids. */
async function endsOf(user: QueueUser, ids: readonly string[]): Promise<unknown[]> {
  const jobs = await user.handle.getJobs(ids);
  return jobs.map(
    (job) => job && [job.state, job.failedReason, job.failedCode, job.attemptsMade, job.cancelReason],
  );
}

/**
 * Cancelling jobs that nobody holds.
 *
 * @internal
 */
export const CANCEL_JOBS_CASES: readonly ContractCase[] = [
  {
    operation: 'cancelJobs',
    title: 'fails jobs that nobody holds at once, whatever they wait for, and tells where they were',
    covers: ['success', 'event:failed'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'w' }, { id: 'p', priority: 3 }, { id: 'd', delay: 100 }, { id: 'other' });
      const ids = ['d', 'w', 'p'];
      const tail = await context.tail(user);
      await context.advance(5);

      const reply = await user.cancel(...ids);

      const now = await user.handle.time();
      assert.deepEqual(reply, {
        now,
        refusals: ids.map(() => null),
        answers: ids.map(() => 'ended'),
      });
      assert.deepEqual(
        await endsOf(user, ids),
        ids.map(() => ['failed', 'why', 'cancelled', 0, null]),
      );
      const jobs = await user.handle.getJobs(ids);
      assert.deepEqual(
        jobs.map((job) => [job!.finishedOn, job!.processedOn, job!.stacktrace]),
        ids.map(() => [now, null, '[]']),
      );
      assert.deepEqual(await user.ids('failed'), ids);
      const failed = { event: 'failed', failedReason: 'why' };
      await tail.expect([
        { ...failed, jobId: 'd', prev: 'delayed' },
        { ...failed, jobId: 'w', prev: 'waiting' },
        { ...failed, jobId: 'p', prev: 'prioritized' },
      ]);
      assert.deepEqual(
        (await user.claim(5)).jobs.map(({ id }) => id),
        ['other'],
      );
      await context.advance(100);
      assert.deepEqual((await user.claim(5)).jobs, []);
    },
  },
  {
    operation: 'cancelJobs',
    title: 'tells that nothing is left when the last job that waited has ended, and only then',
    covers: ['event:drained', 'event:failed'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'd', delay: 1_000 }, { id: 'e', delay: 1_000 }, { id: 'held' });
      const claim = await user.claim(1);
      await user.addIds('a', 'b', 'c');
      const tail = await context.tail(user);
      const failed = (jobId: string, prev: string): ExpectedEvent => ({
        event: 'failed',
        jobId,
        failedReason: 'why',
        prev,
      });

      await user.cancel('d');
      await user.cancel('a');
      await user.cancel('b', 'c');
      await tail.expect([
        failed('d', 'delayed'),
        failed('a', 'waiting'),
        failed('b', 'waiting'),
        failed('c', 'waiting'),
      ]);
      await user.settle(completed(claim));
      await user.add({ id: 'last', priority: 1 });
      const lastTail = await context.tail(user);
      await user.cancel('last');
      await user.cancel('e');

      await lastTail.expect([failed('last', 'prioritized'), { event: 'drained' }, failed('e', 'delayed')]);
    },
  },
  {
    operation: 'cancelJobs',
    title: 'refuses jobs that are not there or have ended, and takes the others',
    covers: ['refusal:JobNotFound', 'refusal:WrongState'],
    async run(context) {
      const user = context.open();
      await user.addIds('done', 'broken');
      await user.settle(completed(await user.claim(1)));
      await user.failAll();
      await user.addIds('a', 'b');
      const before = await user.snapshot();
      const { NotFound, WrongState } = { NotFound: Refusal.JobNotFound, WrongState: Refusal.WrongState };

      const refused = await user.cancel('none', 'done', 'broken');
      context.expectRefusals(refused, NotFound, WrongState, WrongState);
      assert.deepEqual(refused.answers, [null, null, null]);
      assert.deepEqual(await user.snapshot(), before);
      const mixed = await user.cancel('none', 'b', 'b', 'done');

      context.expectRefusals(mixed, NotFound, null, WrongState, WrongState);
      assert.deepEqual(mixed.answers, [null, 'ended', null, null]);
      assert.deepEqual(await user.ids('waiting'), ['a']);
      assert.deepEqual((await user.job('done'))!.failedReason, null);
      assert.deepEqual((await user.job('broken'))!.failedReason, 'broken');
    },
  },
  {
    operation: 'cancelJobs',
    title: 'takes the names of stored keys for the ids of no jobs',
    covers: ['refusal:JobNotFound'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'a' }, { id: 'b', priority: 1 }, { id: 'c', delay: 1_000 });
      await user.claim(1);
      const names = ['', 'wait', 'meta', 'events', 'prioritized', 'active', 'id', 'marker', 'a:lock', '*'];
      const before = await user.snapshot();

      context.expectRefusals(await user.cancel(...names), ...names.map(() => Refusal.JobNotFound));

      assert.deepEqual(await user.snapshot(), before);
    },
  },
  {
    operation: 'cancelJobs',
    title: 'fails a job whose lease is over at once, and gives its room to others',
    covers: ['success', 'event:failed'],
    async run(context) {
      const user = context.open();
      const idle = context.open();
      await user.setCeiling(1);
      await user.addIds('a', 'b');
      const claim = await user.claim(1, { leaseDuration: 10 });
      await user.recover();
      await context.advance(10);
      assert.equal((await idle.claim(1)).idle?.reason, 'blocked');
      await context.takeWakeUps(idle);
      const waiting = idle.handle.waitForWork({ block: 3_600_000, signal: context.signal().signal });
      const tail = await context.tail(user);

      assert.deepEqual((await user.cancel('a')).answers, ['ended']);

      await tail.expect([{ event: 'failed', jobId: 'a', failedReason: 'why', prev: 'active' }]);
      assert.deepEqual(await endsOf(user, ['a']), [['failed', 'why', 'cancelled', 0, null]]);
      context.expectRefusals(await user.settle(completed(claim)), Refusal.LeaseMissing);
      assert.equal(await waiting, true);
      assert.deepEqual(
        (await idle.claim(1)).jobs.map(({ id }) => id),
        ['b'],
      );
      for (const recovered of [[], ['b']]) {
        await context.advance(30_000);
        assert.deepEqual((await user.recover()).recovered, recovered);
      }
    },
  },
  {
    operation: 'cancelJobs',
    title: 'takes jobs of a paused queue as well, and those that wait for a further attempt',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.addIds('tried');
      const [lease] = leasesOf(await user.claim(1));
      await user.settle([retry(lease!, { delay: 100, stacktrace: '["Error: first"]' })]);
      await user.pause();
      await user.add({ id: 'w' }, { id: 'p', priority: 1 });

      assert.deepEqual((await user.cancel('w', 'p', 'tried')).answers, ['ended', 'ended', 'ended']);

      const end = ['failed', 'why', 'cancelled', 0, null];
      assert.deepEqual(await endsOf(user, ['w', 'p', 'tried']), [
        end,
        end,
        ['failed', 'why', 'cancelled', 1, null],
      ]);
      assert.equal((await user.job('tried'))!.stacktrace, '["Error: first"]');
      await user.resume();
      assert.deepEqual((await user.claim(5)).jobs, []);
    },
  },
  {
    operation: 'cancelJobs',
    title: 'keeps what the own options of a job say of those that fail',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      const add = async (id: string, removeOnFail: unknown): Promise<void> => {
        await user.add({ id, options: JSON.stringify({ removeOnFail }) });
      };
      await user.add(...['a', 'b', 'c'].map((id) => ({ id, options: 'null' })));
      await user.cancel('a', 'b', 'c');
      for (const [id, option] of Object.entries({ t: true, zero: 0, f: false, two: 2 })) {
        await add(id, option);
      }
      context.expectRefusals(await user.cancel('t', 'zero', 't'), null, null, Refusal.JobNotFound);
      assert.deepEqual(await user.ids('failed'), ['a', 'b', 'c']);
      await user.cancel('f');
      assert.deepEqual(await user.ids('failed'), ['a', 'b', 'c', 'f']);
      await add('one of two', 1);
      await add('two of two', 1);
      context.expectRefusals(
        await user.cancel('one of two', 'two of two', 'one of two', 'two of two', 'f'),
        null,
        null,
        Refusal.JobNotFound,
        Refusal.WrongState,
        Refusal.JobNotFound,
      );
      await user.cancel('two');
      assert.deepEqual(await user.ids('failed'), ['two of two', 'two']);

      await context.advance(1_000);
      await add('young', { age: 1.5 });
      await user.cancel('young');
      assert.deepEqual(await user.ids('failed'), ['two of two', 'two', 'young']);
      await context.advance(500);
      await add('aged', { age: 1.5 });
      await user.cancel('aged');
      assert.deepEqual(await user.ids('failed'), ['young', 'aged']);
      await add('limited', { count: 0.5, limit: 1 });
      await user.cancel('limited');
      assert.deepEqual(await user.ids('failed'), ['young', 'aged']);
      await user.add({ id: 'x' }, { id: 'y' }, { id: 'z' });
      await user.cancel('x', 'y', 'z');
      await add('one', { count: 1, limit: 2 });
      await user.cancel('one');
      assert.deepEqual(await user.ids('failed'), ['x', 'y', 'z', 'one']);
    },
  },
  {
    operation: 'cancelJobs',
    title: 'leaves nothing of a cancel to a job that is run again',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await addEachState(user);
      await user.cancel('w', 'running');
      await user.settle(completed({ jobs: [], token: '', iterations: [], idle: null }));
      await user.retry({ id: 'w' });

      const { failedReason, failedCode, finishedOn, cancelReason } = (await user.job('w'))!;
      assert.deepEqual([failedReason, failedCode, finishedOn, cancelReason], [null, null, null, null]);
      assert.deepEqual(
        (await user.claim(5)).jobs.map((job) => [job.id, job.cancelReason]),
        [['w', null]],
      );
    },
  },
];
