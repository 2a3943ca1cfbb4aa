import assert from 'node:assert/strict';

import { MAX_BATCH } from '../../../contract/mutating-call';
import { MAX_MOVED } from '../../../contract/job-moves';
import { Refusal } from '../../../contract/refusal';
import type { ContractCase } from '../conformance-case';
import { addEachState, completed, failure, leaseOf, leasesOf } from '../queue-user';

/** @internal */
export const RETRY_JOBS_CASES: readonly ContractCase[] = [
  {
    operation: 'retryJobs',
    title: 'MGMT-19 MGMT-20 makes a failed job ready, and forgets its end but not its stacks and attempts',
    covers: ['success', 'event:waiting'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      const claim = await user.claim(1, { workerName: 'worker' });
      await user.settle([failure(leaseOf(claim), { code: 'no-handler' })]);
      await user.addIds('w');
      const before = await user.job('a');
      const tail = await context.tail(user);

      const reply = await user.retry({ id: 'a' });

      assert.deepEqual(reply, { now: await user.handle.time(), refusals: [null] });
      const forgotten = { failedReason: null, failedCode: null, processedOn: null, finishedOn: null };
      assert.deepEqual(await user.job('a'), { ...before, ...forgotten, state: 'waiting' });
      assert.deepEqual([before?.attemptsMade, before?.attemptsStarted], [1, 1]);
      assert.deepEqual(await user.ids('waiting'), ['w', 'a']);
      await tail.expect([{ event: 'waiting', jobId: 'a', prev: 'failed' }]);
      await user.finishAll();
      assert.deepEqual([await user.state('a'), (await user.job('a'))?.attemptsMade], ['completed', 2]);
    },
  },
  {
    operation: 'retryJobs',
    title: 'MGMT-20 makes a completed job ready, and forgets its result',
    covers: ['success', 'event:waiting'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      await user.failAll();
      await user.retry({ id: 'a' });
      await user.settle(completed(await user.claim(1), { returnValue: '7' }));
      const before = await user.job('a');
      const tail = await context.tail(user);

      await user.retry({ id: 'a', state: 'completed' });

      const forgotten = { returnValue: null, processedOn: null, finishedOn: null };
      assert.deepEqual(await user.job('a'), { ...before, ...forgotten, state: 'waiting' });
      await tail.expect([{ event: 'waiting', jobId: 'a', prev: 'completed' }]);
    },
  },
  {
    operation: 'retryJobs',
    title: 'forgets attempts when that is wanted, each kind by itself',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b', 'c');
      await user.failAll();

      await user.retry(
        { id: 'a', resetAttemptsMade: true },
        { id: 'b', resetAttemptsStarted: true },
        { id: 'c', resetAttemptsMade: true, resetAttemptsStarted: true },
      );

      const attempts = (await user.handle.getJobs(['a', 'b', 'c'])).map((job) => [
        job?.attemptsMade,
        job?.attemptsStarted,
      ]);
      assert.deepEqual(attempts, [
        [0, 1],
        [1, 0],
        [0, 0],
      ]);
      const claim = await user.claim(3);
      assert.deepEqual(
        claim.jobs.map((job) => [job.id, job.attemptsMade, job.attemptsStarted]),
        [
          ['a', 0, 2],
          ['b', 1, 1],
          ['c', 0, 1],
        ],
      );
    },
  },
  {
    operation: 'retryJobs',
    title: 'puts a job behind those of its priority, and a plain one before all when it is to go first',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'a' }, { id: 'first' }, { id: 'p', priority: 3 }, { id: 'q', priority: 3 });
      await user.failAll();
      await user.add({ id: 'w' }, { id: 'same', priority: 3 });

      await user.retry({ id: 'a' }, { id: 'first', lifo: true }, { id: 'p', lifo: true }, { id: 'q' });

      assert.deepEqual(await user.ids('waiting'), ['first', 'w', 'a']);
      assert.deepEqual(await user.ids('prioritized'), ['same', 'p', 'q']);
    },
  },
  {
    operation: 'retryJobs',
    title: 'MGMT-19 refuses jobs that are not there or did not end as is said, and takes the others',
    covers: ['refusal:JobNotFound', 'refusal:WrongState', 'event:waiting'],
    async run(context) {
      const user = context.open();
      await user.addIds('broken');
      await user.failAll();
      await addEachState(user);
      const before = await user.snapshot();
      const tail = await context.tail(user);

      const refused = await user.retry(
        { id: 'none' },
        { id: 'done' },
        { id: 'broken', state: 'completed' },
        { id: 'running' },
        { id: 'w', state: 'completed' },
        { id: 'd' },
      );

      const { JobNotFound, WrongState } = Refusal;
      context.expectRefusals(
        refused,
        JobNotFound,
        WrongState,
        WrongState,
        WrongState,
        WrongState,
        WrongState,
      );
      assert.deepEqual(await user.snapshot(), before);
      context.expectRefusals(
        await user.retry({ id: 'none' }, { id: 'broken' }, { id: 'broken' }),
        JobNotFound,
        null,
        WrongState,
      );
      await tail.expect([{ event: 'waiting', jobId: 'broken', prev: 'failed' }]);
    },
  },
  {
    operation: 'retryFinishedJobs',
    title:
      'makes as many finished jobs ready as are wanted, those that ended first, and says whether there are more',
    covers: ['success', 'event:waiting'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'a' }, { id: 'b' }, { id: 'p', priority: 3 }, { id: 'q', priority: 3 });
      const claim = await user.claim(4);
      await user.settle(leasesOf(claim).map((lease) => failure(lease)));
      await user.add({ id: 'w', priority: 3 });
      const tail = await context.tail(user);

      const reply = await user.retryFinished('failed', 3);

      assert.deepEqual(reply, { now: await user.handle.time(), moved: 3, more: true });
      assert.deepEqual(
        [await user.ids('waiting'), await user.ids('prioritized'), await user.ids('failed')],
        [['a', 'b'], ['w', 'p'], ['q']],
      );
      const job = await user.job('a');
      assert.deepEqual([job?.failedReason, job?.finishedOn, job?.attemptsMade], [null, null, 1]);
      const last = await user.retryFinished('failed', 1);
      assert.deepEqual([last.moved, last.more], [1, false]);
      const none = await user.retryFinished('failed', 1);
      assert.deepEqual([none.moved, none.more], [0, false]);
      await tail.expect(['a', 'b', 'p', 'q'].map((jobId) => ({ event: 'waiting', jobId, prev: 'failed' })));
    },
  },
  {
    operation: 'retryFinishedJobs',
    title: 'takes jobs of the given state alone, that ended at the given time at the latest',
    covers: ['success', 'event:waiting'],
    async run(context) {
      const user = context.open();
      await user.addIds('broken');
      await user.failAll();
      await user.addIds('a', 'b');
      await user.finishAll();
      const until = await user.handle.time();
      await context.advance(1);
      await user.addIds('c');
      await user.finishAll();
      const tail = await context.tail(user);

      const before = await user.retryFinished('completed', 10, until - 1);
      assert.deepEqual([before.moved, before.more], [0, false]);
      const { moved, more } = await user.retryFinished('completed', 10, until);

      assert.deepEqual([moved, more], [2, false]);
      assert.deepEqual(
        [await user.ids('waiting'), await user.ids('completed'), await user.ids('failed')],
        [['a', 'b'], ['c'], ['broken']],
      );
      assert.equal((await user.job('a'))?.returnValue, null);
      await tail.expect(['a', 'b'].map((jobId) => ({ event: 'waiting', jobId, prev: 'completed' })));
    },
  },
  {
    operation: 'retryFinishedJobs',
    title: 'moves a bounded number of jobs, whatever is wanted',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const ids = Array.from({ length: MAX_MOVED + 1 }, (_, index) => `f${index}`);
      for (let first = 0; first < ids.length; first += MAX_BATCH) {
        await user.addIds(...ids.slice(first, first + MAX_BATCH));
        await user.finishAll();
      }

      const { moved, more } = await user.retryFinished('completed', ids.length);

      assert.deepEqual([moved, more], [MAX_MOVED, true]);
      assert.deepEqual(await user.ids('completed'), ids.slice(MAX_MOVED));
      assert.deepEqual(await user.ids('waiting'), ids.slice(0, MAX_MOVED));
    },
  },
];
