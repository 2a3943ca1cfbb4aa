import assert from 'node:assert/strict';

import type { Queue } from '../../../engine/queue';
import { complete, discard, release, snooze } from '../../../engine/worker/outcome-values';
import type { Processor } from '../../../engine/worker/job-executor';
import { NoHandlerError } from '../../../model/errors/no-handler.error';
import { RateLimited } from '../../../model/errors/rate-limited.error';
import type { EngineScenario } from './engine-scenario';

async function endOf(queue: Queue, id: string): Promise<unknown[]> {
  const job = (await queue.getJob(id))!;
  return [await job.getState(), job.failedCode, job.failedReason, job.attemptsMade];
}

/** What a handler can do with an outcome. */
const WAYS: Readonly<Record<string, (outcome: unknown) => unknown>> = {
  returned: (outcome) => outcome,
  promised: async (outcome) => Promise.resolve(outcome),
  thrown: (outcome) => {
    throw outcome;
  },
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- it is not an error, on purpose
  rejected: (outcome) => Promise.reject(outcome),
};

/** A handler that lasts until it is told to stop. */
const stopped = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve()));

/**
 * Handlers that say what becomes of their job by a value.
 *
 * @internal
 */
export const outcomeCases: readonly EngineScenario[] = [
  {
    title: 'a handler that snoozes has its job held back for a time, and no attempt is used',
    async run({ queue, worker, until, advance, clock, events }) {
      const emails = queue();
      const heard: unknown[] = [];
      (await events()).on('delayed', ({ jobId, delay }) => heard.push([jobId, delay]));
      const begin = clock.now();
      const failures: unknown[] = [];
      for (const way of Object.values(WAYS)) {
        const runs: number[] = [];
        const one = worker(() => {
          runs.push(clock.now());
          return runs.length === 1 ? way(snooze('1m')) : 'done';
        });
        one.on('failed', (_, error) => failures.push(error));
        one.on('error', (error) => failures.push(error));
        const { id } = await emails.add('send', {}, { attempts: 1 });
        await until('it is held back', async () => (await emails.getJobState(id)) === 'delayed');
        const [from] = runs as [number];
        assert.equal((await emails.getJob(id))!.delay, 60_000);

        await advance(59_999);
        assert.equal(runs.length, 1);
        await advance(1);
        await until('it is completed', async () => (await emails.getJobState(id)) === 'completed');

        const job = (await emails.getJob(id))!;
        assert.deepEqual(
          [job.returnvalue, job.attemptsMade, job.attemptsStarted, job.failedReason],
          ['done', 1, 2, undefined],
        );
        assert.deepEqual(runs, [from, from + 60_000]);
        await one.close();
      }
      assert.deepEqual(failures, []);
      await until('the events are heard', () => heard.length === 4);
      assert.deepEqual(heard[0], ['1', begin + 60_000]);
    },
  },
  {
    title: 'a job that is discarded has failed with its reason and a code, whatever attempts are left',
    async run({ queue, worker, until }) {
      const emails = queue();
      for (const way of Object.values(WAYS)) {
        const failures: unknown[] = [];
        const one = worker((job) => way(job.name === 'why' ? discard('the user is gone') : discard()));
        one.on('failed', (_, error) => failures.push([error.message, error.stack]));
        const job = await emails.add('why', {}, { attempts: 5 });
        const other = await emails.add('just so', {}, { attempts: 5 });
        await until('both have failed', () => failures.length === 2);

        assert.deepEqual(await endOf(emails, job.id), ['failed', 'discarded', 'the user is gone', 1]);
        assert.deepEqual(await endOf(emails, other.id), ['failed', 'discarded', 'job was discarded', 1]);
        const stack = 'UnrecoverableError: the user is gone';
        assert.deepEqual(failures[0], ['the user is gone', stack]);
        assert.deepEqual((await emails.getJob(job.id))!.stacktrace, [stack]);
        await one.close();
      }
    },
  },
  {
    title: 'a job that is discarded and removed is told of as failed, and nothing is kept of it',
    async run({ queue, worker, until, events }) {
      const emails = queue();
      const told: unknown[] = [];
      (await events()).on('failed', ({ jobId, failedReason }) => told.push([jobId, failedReason]));
      const heard: string[] = [];
      worker(() => discard('a duplicate', { remove: true })).on('failed', (job) => heard.push(job.id));

      const { id } = await emails.add('send', {}, { removeOnFail: false });
      await until('the event is heard', () => told.length > 0 && heard.length > 0);

      assert.deepEqual([told, heard], [[[id, 'a duplicate']], [id]]);
      assert.equal(await emails.getJob(id), undefined);
      assert.deepEqual((await emails.getJobCounts()).failed, 0);
    },
  },
  {
    title: 'a job is completed with the value that its handler says, thrown too',
    async run({ queue, worker, until }) {
      const emails = queue();
      for (const way of Object.values(WAYS)) {
        const results: unknown[] = [];
        const one = worker(() => way(complete({ sent: 2 })));
        one.on('completed', (_, result) => results.push(result));
        const { id } = await emails.add('send', {});
        await until('it is completed', () => results.length === 1);

        assert.deepEqual(results, [{ sent: 2 }]);
        assert.deepEqual((await emails.getJob(id))!.returnvalue, { sent: 2 });
        await one.close();
      }
    },
  },
  {
    title:
      'a handler that is rate limited for a time gives its job back at no cost, and no job runs until then',
    async run({ queue, worker, until, advance, clock }) {
      const emails = queue();
      const begin = clock.now();
      const ran: unknown[] = [];
      const failures: unknown[] = [];
      await emails.add('first', {});
      await emails.add('second', {});
      const one = worker((job) => {
        ran.push([job.name, clock.now() - begin]);
        if (ran.length === 1) {
          throw new RateLimited('30s');
        }
      });
      one.on('failed', (_, error) => failures.push(error));
      one.on('error', (error) => failures.push(error));
      await until('the limit is met and the job is back', async () => {
        const { waiting } = await emails.getJobCounts();
        return ran.length === 1 && waiting === 2;
      });

      await advance(29_999);
      assert.deepEqual(ran, [['first', 0]]);
      await advance(1);
      await until('both are completed', async () => (await emails.getJobCounts()).completed === 2);

      assert.deepEqual(ran, [
        ['first', 0],
        ['first', 30_000],
        ['second', 30_000],
      ]);
      const first = (await emails.getCompleted()).find(({ name }) => name === 'first');
      assert.deepEqual([first!.name, first!.attemptsMade], ['first', 1]);
      assert.deepEqual(failures, []);
    },
  },
  {
    title: 'a rate limit of another copy of the package is known by its mark',
    async run({ queue, worker, until }) {
      const emails = queue();
      const copy = Object.assign(new Error('slow down'), {
        [Symbol.for('nestjs-lane.outcome')]: true,
        kind: 'rate-limited',
        duration: 3_600_000,
      });
      worker(() => {
        throw copy;
      });
      const { id } = await emails.add('send', {}, { attempts: 1 });
      await until('the limit is set and the job is back', async () => {
        const state = await emails.getJobState(id);
        return state === 'waiting' && (await emails.getRateLimitTtl()) > 0;
      });

      assert.equal((await emails.getJob(id))!.attemptsMade, 0);
    },
  },
  {
    title: 'a cancel goes before what a handler says, unless that is that it has completed',
    async run({ queue, worker, until, advance }) {
      const emails = queue();
      const says: Readonly<Record<string, () => unknown>> = {
        snooze: () => snooze('1h'),
        discard: () => discard('no use', { remove: true }),
        limited: () => new RateLimited('1h'),
        complete: () => complete('sent'),
      };
      const running: string[] = [];
      const process: Processor = async (job, _token, signal) => {
        running.push(job.id);
        await stopped(signal);
        return says[job.name]!();
      };
      worker(process, { concurrency: 4 });
      const jobs = await emails.addBulk(Object.keys(says).map((name) => ({ name, data: {} })));
      await until('they run', () => running.length === 4);
      for (const { id } of jobs) {
        await emails.cancel(id, 'not wanted');
      }
      await until('all have ended', async () => {
        // A notice that comes while outcomes are on their way is found with the next renewal of leases.
        await advance(1_000);
        return (await emails.getJobCountByTypes('active')) === 0;
      });

      const ends = await Promise.all(jobs.map(({ id }) => endOf(emails, id)));
      const cancelled = ['failed', 'cancelled', 'job was cancelled: not wanted', 1];
      assert.deepEqual(ends, [cancelled, cancelled, cancelled, ['completed', undefined, undefined, 1]]);
    },
  },
  {
    title: 'a timeout goes before what a handler says then; discarding means that there is no next attempt',
    async run({ queue, worker, until, advance }) {
      const emails = queue();
      const says: Readonly<Record<string, () => unknown>> = {
        snooze: () => snooze('1h'),
        discard: () => discard('no use', { remove: true }),
        limited: () => new RateLimited('1h'),
        complete: () => complete('sent'),
      };
      const running: string[] = [];
      const process: Processor = async (job, _token, signal) => {
        running.push(job.id);
        await stopped(signal);
        throw says[job.name]!();
      };
      worker(process, { concurrency: 4, timeout: '1s' });
      const jobs = await emails.addBulk(
        Object.keys(says).map((name) => ({ name, data: {}, opts: { attempts: 2, backoff: 3_600_000 } })),
      );
      await until('they run', () => running.length === 4);
      await advance(1_000);
      await until('all have ended', async () => (await emails.getJobCountByTypes('active')) === 0);

      const ends = await Promise.all(jobs.map(({ id }) => endOf(emails, id)));
      assert.deepEqual(
        ends.map(([state, code, , attempts]) => [state, code, attempts]),
        [
          ['delayed', undefined, 1],
          ['failed', 'timeout', 1],
          ['delayed', undefined, 1],
          ['completed', undefined, 1],
        ],
      );
      assert.match(String(ends[1]![2]), /timeout of 1000 ms/);
    },
  },
  {
    title: 'a job whose worker closes is handed back, whatever its handler says but that it has completed',
    async run({ queue, worker, until }) {
      const emails = queue();
      const running: string[] = [];
      const process: Processor = async (job, _token, signal) => {
        running.push(job.id);
        await stopped(signal);
        return job.name === 'snooze' ? snooze('1h') : job.name === 'discard' ? discard() : complete('sent');
      };
      const one = worker(process, { concurrency: 3 });
      const jobs = await emails.addBulk(
        ['snooze', 'discard', 'complete'].map((name) => ({ name, data: {} })),
      );
      await until('they run', () => running.length === 3);
      await one.close(true);

      const ends = await Promise.all(jobs.map(({ id }) => endOf(emails, id)));
      assert.deepEqual(ends, [
        ['waiting', undefined, undefined, 0],
        ['waiting', undefined, undefined, 0],
        ['completed', undefined, undefined, 1],
      ]);
    },
  },
  {
    title: 'a job that nobody has a handler for is held back longer each time, ten times over all workers',
    async run({ queue, worker, until, advance, clock }) {
      const emails = queue();
      const runs: number[] = [];
      const process: Processor = ({ unhandled }) => {
        runs.push(clock.now());
        return release(unhandled) ?? Promise.reject(new NoHandlerError('sned', 'email', []));
      };
      const { id } = await emails.add('sned', {}, { attempts: 5 });
      const delays: number[] = [];
      for (let times = 1; times <= 10; times += 1) {
        const one = worker(process);
        await until('it is held back', async () => {
          const job = (await emails.getJob(id))!;
          return job.unhandled === times && (await job.isDelayed());
        });
        await one.close();
        const { delay } = (await emails.getJob(id))!;
        delays.push(delay / 1_000);
        await advance(delay);
      }
      worker(process);
      await until('it has failed', async () => (await emails.getJobState(id)) === 'failed');

      assert.deepEqual(delays, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300]);
      const job = (await emails.getJob(id))!;
      assert.deepEqual(
        [job.failedCode, job.attemptsMade, job.attemptsStarted, job.unhandled, runs.length],
        ['no-handler', 1, 11, 0, 11],
      );
      await job.retry();
      assert.equal(job.unhandled, 0);
      await until('it is held back anew', async () => (await emails.getJob(id))!.unhandled === 1);
    },
  },
];
