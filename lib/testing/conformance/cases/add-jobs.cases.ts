import assert from 'node:assert/strict';

import { MAX_ADDED } from '../../../contract/mutating-call';
import type { ContractCase } from '../conformance-case';
import { leaseOf, retry } from '../queue-user';

/** The largest priority number. */
const LAST_PRIORITY = 2_097_151;

/** @internal */
export const ADD_JOBS_CASES: readonly ContractCase[] = [
  {
    operation: 'addJobs',
    title: 'stores a job with all that it came with',
    covers: ['success', 'event:added', 'event:waiting'],
    async run(context) {
      const user = context.open();
      const tail = await context.tail(user);
      const now = await user.handle.time();

      const results = await user.add({
        id: 'a',
        name: 'send',
        data: '{"to":"x"}',
        options: '{"attempts":3}',
      });

      assert.deepEqual(results, [{ id: 'a', status: 'added' }]);
      assert.deepEqual(await user.job('a'), {
        id: 'a',
        name: 'send',
        state: 'waiting',
        data: '{"to":"x"}',
        options: '{"attempts":3}',
        timestamp: now,
        delay: 0,
        priority: 0,
        attemptsMade: 0,
        attemptsStarted: 0,
        stalledCounter: 0,
        progress: null,
        returnValue: null,
        failedReason: null,
        failedCode: null,
        stacktrace: '[]',
        timeout: null,
        expiresIn: null,
        expiresAt: null,
        headers: null,
        version: null,
        unhandled: 0,
        deferredFailure: null,
        cancelReason: null,
        processedOn: null,
        finishedOn: null,
        processedBy: null,
      });
      await tail.expect([
        { event: 'added', jobId: 'a', name: 'send' },
        { event: 'waiting', jobId: 'a' },
      ]);
    },
  },
  {
    operation: 'addJobs',
    title: 'stores many in order, and counts the ids of those that have none',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      const results = await user.add(...Array.from({ length: MAX_ADDED }, () => ({})));

      const ids = Array.from({ length: MAX_ADDED }, (_, index) => String(index + 1));
      assert.deepEqual(
        results,
        ids.map((id) => ({ id, status: 'added' })),
      );
      assert.deepEqual(await user.ids('waiting'), ids);
    },
  },
  {
    operation: 'addJobs',
    title: 'stores nothing when nothing is given',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const before = await user.snapshot();

      assert.deepEqual(await user.add(), []);

      assert.deepEqual(await user.snapshot(), before);
    },
  },
  {
    operation: 'addJobs',
    title: 'holds a job back for its delay, counted from the time of adding',
    covers: ['event:delayed'],
    async run(context) {
      const user = context.open();
      await context.advance(7);
      const tail = await context.tail(user);
      const now = await user.handle.time();

      await user.add({ id: 'a', delay: 1_000 }, { id: 'b', delay: 500, priority: 3 });

      const job = await user.job('a');
      assert.deepEqual([job?.state, job?.delay, job?.timestamp], ['delayed', 1_000, now]);
      assert.equal((await user.job('b'))?.state, 'delayed');
      await tail.expect([
        { event: 'added', jobId: 'a', name: 'work' },
        { event: 'delayed', jobId: 'a', delay: now + 1_000 },
        { event: 'added', jobId: 'b', name: 'work' },
        { event: 'delayed', jobId: 'b', delay: now + 500 },
      ]);
    },
  },
  {
    operation: 'addJobs',
    title: 'JOB-06 counts a job as added at the time that it brings, and its delay from there',
    covers: ['event:delayed'],
    async run(context) {
      const user = context.open();
      const tail = await context.tail(user);
      const now = await user.handle.time();

      await user.add(
        { id: 'a', timestamp: now - 1_000 },
        { id: 'b' },
        { id: 'c', timestamp: now - 1_000, delay: 1_500 },
        { id: 'd', timestamp: now - 1_000, delay: 400, priority: 2 },
        { id: 'e', timestamp: now + 500, delay: 100 },
        { id: 'f', timestamp: 0 },
      );

      const jobs = await user.handle.getJobs(['a', 'b', 'c', 'd', 'e', 'f']);
      assert.deepEqual(
        jobs.map((job) => [job?.state, job?.delay, job!.timestamp - now]),
        [
          ['waiting', 0, -1_000],
          ['waiting', 0, 0],
          ['delayed', 1_500, -1_000],
          ['delayed', 400, -1_000],
          ['delayed', 100, 500],
          ['waiting', 0, -now],
        ],
      );
      const claim = await user.claim(5);
      assert.deepEqual(
        claim.jobs.map((job) => job.id),
        ['a', 'b', 'f', 'd'],
      );
      assert.equal(claim.idle?.dueIn, 500);
      await tail.expectOf(
        ['delayed'],
        [
          { event: 'delayed', jobId: 'c', delay: now + 500 },
          { event: 'delayed', jobId: 'd', delay: now - 600 },
          { event: 'delayed', jobId: 'e', delay: now + 600 },
        ],
      );
    },
  },
  {
    operation: 'addJobs',
    title: 'JOB-08 puts prioritized jobs behind the plain ones, lower numbers first, equals in order',
    covers: ['event:waiting'],
    async run(context) {
      const user = context.open();
      const tail = await context.tail(user);

      await user.add(
        { id: 'p10', priority: 10 },
        { id: 'p2-first', priority: 2 },
        { id: 'plain' },
        { id: 'p2-second', priority: 2 },
        { id: 'p1', priority: 1 },
      );

      assert.equal(await user.state('p10'), 'prioritized');
      assert.equal((await user.job('p10'))?.priority, 10);
      await tail.expectOf(
        ['waiting'],
        ['p10', 'p2-first', 'plain', 'p2-second', 'p1'].map((jobId) => ({ event: 'waiting', jobId })),
      );
      const claim = await user.claim(10);
      assert.deepEqual(
        claim.jobs.map((job) => job.id),
        ['plain', 'p1', 'p2-first', 'p2-second', 'p10'],
      );
    },
  },
  {
    operation: 'addJobs',
    title: 'T-B26 keeps the order of adding at the largest priority number',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const ids = ['m', 'n', 'z', 'y', 'x'];
      for (const id of ids) {
        await user.add({ id, priority: LAST_PRIORITY });
      }
      await user.add({ id: 'before', priority: LAST_PRIORITY - 1 });

      assert.deepEqual(await user.ids('prioritized'), ['before', ...ids]);
      const order: string[] = [];
      for (let count = 0; count < 6; count += 1) {
        order.push((await user.claim(1)).jobs[0]!.id);
      }
      assert.deepEqual(order, ['before', ...ids]);
    },
  },
  {
    operation: 'addJobs',
    title: 'JOB-08 puts a LIFO job before all that wait',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'a' }, { id: 'b', lifo: true }, { id: 'c' });
      await user.add({ id: 'd', lifo: true });

      assert.deepEqual(await user.ids('waiting'), ['d', 'b', 'a', 'c']);
      const claim = await user.claim(4);
      assert.deepEqual(
        claim.jobs.map((job) => job.id),
        ['d', 'b', 'a', 'c'],
      );
    },
  },
  {
    operation: 'addJobs',
    title: 'takes no notice of LIFO for prioritized and delayed jobs',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'p', priority: 1 }, { id: 'p-lifo', priority: 1, lifo: true });
      await user.add({ id: 'd', delay: 10 }, { id: 'd-lifo', delay: 10, lifo: true }, { id: 'plain' });
      await context.advance(10);

      const claim = await user.claim(5);

      assert.deepEqual(
        claim.jobs.map((job) => job.id),
        ['plain', 'd', 'd-lifo', 'p', 'p-lifo'],
      );
    },
  },
  {
    operation: 'addJobs',
    title: 'T-B57 brings data and options back as they were written',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      const texts = [
        '0',
        'false',
        '""',
        'null',
        '[]',
        '{}',
        '-0.5e-7',
        '{ "spaced" : [ 1 ] }',
        '{"__proto__":{"a":1},"constructor":null}',
        '"\\u0000\\n\\\\\\""',
        JSON.stringify('äöü 漢字 🙂 \u2028'),
        JSON.stringify('x'.repeat(300_000)),
      ];

      await user.add(...texts.map((text, index) => ({ id: `job-${index}`, data: text, options: text })));

      const jobs = await user.handle.getJobs(texts.map((_, index) => `job-${index}`));
      assert.deepEqual(
        jobs.map((job) => job?.data),
        texts,
      );
      assert.deepEqual(
        jobs.map((job) => job?.options),
        texts,
      );
    },
  },
  {
    operation: 'addJobs',
    title: 'keeps the queues of a store apart',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const other = context.open({ queueName: 'others' });
      await user.add({ id: 'a', data: '1' }, {});
      await other.add({ id: 'a', data: '2' }, {}, {});

      assert.equal((await user.job('a'))?.data, '1');
      assert.equal((await other.job('a'))?.data, '2');
      assert.deepEqual(await user.ids('waiting'), ['a', '2']);
      assert.deepEqual(await other.ids('waiting'), ['a', '2', '3']);
      const claim = await user.claim(9);
      assert.equal(claim.jobs.length, 2);
      assert.deepEqual(await other.ids('active'), []);
      await user.pause();
      assert.equal((await other.claim(9)).jobs.length, 3);
      assert.equal((await user.handle.readEvents({ after: '0-0', limit: 99, block: 0 })).events.length, 7);
    },
  },
  {
    operation: 'addJobs',
    title: 'shows what one handle added to every other one of the queue',
    covers: ['rule'],
    async run(context) {
      const producer = context.open({ role: 'producer' });
      const worker = context.open();
      const listener = context.open({ role: 'events' });
      await producer.addIds('a');

      assert.deepEqual(await worker.ids('waiting'), ['a']);
      assert.equal((await listener.handle.readEvents({ after: '0-0', limit: 9, block: 0 })).events.length, 2);
    },
  },
  {
    operation: 'addJobs',
    title: 'LIM-12 goes on while the queue is paused',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.pause();
      await user.add({ id: 'a' }, { id: 'b', priority: 1 }, { id: 'c', delay: 10 });

      assert.deepEqual(await user.handle.getStates(['a', 'b', 'c']), ['waiting', 'prioritized', 'delayed']);
    },
  },
  {
    operation: 'addJobs',
    title: 'puts new jobs behind those that came back to wait',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      await user.settle([retry(leaseOf(await user.claim(1)))]);
      await user.addIds('b');

      assert.deepEqual(await user.ids('waiting'), ['a', 'b']);
    },
  },
];
