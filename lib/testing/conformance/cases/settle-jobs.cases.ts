import assert from 'node:assert/strict';

import type { Claim, Outcome } from '../../../contract/job-handover';
import { MAX_BATCH } from '../../../contract/mutating-call';
import { Refusal } from '../../../contract/refusal';
import type { ContractCase } from '../conformance-case';
import { completed, completion, failure, handBack, leaseOf, retry } from '../queue-user';

/**
 * What becomes of a job by its outcome.
 *
 * @internal
 */
export const SETTLE_JOBS_CASES: readonly ContractCase[] = [
  {
    operation: 'settleJobs',
    title: 'JOB-19 completes a job',
    covers: ['success', 'event:completed', 'event:drained'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      const claim = await user.claim(1, { workerName: 'worker' });
      await context.advance(10);
      const now = await user.handle.time();
      const tail = await context.tail(user);

      const reply = await user.settle(completed(claim, { returnValue: '{"sent":true}' }));

      assert.deepEqual(reply, { now, refusals: [null], claim: null });
      assert.deepEqual(await user.job('a'), {
        ...claim.jobs[0]!,
        state: 'completed',
        attemptsMade: 1,
        returnValue: '{"sent":true}',
        finishedOn: now,
      });
      assert.deepEqual(await user.ids('active'), []);
      await tail.expect([
        { event: 'completed', jobId: 'a', returnvalue: '{"sent":true}', prev: 'active' },
        { event: 'drained' },
      ]);
    },
  },
  {
    operation: 'settleJobs',
    title: 'T-B57 brings results back as they were written',
    covers: ['event:completed'],
    async run(context) {
      const user = context.open();
      const texts = ['0', 'false', '""', 'null', '[]', '{"__proto__":1}', JSON.stringify('🙂\u2028')];
      const ids = texts.map((_, index) => `job-${index}`);
      await user.addIds(...ids);
      const claim = await user.claim(texts.length);
      const tail = await context.tail(user);

      await user.settle(
        claim.jobs.map((job, index) => completion(leaseOf(claim, job.id), { returnValue: texts[index]! })),
      );

      const jobs = await user.handle.getJobs(ids);
      assert.deepEqual(
        jobs.map((job) => job?.returnValue),
        texts,
      );
      await tail.expectOf(
        ['completed'],
        texts.map((returnvalue, index) => ({
          event: 'completed',
          jobId: ids[index]!,
          returnvalue,
          prev: 'active',
        })),
      );
    },
  },
  {
    operation: 'settleJobs',
    title: 'fails a job for good',
    covers: ['success', 'event:failed', 'event:retries-exhausted', 'event:drained'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      const claim = await user.claim(1);
      await context.advance(10);
      const now = await user.handle.time();
      const tail = await context.tail(user);

      const outcome = { reason: 'no such address', code: 'no-handler', stacktrace: '["Error: x"]' };
      const reply = await user.settle([failure(leaseOf(claim), outcome)]);

      context.expectRefusals(reply, null);
      assert.deepEqual(await user.job('a'), {
        ...claim.jobs[0]!,
        state: 'failed',
        attemptsMade: 1,
        failedReason: 'no such address',
        failedCode: 'no-handler',
        stacktrace: '["Error: x"]',
        finishedOn: now,
      });
      await tail.expect([
        { event: 'failed', jobId: 'a', failedReason: 'no such address', prev: 'active' },
        { event: 'retries-exhausted', jobId: 'a', attemptsMade: '1' },
        { event: 'drained' },
      ]);
    },
  },
  {
    operation: 'settleJobs',
    title: 'JOB-22 tells of used up attempts only when they are',
    covers: ['event:failed', 'event:retries-exhausted'],
    async run(context) {
      const user = context.open();
      await user.addIds('early', 'last');
      const first = await user.claim(2);
      await user.settle([retry(leaseOf(first, 'last')), failure(leaseOf(first, 'early'), { attempts: 2 })]);
      const tail = await context.tail(user);

      await user.settle([failure(leaseOf(await user.claim(1)), { attempts: 2 })]);

      await tail.expectOf(
        ['failed', 'retries-exhausted'],
        [
          { event: 'failed', jobId: 'last', failedReason: 'broken', prev: 'active' },
          { event: 'retries-exhausted', jobId: 'last', attemptsMade: '2' },
        ],
      );
      const { events } = await user.handle.readEvents({ after: '0-0', limit: 999, block: 0 });
      assert.equal(events.filter(({ event }) => event === 'retries-exhausted').length, 1);
      assert.equal(await user.state('early'), 'failed');
    },
  },
  {
    operation: 'settleJobs',
    title: 'lets a job wait again at once, behind those that wait',
    covers: ['event:waiting'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b');
      const claim = await user.claim(1);
      const tail = await context.tail(user);

      await user.settle([retry(leaseOf(claim), { reason: 'busy', stacktrace: '["Error: busy"]' })]);

      assert.deepEqual(await user.job('a'), {
        ...claim.jobs[0]!,
        state: 'waiting',
        attemptsMade: 1,
        failedReason: 'busy',
        stacktrace: '["Error: busy"]',
      });
      assert.deepEqual(await user.ids('waiting'), ['b', 'a']);
      await tail.expect([{ event: 'waiting', jobId: 'a', prev: 'active' }]);
    },
  },
  {
    operation: 'settleJobs',
    title: 'lets a LIFO job wait again before those that wait',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b');
      await user.settle([retry(leaseOf(await user.claim(1)), { lifo: true })]);

      assert.deepEqual(await user.ids('waiting'), ['a', 'b']);
    },
  },
  {
    operation: 'settleJobs',
    title: 'puts a prioritized job that waits again behind its equals, LIFO or not',
    covers: ['event:waiting'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'a', priority: 2 }, { id: 'b', priority: 2 }, { id: 'last', priority: 3 });
      const tail = await context.tail(user);

      await user.settle([retry(leaseOf(await user.claim(1)), { lifo: true })]);

      assert.deepEqual(await user.ids('prioritized'), ['b', 'a', 'last']);
      assert.equal((await user.job('a'))?.priority, 2);
      await tail.expectOf(['waiting'], [{ event: 'waiting', jobId: 'a', prev: 'active' }]);
    },
  },
  {
    operation: 'settleJobs',
    title: 'holds a job back for its delay before it waits again',
    covers: ['event:delayed'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b');
      const claim = await user.claim(1);
      await context.advance(10);
      const now = await user.handle.time();
      const tail = await context.tail(user);

      await user.settle([retry(leaseOf(claim), { delay: 100 })]);

      assert.deepEqual(await user.job('a'), {
        ...claim.jobs[0]!,
        state: 'delayed',
        delay: 100,
        attemptsMade: 1,
        failedReason: 'broken',
        stacktrace: '["Error: broken"]',
      });
      await tail.expect([{ event: 'delayed', jobId: 'a', delay: now + 100 }]);
      await context.advance(99);
      assert.deepEqual((await user.claim(9)).idle, { reason: 'empty', dueIn: 1 });
      await context.advance(1);
      const again = await user.claim(9);
      assert.deepEqual(
        again.jobs.map((job) => [job.id, job.delay, job.attemptsMade, job.attemptsStarted]),
        [['a', 0, 1, 2]],
      );
    },
  },
  {
    operation: 'settleJobs',
    title: 'MGMT-18 hands a job back to the very front, at no cost of an attempt',
    covers: ['success', 'event:waiting'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b');
      const claim = await user.claim(1);
      await user.add({ id: 'lifo', lifo: true });
      const tail = await context.tail(user);

      await user.settle([handBack(leaseOf(claim))]);

      assert.deepEqual(await user.job('a'), { ...claim.jobs[0]!, state: 'waiting' });
      assert.deepEqual(await user.ids('waiting'), ['a', 'lifo', 'b']);
      await tail.expect([{ event: 'waiting', jobId: 'a', prev: 'active' }]);
    },
  },
  {
    operation: 'settleJobs',
    title: 'hands a prioritized job back to the front of its priority',
    covers: ['event:waiting'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'a', priority: 2 }, { id: 'b', priority: 2 });
      const claim = await user.claim(1);
      await user.add({ id: 'urgent', priority: 1 }, { id: 'plain' });
      const tail = await context.tail(user);

      await user.settle([handBack(leaseOf(claim))]);

      assert.deepEqual(await user.ids('waiting'), ['plain']);
      assert.deepEqual(await user.ids('prioritized'), ['urgent', 'a', 'b']);
      await tail.expect([{ event: 'waiting', jobId: 'a', prev: 'active' }]);
    },
  },
  {
    operation: 'settleJobs',
    title:
      'hands several jobs of a priority back in front of each other, also when the others are all claimed',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'z', priority: 2 }, { id: 'm', priority: 2 }, { id: 'a', priority: 2 });
      const claim = await user.claim(3);
      assert.deepEqual((await user.claim(1)).jobs, []);

      await user.settle([handBack(leaseOf(claim, 'a')), handBack(leaseOf(claim, 'm'))]);
      await user.settle([handBack(leaseOf(claim, 'z'))]);
      await user.add({ id: 'last', priority: 2 });

      assert.deepEqual(await user.ids('prioritized'), ['z', 'm', 'a', 'last']);
    },
  },
  {
    operation: 'settleJobs',
    title: 'takes outcomes one after the other, in their order',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b', 'c', 'd', 'e');
      const claim = await user.claim(5);
      const tail = await context.tail(user);

      const reply = await user.settle([
        completion(leaseOf(claim, 'c')),
        failure(leaseOf(claim, 'e'), { attempts: 2 }),
        retry(leaseOf(claim, 'd')),
        completion(leaseOf(claim, 'a')),
        retry(leaseOf(claim, 'b')),
      ]);

      context.expectRefusals(reply, null, null, null, null, null);
      assert.deepEqual(await user.ids('completed'), ['c', 'a']);
      assert.deepEqual(await user.ids('waiting'), ['d', 'b']);
      const events = await tail.next();
      assert.deepEqual(
        events.map(({ event, jobId }) => [event, jobId]),
        [
          ['completed', 'c'],
          ['failed', 'e'],
          ['waiting', 'd'],
          ['completed', 'a'],
          ['waiting', 'b'],
        ],
      );
    },
  },
  {
    operation: 'settleJobs',
    title: 'leaves other jobs active, whether or not outcomes come in the order of the claim',
    covers: ['success', 'refusal:LeaseMismatch', 'refusal:LeaseMissing'],
    async run(context) {
      const user = context.open();
      const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'];
      await user.addIds(...ids);
      const claim = await user.claim(ids.length);
      const outcomes = (...of: string[]): Outcome[] => of.map((id) => completion(leaseOf(claim, id)));
      const stranger = completion({ id: 'f', token: 'somebody else' });

      const inOrder = await user.settle(outcomes('a', 'b', 'c'));
      const active = await user.ids('active');
      const twice = await user.settle([...outcomes('d', 'e'), ...outcomes('e'), stranger, ...outcomes('g')]);
      const later = await user.ids('active');
      const turned = await user.settle(outcomes('h', 'f', 'i', 'k'));

      context.expectRefusals(inOrder, null, null, null);
      assert.deepEqual(active, ['d', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l']);
      context.expectRefusals(twice, null, null, Refusal.LeaseMissing, Refusal.LeaseMismatch, null);
      assert.deepEqual(later, ['f', 'h', 'i', 'j', 'k', 'l']);
      context.expectRefusals(turned, null, null, null, null);
      assert.deepEqual(await user.ids('active'), ['j', 'l']);
      assert.deepEqual(await user.ids('completed'), ['a', 'b', 'c', 'd', 'e', 'g', 'h', 'f', 'i', 'k']);
    },
  },
  {
    operation: 'settleJobs',
    title: 'takes outcomes of any of many active jobs, claimed just now or long ago',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      const ids = Array.from({ length: 4 * MAX_BATCH }, (_, index) => `job-${index}`);
      const claims: Claim[] = [];
      for (let first = 0; first < ids.length; first += MAX_BATCH) {
        await user.addIds(...ids.slice(first, first + MAX_BATCH));
        claims.push(await user.claim(MAX_BATCH));
        await context.advance(first === MAX_BATCH ? 5_000 : 1);
      }
      const ended = new Set<string>();

      for (const place of [0, 199, 100]) {
        const outcomes = claims.map((claim) => completion(leaseOf(claim, claim.jobs[place]!.id)));
        context.expectRefusals(await user.settle(outcomes), null, null, null, null);
        outcomes.forEach(({ id }) => ended.add(id));
      }

      assert.deepEqual(
        await user.ids('active'),
        ids.filter((id) => !ended.has(id)),
      );
      assert.equal((await user.handle.getCounts()).completed, ended.size);
    },
  },
  {
    operation: 'settleJobs',
    title: 'keeps the reason of the last failure when the job completes after all',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      await user.settle([retry(leaseOf(await user.claim(1)), { reason: 'first' })]);
      await user.settle([retry(leaseOf(await user.claim(1)), { reason: 'second' })]);
      await user.settle(completed(await user.claim(1)));

      const job = await user.job('a');
      assert.deepEqual(
        [job?.state, job?.failedReason, job?.attemptsMade, job?.attemptsStarted],
        ['completed', 'second', 3, 3],
      );
    },
  },
];
