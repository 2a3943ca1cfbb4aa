import assert from 'node:assert/strict';

import type { EngineScenario } from './engine-scenario';

/**
 * Running jobs through `Worker`.
 *
 * @internal
 */
export const runningCases: readonly EngineScenario[] = [
  {
    title: 'a handler is given the job, and its value becomes the result',
    async run({ queue, worker, until, clock }) {
      const emails = queue();
      const { id } = await emails.add('send', { to: 'a@example.com' });
      const seen: unknown[] = [];

      worker(
        (job, token) => {
          seen.push([job.id, job.name, job.data, job.attemptsStarted, job.attemptsMade, token.length > 0]);
          return { sent: true };
        },
        { name: 'first' },
      );
      await until('the job is completed', async () => (await emails.getJobState(id)) === 'completed');

      assert.deepEqual(seen, [[id, 'send', { to: 'a@example.com' }, 1, 0, true]]);
      const { returnvalue, attemptsMade, processedBy, processedOn, finishedOn } = (await emails.getJob(
        id,
      ))!.toJSON();
      assert.deepEqual(
        { returnvalue, attemptsMade, processedBy, processedOn, finishedOn },
        {
          returnvalue: { sent: true },
          attemptsMade: 1,
          processedBy: 'first',
          processedOn: clock.now(),
          finishedOn: clock.now(),
        },
      );
    },
  },
  {
    title: 'T-B57 results of every JSON kind come back as they were, and none becomes null',
    async run({ queue, worker, until }) {
      const emails = queue();
      const results = [0, false, '', null, [], { a: 1 }, undefined];
      const jobs = await emails.addBulk(results.map((_, index) => ({ name: 'send', data: index })));

      worker((job) => results[job.data as number]);
      await until(
        'all are completed',
        async () => (await emails.getJobCounts()).completed === results.length,
      );

      const stored = await Promise.all(jobs.map((job) => emails.getJob(job.id)));
      assert.deepEqual(
        stored.map((job) => job?.returnvalue as unknown),
        [...results.slice(0, -1), null],
      );
    },
  },
  {
    title: 'T-B57 a result that cannot be written as JSON fails the job once, whatever attempts are left',
    async run({ queue, worker, until }) {
      const emails = queue();
      const { id } = await emails.add('send', {}, { attempts: 3 });
      let runs = 0;

      worker(() => {
        runs += 1;
        return { big: 10n };
      });
      await until('the job has failed', async () => (await emails.getJobState(id)) === 'failed');

      assert.equal(runs, 1);
      assert.match(
        (await emails.getJob(id))!.failedReason!,
        /result of job "send" cannot be written as JSON/,
      );
    },
  },
  {
    title: 'as many jobs run at once as the worker allows, and never more',
    async run({ queue, worker, until }) {
      const emails = queue();
      await emails.addBulk(Array.from({ length: 30 }, () => ({ name: 'send', data: {} })));
      let running = 0;
      let most = 0;
      const open: (() => void)[] = [];

      worker(
        async () => {
          running += 1;
          most = Math.max(most, running);
          await new Promise<void>((end) => open.push(end));
          running -= 1;
        },
        { concurrency: 7 },
      );
      await until('seven run', () => running === 7);
      await until('all are completed', async () => {
        open.splice(0, 3).forEach((end) => end());
        return (await emails.getJobCounts()).completed === 30;
      });

      assert.equal(most, 7);
    },
  },
  {
    title: 'several workers run every job once',
    async run({ queue, worker, until }) {
      const emails = queue();
      const runs = new Map<string, number>();
      for (const concurrency of [1, 5, 20]) {
        worker((job) => void runs.set(job.id, (runs.get(job.id) ?? 0) + 1), { concurrency });
      }

      await emails.addBulk(Array.from({ length: 500 }, () => ({ name: 'send', data: {} })));
      await until('all are completed', async () => (await emails.getJobCounts()).completed === 500);

      assert.equal(runs.size, 500);
      assert.deepEqual([...new Set(runs.values())], [1]);
    },
  },
  {
    title: 'T-B32 a bulk of jobs is shared by workers that were idle',
    async run({ queue, worker, until }) {
      const emails = queue();
      const perWorker = [0, 0];
      const open: (() => void)[] = [];
      perWorker.forEach((_, index) =>
        worker(() => {
          perWorker[index]! += 1;
          return new Promise<void>((end) => open.push(end));
        }),
      );
      await until('both wait', async () => (await emails.getJobCounts()).active === 0);

      await emails.addBulk(Array.from({ length: 6 }, () => ({ name: 'send', data: {} })));
      for (let round = 1; round <= 3; round += 1) {
        await until('both have a job', () => open.length === 2);
        open.splice(0).forEach((end) => end());
      }
      await until('all are completed', async () => (await emails.getJobCounts()).completed === 6);

      assert.deepEqual(perWorker, [3, 3]);
    },
  },
  {
    title: 'jobs run by priority, plain ones before all, the last of a priority last',
    async run({ queue, worker, until }) {
      const emails = queue();
      const priorities = [5, 0, 2_097_151, 1, 5, 0, 2_097_151];
      await emails.addBulk(
        priorities.map((priority, index) => ({ name: 'send', data: index, opts: { priority } })),
      );
      const order: number[] = [];

      worker((job) => void order.push(job.data as number));
      await until('all ran', () => order.length === priorities.length);

      assert.deepEqual(order, [1, 5, 3, 0, 4, 2, 6]);
    },
  },
  {
    title: 'a job that is last in and first out runs before those that wait',
    async run({ queue, worker, until }) {
      const emails = queue();
      for (const [name, lifo] of [
        ['a', false],
        ['b', true],
        ['c', true],
        ['d', false],
      ] as const) {
        await emails.add(name, {}, { lifo });
      }
      const order: string[] = [];

      worker((job) => void order.push(job.name));
      await until('all ran', () => order.length === 4);

      assert.deepEqual(order, ['c', 'b', 'a', 'd']);
    },
  },
  {
    title: 'a worker runs with autorun false only when told, and once',
    async run({ queue, worker, until }) {
      const emails = queue();
      const { id } = await emails.add('send', {});
      const manual = worker(() => undefined, { autorun: false });
      assert.equal(manual.isRunning(), false);

      const run = manual.run();
      await until('the job is completed', async () => (await emails.getJobState(id)) === 'completed');

      await assert.rejects(manual.run(), { code: 'LANE_ALREADY_RUNNING' });
      await manual.close();
      await run;
      assert.equal(manual.isRunning(), false);
    },
  },
];
