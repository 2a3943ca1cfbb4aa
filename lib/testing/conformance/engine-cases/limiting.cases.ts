import assert from 'node:assert/strict';

import { RateLimitError } from '../../../model/errors/rate-limit.error';
import type { BulkJob } from '../../../engine/queue';
import { Worker } from '../../../engine/worker/worker';
import type { EngineContext, EngineScenario } from './engine-scenario';

const SECOND = 1_000;

function bulk(count: number): BulkJob<object, string>[] {
  return Array.from({ length: count }, () => ({ name: 'send', data: {} }));
}

/** Moves the clock in steps, as long as it takes, and notes how far it went. */
async function advanceUntil(
  { advance, clock }: EngineContext,
  isDone: () => boolean,
  step = 50,
): Promise<number> {
  const from = clock.now();
  while (!isDone()) {
    assert.ok(clock.now() - from < 60 * SECOND, 'it did not come about within a minute of the clock');
    await advance(step);
  }
  return clock.now() - from;
}

/** How many of some times lie within the busiest window of a length. */
function most(times: readonly number[], window: number): number {
  return Math.max(
    ...times.map((from) => times.filter((time) => time >= from && time < from + window).length),
  );
}

/**
 * Limits of a queue and of its workers.
 *
 * @internal
 */
export const limitingCases: readonly EngineScenario[] = [
  {
    title: 'LIM-06 global concurrency holds for all workers together, can be asked for, and taken back',
    async run({ queue, worker, until }) {
      const emails = queue();
      assert.equal(await emails.getGlobalConcurrency(), null);
      await emails.setGlobalConcurrency(2);
      assert.equal(await emails.getGlobalConcurrency(), 2);
      await emails.addBulk(bulk(12));
      let running = 0;
      let busiest = 0;
      const gates: (() => void)[] = [];
      const handle = async (): Promise<void> => {
        running += 1;
        busiest = Math.max(busiest, running);
        await new Promise<void>((end) => gates.push(end));
        running -= 1;
      };
      worker(handle, { concurrency: 5, drainDelay: '1d' });
      worker(handle, { concurrency: 5, drainDelay: '1d' });
      await until('two run', () => gates.length === 2);
      assert.equal(await emails.isMaxed(), true);
      for (let ended = 0; ended < 6; ended += 1) {
        gates.shift()!();
        await until('the next one runs', () => gates.length === 2);
      }
      assert.equal(busiest, 2);

      await emails.removeGlobalConcurrency();
      await until('the others run', () => gates.length === 6);
      assert.equal(await emails.isMaxed(), false);
      assert.equal(await emails.getGlobalConcurrency(), null);
      gates.splice(0).forEach((end) => end());
      await until('all are done', async () => (await emails.getJobCounts()).completed === 12);
    },
  },
  {
    title: 'LIM-01 a limiter lets as many jobs start in a window as it says, in all workers together',
    async run(context) {
      const { queue, worker, until, clock } = context;
      const emails = queue();
      const limiter = { max: 3, duration: '1s' } as const;
      await emails.addBulk(bulk(10));
      const started: number[] = [];
      const handle = (): void => void started.push(clock.now());
      worker(handle, { concurrency: 2, limiter });
      worker(handle, { concurrency: 7, limiter });
      await until('the first ones ran', () => started.length === 3);

      const took = await advanceUntil(context, () => started.length === 10);

      assert.equal(most(started, SECOND), 3);
      assert.ok(took >= 3 * SECOND && took <= 3 * SECOND + 100, `it took ${took} ms`);
      await until('all are done', async () => (await emails.getJobCounts()).completed === 10);
      assert.equal(await emails.getGlobalRateLimit(), null);
    },
  },
  {
    title:
      'LIM-07 a global rate limit holds for workers without a limiter, and is gone once it is taken back',
    async run(context) {
      const { queue, worker, until, advance } = context;
      const emails = queue();
      await emails.setGlobalRateLimit(2, '10s');
      assert.deepEqual(await emails.getGlobalRateLimit(), { max: 2, duration: 10 * SECOND });
      await emails.addBulk(bulk(6));
      let ran = 0;
      worker(() => void (ran += 1), { concurrency: 4 });
      await until('two ran', () => ran === 2);
      await advance(9_999);
      assert.equal(ran, 2);
      assert.equal(await emails.getRateLimitTtl(), 1);
      await advance(1);
      await until('four ran', () => ran === 4);

      await emails.removeGlobalRateLimit();
      await until('all ran', () => ran === 6);

      assert.equal(await emails.getGlobalRateLimit(), null);
    },
  },
  {
    title: 'LIM-15 a limited worker does not ask before the limit ends, whatever is added, and others go on',
    async run({ queue, worker, until, advance, backend }) {
      let claims = 0;
      const counting = {
        ...backend,
        capabilities: backend.capabilities,
        kind: backend.kind,
        openQueue: (request: Parameters<typeof backend.openQueue>[0]) => {
          const handle = backend.openQueue(request);
          const claimJobs = handle.claimJobs.bind(handle);
          handle.claimJobs = (...args) => {
            claims += 1;
            return claimJobs(...args);
          };
          return handle;
        },
      };
      const emails = queue();
      const ran: string[] = [];
      worker(() => void ran.push('limited'), {
        backend: counting,
        limiter: { max: 1, duration: '20s' },
        drainDelay: 1,
      });
      await emails.addBulk(bulk(2));
      await until('one ran', () => ran.length === 1);
      await until('it is held back', async () => {
        await advance(1);
        return (await emails.getJobCounts()).completed === 1;
      });
      await advance(10);
      const before = claims;
      for (let more = 0; more < 5; more += 1) {
        await emails.add('send', {});
        await advance(2 * SECOND);
      }
      assert.deepEqual([ran.length, claims], [1, before]);

      worker(() => void ran.push('free'), { concurrency: 2 });
      await until('the other one ran the rest', () => ran.length === 7);
      assert.deepEqual([...new Set(ran.slice(1))], ['free']);
    },
  },
  {
    title: 'a limited worker asks again after maximumRateLimitDelay',
    async run({ queue, worker, until, advance, clock }) {
      const emails = queue();
      await emails.rateLimit('1d');
      await emails.addBulk(bulk(1));
      let ranAt = 0;
      worker(() => void (ranAt = clock.now()), {
        limiter: { max: 5, duration: SECOND },
        maximumRateLimitDelay: '2s',
      });
      await advance(500);
      assert.equal(ranAt, 0);
      // As another client of the store lifts it, without a word to our workers.
      const other = queue();
      await other.rateLimit(1);
      await advance(SECOND);
      assert.equal(ranAt, 0);
      await advance(600);

      await until('it ran', () => ranAt !== 0);
    },
  },
  {
    title:
      'LIM-04 a limit that is set by hand holds until its end, and a worker hears at once that it is lifted',
    async run({ queue, worker, until, advance }) {
      const emails = queue();
      await emails.rateLimit('1h');
      assert.equal(await emails.getRateLimitTtl(), 3_600 * SECOND);
      await emails.addBulk(bulk(2));
      let ran = 0;
      worker(() => void (ran += 1), { limiter: { max: 5, duration: SECOND }, maximumRateLimitDelay: '1d' });
      await advance(60 * SECOND);
      assert.equal(ran, 0);

      await emails.removeRateLimitKey();
      await until('both ran', () => ran === 2);
    },
  },
  {
    title:
      'a handler that has met a rate limit gives its job back, first of all and at no cost, and the worker waits',
    async run({ queue, worker, until, advance, clock }) {
      for (const limiter of [undefined, { max: 100, duration: SECOND }]) {
        const emails = queue();
        const foreign = Object.assign(new Error('bullmq:rateLimitExceeded'), { name: 'Error' });
        const errors = [new RateLimitError('slow down'), foreign];
        const job = await emails.add('first', {}, { attempts: 1 });
        await emails.add('second', {});
        const starts: [string, number][] = [];
        const failed: string[] = [];
        const one = worker(
          async ({ name }) => {
            starts.push([name, clock.now()]);
            const error = errors.shift();
            if (error !== undefined) {
              await emails.rateLimit(SECOND);
              throw error;
            }
          },
          limiter === undefined ? {} : { limiter },
        );
        one.on('failed', ({ name }) => void failed.push(name));
        const from = clock.now();
        await until('it was given back', async () => (await emails.getJobCounts()).waiting === 2);
        await advance(999);
        assert.equal(starts.length, 1);
        await advance(1);
        await until('it was given back again', () => starts.length === 2);
        await advance(SECOND);
        await until('both are done', async () => (await emails.getJobCounts()).waiting === 0);
        await until('it is written', async () => (await emails.getJobCounts()).active === 0);

        assert.deepEqual(starts, [
          ['first', from],
          ['first', from + SECOND],
          ['first', from + 2 * SECOND],
          ['second', from + 2 * SECOND],
        ]);
        assert.deepEqual(failed, []);
        const { attemptsMade, attemptsStarted, failedReason } = (await emails.getJob(job.id))!;
        assert.deepEqual([attemptsMade, attemptsStarted, failedReason], [1, 3, undefined]);
        await one.close();
      }
    },
  },
  {
    title:
      'Worker.RateLimitError() is what a handler throws that has met a rate limit, or not, of another name',
    async run({ queue, worker, until }) {
      const emails = queue();
      const job = await emails.add('send', {});
      const errors = [
        Worker.RateLimitError(),
        Object.assign(new Error('too many requests'), { name: 'RateLimitError' }),
      ];

      worker(() => Promise.reject(errors.shift()!));
      await until('it has failed', async () => (await emails.getJobState(job.id)) === 'failed');

      const { attemptsMade, attemptsStarted, failedReason } = (await emails.getJob(job.id))!;
      assert.deepEqual([attemptsMade, attemptsStarted, failedReason], [1, 2, 'too many requests']);
    },
  },
  {
    title:
      'JOB-40 jobs that are fetched by hand go by the limiter of their worker, and a fetch waits for the end of the limit',
    async run({ queue, worker, until, advance }) {
      const emails = queue();
      await emails.addBulk(bulk(3));
      const manual = worker(null, { limiter: { max: 1, duration: SECOND }, drainDelay: '1h' });
      const first = (await manual.getNextJob('one'))!;
      assert.equal(await manual.getNextJob('two', { block: false }), undefined);
      assert.equal(await emails.getRateLimitTtl(1), SECOND);
      let second: unknown;
      const fetching = manual.getNextJob('two').then((job) => (second = job));
      await emails.add('send', {});
      await advance(SECOND - 1);
      assert.equal(second, undefined);
      await advance(1);
      await until('it has come', () => second !== undefined);

      await fetching;
      const next = await first.moveToCompleted(null, 'one', true);
      assert.equal(next, undefined);
    },
  },
  {
    title: 'T-B22 a handler that never returns holds up neither jobs nor outcomes under a limiter',
    async run(context) {
      const { queue, worker, until, clock } = context;
      const emails = queue();
      await emails.add('hangs', {});
      await emails.addBulk(bulk(20));
      const started: number[] = [];
      let end: () => void = () => undefined;
      worker(
        ({ name }) => {
          started.push(clock.now());
          return name === 'hangs' ? new Promise<void>((resolve) => (end = resolve)) : undefined;
        },
        { concurrency: 2, limiter: { max: 5, duration: SECOND }, lockDuration: '1h' },
      );
      await until('the first ones are done', async () => (await emails.getJobCounts()).completed === 4);

      const took = await advanceUntil(context, () => started.length === 21);

      assert.ok(took >= 4 * SECOND && took <= 4 * SECOND + 100, `it took ${took} ms`);
      assert.equal(most(started, SECOND), 5);
      await until('they are done', async () => (await emails.getJobCounts()).completed === 20);
      end();
    },
  },
  {
    title: 'T-B24 a job whose limit is over when it is given back runs again at once',
    async run({ queue, worker, until, advance }) {
      const emails = queue();
      const { id } = await emails.add('send', {});
      let runs = 0;
      let giveBack: (() => void) | undefined;
      worker(
        async () => {
          runs += 1;
          if (runs === 1) {
            await emails.rateLimit(1);
            await new Promise<void>((resolve) => (giveBack = resolve));
            throw new RateLimitError();
          }
        },
        { limiter: { max: 5, duration: SECOND } },
      );
      await until('it is limited', () => giveBack !== undefined);
      await advance(20);
      giveBack!();
      await until('it is done', async () => (await emails.getJobState(id)) === 'completed');

      assert.equal(runs, 2);
      assert.equal((await emails.getJob(id))!.stalledCounter, 0);
    },
  },
  {
    title: 'the concurrency of a worker can be raised and lowered while it runs',
    async run({ queue, worker, until, advance }) {
      const emails = queue();
      await emails.addBulk(bulk(9));
      const gates: (() => void)[] = [];
      let running = 0;
      const one = worker(
        async () => {
          running += 1;
          await new Promise<void>((end) => gates.push(end));
          running -= 1;
        },
        { drainDelay: '1d' },
      );
      await until('one runs', () => running === 1);
      await advance(10);
      one.concurrency = 4;
      assert.equal(one.concurrency, 4);
      await until('four run', () => running === 4);

      one.concurrency = 2;
      assert.equal(running, 4);
      gates.splice(0, 2).forEach((end) => end());
      await until('two have ended', async () => (await emails.getJobCounts()).completed === 2);
      await advance(10);
      assert.deepEqual([running, (await emails.getJobCounts()).active], [2, 2]);
      gates.shift()!();
      await until('the next one runs', () => gates.length === 2);
      assert.equal(running, 2);
      for (const bad of [0, -1, 1.5, Infinity, NaN, '3' as unknown as number]) {
        assert.throws(() => (one.concurrency = bad), { code: 'LANE_BAD_WORKER_OPTION' });
      }
      assert.equal(one.concurrency, 2);
      await until('all are done', async () => {
        gates.splice(0).forEach((end) => end());
        return (await emails.getJobCounts()).completed === 9;
      });
    },
  },
  {
    title: 'what is stored for the queue as a whole can be asked for',
    async run({ queue }) {
      const emails = queue();
      const { version, ...none } = await emails.getMeta();
      assert.equal(version, undefined);
      assert.deepEqual(none, { paused: false, maxLenEvents: 10_000 });
      await emails.setGlobalConcurrency(3);
      await emails.setGlobalRateLimit(10, 60_000);
      await emails.pause();

      const { concurrency, max, duration, paused } = await emails.getMeta();

      assert.deepEqual([concurrency, max, duration, paused], [3, 10, 60_000, true]);
    },
  },
  {
    title: 'limits that cannot be kept are refused, and change nothing',
    async run({ queue, worker }) {
      const emails = queue();
      for (const bad of [0, -1, 1.5, Infinity, NaN, '5', null, undefined] as number[]) {
        await assert.rejects(emails.setGlobalConcurrency(bad), { code: 'LANE_BAD_LIMIT' });
        await assert.rejects(emails.setGlobalRateLimit(bad, SECOND), { code: 'LANE_BAD_LIMIT' });
        assert.throws(() => worker(() => undefined, { limiter: { max: bad, duration: 1 } }), {
          code: 'LANE_BAD_LIMIT',
        });
        if (bad !== undefined) {
          await assert.rejects(emails.getRateLimitTtl(bad), { code: 'LANE_BAD_LIMIT' });
        }
      }
      for (const bad of [0, -1, 1e15, NaN, Infinity, 'soon', null, undefined] as number[]) {
        await assert.rejects(emails.setGlobalRateLimit(5, bad), { code: 'LANE_BAD_DURATION' });
        await assert.rejects(emails.rateLimit(bad), { code: 'LANE_BAD_DURATION' });
      }
      assert.deepEqual(await emails.getMeta(), { paused: false, maxLenEvents: 10_000 });
      assert.equal(await emails.getRateLimitTtl(), -2);
    },
  },
];
