import assert from 'node:assert/strict';

import type { Queue } from '../../../engine/queue';
import type { Processor } from '../../../engine/worker/job-executor';
import { JobCancelledError } from '../../../model/errors/job-cancelled.error';
import { JobExpiredError } from '../../../model/errors/job-expired.error';
import { JobFailedError } from '../../../model/errors/job-failed.error';
import { JobTimeoutError } from '../../../model/errors/job-timeout.error';
import { UnrecoverableError } from '../../../model/errors/unrecoverable.error';
import { EXPIRED_REASON } from '../../../contract/job-expiry';
import type { EngineScenario } from './engine-scenario';

const TIMED_OUT = 'took longer than its timeout of 1000 ms';

/** A handler that lasts until it is told to stop, and then throws what it is told. */
const untilAborted: Processor = (_job, _token, signal) =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

/** A handler that hears of nothing, and whether it runs. */
function deafHandler(): { readonly process: Processor; readonly runs: () => boolean } {
  let runs = false;
  return { process: () => new Promise(() => (runs = true)), runs: () => runs };
}

async function endOf(queue: Queue, id: string): Promise<unknown[]> {
  const job = (await queue.getJob(id))!;
  return [await job.getState(), job.failedCode, job.failedReason, job.attemptsMade];
}

/**
 * Jobs that take too long, and jobs that nobody starts in time.
 *
 * @internal
 */
export const timeLimitCases: readonly EngineScenario[] = [
  {
    title: 'JOB-41 a job that takes too long has its signal aborted, and fails with the code `timeout`',
    async run({ queue, worker, events, advance, until }) {
      const emails = queue();
      const listener = await events();
      const reasons: unknown[] = [];
      let runs = 0;
      const one = worker((job, token, signal) => {
        runs += 1;
        signal.addEventListener('abort', () => reasons.push(signal.reason));
        return untilAborted(job, token, signal) as unknown;
      });
      const failures: unknown[] = [];
      one.on('failed', (job, error) => failures.push([job.id, error === reasons[0]]));
      const job = await emails.add('send', {}, { timeout: '1s' });
      assert.equal(job.opts.timeout, 1_000);
      const finished: Promise<unknown> = job.finished().catch((error: unknown) => error);
      await until('it runs', () => runs === 1);
      await advance(999);
      assert.equal(reasons.length, 0);
      await advance(1);
      await until('it has failed', () => failures.length > 0);

      const [reason] = reasons;
      assert.ok(reason instanceof JobTimeoutError);
      assert.deepEqual([reason.jobId, reason.queueName, reason.failedReason], [job.id, 'email', TIMED_OUT]);
      assert.deepEqual(failures, [[job.id, true]]);
      assert.deepEqual(await endOf(emails, job.id), ['failed', 'timeout', TIMED_OUT, 1]);
      const error = await finished;
      assert.ok(error instanceof JobTimeoutError && error instanceof JobFailedError);
      assert.deepEqual([error.failedReason, error.failedCode], [TIMED_OUT, 'timeout']);
      await assert.rejects(job.waitUntilFinished(listener), JobTimeoutError);
    },
  },
  {
    title:
      'a handler that does not heed its signal loses its slot after the grace, and what it does then is ignored',
    async run({ queue, worker, advance, until }) {
      const emails = queue();
      let end: (value: unknown) => void = () => undefined;
      let runs = false;
      let moved: Promise<unknown> | undefined;
      const one = worker(
        async (job, token) => {
          if (job.name === 'quick') return 'done';
          runs = true;
          await new Promise((resolve) => (end = resolve));
          moved = job.moveToFailed(new Error('late'), token, false).catch((error: unknown) => error);
          await moved;
          return 'late';
        },
        { timeout: 1_000, timeoutGrace: '2s' },
      );
      const errors: Error[] = [];
      one.on('error', (error) => errors.push(error));
      let completions = 0;
      one.on('completed', () => (completions += 1));
      const slow = await emails.add('slow', {});
      const quick = await emails.add('quick', {});
      await until('the first one runs', () => runs);
      await advance(1_000);
      await advance(1_999);
      assert.equal(await emails.getJobState(slow.id), 'active');
      assert.equal(await emails.getJobState(quick.id), 'waiting');
      await advance(1);
      await until('the second one has run', async () => (await emails.getJobState(quick.id)) === 'completed');
      const before = await endOf(emails, slow.id);
      assert.deepEqual(before, ['failed', 'timeout', TIMED_OUT, 1]);

      end(undefined);
      await until('it has tried to move its job', () => moved !== undefined);
      assert.equal(((await moved) as { code?: string }).code, 'LANE_LEASE_LOST');
      await one.close();

      assert.deepEqual(await endOf(emails, slow.id), before);
      assert.deepEqual([completions, errors], [1, []]);
    },
  },
  {
    title: 'an attempt that took too long is retried as others are, and may take as long again',
    async run({ queue, worker, advance, until }) {
      const emails = queue();
      let runs = 0;
      const one = worker((job, token, signal) => {
        runs += 1;
        return untilAborted(job, token, signal) as unknown;
      });
      const codes: unknown[] = [];
      one.on('failed', (job) => codes.push([job.attemptsMade, job.failedCode]));
      const { id } = await emails.add('send', {}, { timeout: 1_000, attempts: 2, backoff: 500 });
      await until('it runs', () => runs === 1);
      await advance(1_000);
      await until('it is held back', async () => (await emails.getJobState(id)) === 'delayed');
      assert.deepEqual(await endOf(emails, id), ['delayed', undefined, TIMED_OUT, 1]);
      await advance(500);
      await until('it runs again', () => runs === 2);
      await advance(999);
      assert.equal(await emails.getJobState(id), 'active');
      await advance(1);
      await until('it has failed', async () => (await emails.getJobState(id)) === 'failed');

      assert.deepEqual(await endOf(emails, id), ['failed', 'timeout', TIMED_OUT, 2]);
      assert.deepEqual(codes, [
        [1, undefined],
        [2, 'timeout'],
      ]);
    },
  },
  {
    title: 'whatever a handler throws that was told to end is a timeout; UnrecoverableError says for good',
    async run({ queue, worker, advance, until }) {
      const emails = queue();
      let runs = 0;
      const one = worker(
        (job, _token, signal) =>
          new Promise((_, reject) => {
            runs += 1;
            const error =
              job.name === 'final' ? new UnrecoverableError('no use') : new Error('connection closed');
            signal.addEventListener('abort', () => reject(error));
          }),
        { concurrency: 2, timeout: '1s' },
      );
      const causes = new Map<string, unknown>();
      one.on('failed', (job, error) => causes.set(job.name, (error.cause as Error).message));
      const plain = await emails.add('plain', {}, { attempts: 2, backoff: '1m' });
      const final = await emails.add('final', {}, { attempts: 2 });
      await until('both run', () => runs === 2);
      await advance(1_000);
      await until('both have failed', () => causes.size === 2);

      assert.deepEqual(await endOf(emails, plain.id), ['delayed', undefined, TIMED_OUT, 1]);
      assert.deepEqual(await endOf(emails, final.id), ['failed', 'timeout', TIMED_OUT, 1]);
      assert.deepEqual(Object.fromEntries(causes), { plain: 'connection closed', final: 'no use' });
    },
  },
  {
    title: 'a handler that completes within the grace has completed its job',
    async run({ queue, worker, advance, until }) {
      const emails = queue();
      let runs = 0;
      worker(
        (_job, _token, signal) =>
          new Promise((resolve) => {
            runs += 1;
            signal.addEventListener('abort', () => resolve('just so'));
          }),
      );
      const { id } = await emails.add('send', {}, { timeout: 1_000 });
      await until('it runs', () => runs === 1);
      await advance(1_000);
      await until('it is completed', async () => (await emails.getJobState(id)) === 'completed');

      assert.equal((await emails.getJob(id))!.returnvalue, 'just so');
      await advance(5_000);
      assert.equal(await emails.getJobState(id), 'completed');
    },
  },
  {
    title: 'the limit of a job goes before that of its worker, and none of either is none',
    async run({ queue, worker, advance, until }) {
      const emails = queue({ defaultJobOptions: { timeout: '1h' } });
      assert.deepEqual(emails.defaultJobOptions, { timeout: 3_600_000 });
      const bare = queue();
      const aborted: string[] = [];
      let started = 0;
      const process: Processor = (job, token, signal) => {
        started += 1;
        signal.addEventListener('abort', () => aborted.push(job.name));
        return untilAborted(job, token, signal) as unknown;
      };
      const one = worker(process, { concurrency: 3, timeout: '2s' });
      await bare.add('of the worker', {});
      await emails.add('of the queue', {});
      await emails.add('of the job', {}, { timeout: '1s' });
      await until('all run', () => started === 3);
      await advance(1_000);
      await until('one has failed', async () => (await bare.getJobCounts()).failed === 1);
      assert.deepEqual(aborted, ['of the job']);
      await advance(1_000);
      await until('two have failed', async () => (await bare.getJobCounts()).failed === 2);
      assert.deepEqual(aborted, ['of the job', 'of the worker']);
      await one.close(true);

      worker(process);
      await until('the last one runs', () => started === 4);
      await advance(3_599_000);
      assert.deepEqual(aborted.slice(2), ['of the queue']);
      await advance(1_000);
      await until('it has failed', async () => (await bare.getJobCounts()).failed === 3);
    },
  },
  {
    title: 'a worker that closes while a handler is told to end, as it took too long, lets the attempt fail',
    async run({ queue, worker, advance, until }) {
      const emails = queue();
      const deaf = deafHandler();
      const one = worker(deaf.process, { timeout: 1_000 });
      const { id } = await emails.add('send', {}, { attempts: 2 });
      await until('it runs', deaf.runs);
      await advance(1_000);
      await one.close(true);

      assert.deepEqual(await endOf(emails, id), ['waiting', undefined, TIMED_OUT, 1]);
    },
  },
  {
    title: 'a job that is cancelled while its handler has to end, as it took too long, is cancelled',
    async run({ queue, worker, advance, until }) {
      const emails = queue();
      const deaf = deafHandler();
      const one = worker(deaf.process, { timeout: 1_000, timeoutGrace: 60_000 });
      const failures: unknown[] = [];
      one.on('failed', (_job, error) => failures.push(error));
      const { id } = await emails.add('send', {}, { attempts: 2 });
      await until('it runs', deaf.runs);
      await advance(1_000);
      assert.equal(await emails.cancel(id, 'not wanted'), 'requested');
      // The worker hears of it by its next renewal at the latest.
      await advance(59_000);
      assert.equal(failures.length, 0);
      await advance(1_000);
      await until('it has failed', () => failures.length === 1);

      const job = (await emails.getJob(id))!;
      assert.ok(failures[0] instanceof JobCancelledError);
      assert.deepEqual([await job.getState(), job.failedCode], ['failed', 'cancelled']);
    },
  },
  {
    title: 'a handler that has moved its job when its time is over has moved it',
    async run({ queue, worker, clock, advance, until }) {
      const emails = queue();
      let moved = false;
      const one = worker(
        async (job, token) => {
          await job.moveToDelayed(clock.now() + 60_000, token);
          moved = true;
          await new Promise(() => undefined);
        },
        { timeout: 1_000, timeoutGrace: 0 },
      );
      let failures = 0;
      one.on('failed', () => (failures += 1));
      one.on('error', () => (failures += 1));
      const { id } = await emails.add('send', {});
      const next = await emails.add('send', {});
      await until('it has moved it', () => moved);
      moved = false;
      await advance(1_001);
      await until('the next one runs', () => moved);

      assert.deepEqual(await endOf(emails, id), ['delayed', undefined, undefined, 0]);
      assert.equal(await emails.getJobState(next.id), 'delayed');
      assert.equal(failures, 0);
    },
  },
  {
    title: 'a job that no worker starts in time fails with the code `expired` and is not run',
    async run({ queue, worker, advance, until }) {
      const emails = queue();
      const job = await emails.add('send', {}, { expiresIn: '1s', attempts: 5 });
      const timely = await emails.add('send', {}, { expiresIn: 1_001 });
      assert.deepEqual([job.opts.expiresIn, job.expiresAt], [1_000, job.timestamp + 1_000]);
      assert.deepEqual((await emails.getJob(job.id))!.toJSON().opts, { attempts: 5, expiresIn: 1_000 });
      const finished: Promise<unknown> = job.finished().catch((error: unknown) => error);
      await advance(1_000);
      const ran: string[] = [];
      const one = worker((run) => void ran.push(run.id), { skipStalledCheck: true });
      const failures: unknown[] = [];
      one.on('failed', (failed, error) => failures.push([failed.id, error instanceof JobExpiredError]));
      await until('both have ended', async () => {
        const { completed, failed } = await emails.getJobCounts();
        return completed + failed === 2;
      });

      assert.deepEqual([ran, failures], [[timely.id], [[job.id, true]]]);
      assert.deepEqual((await endOf(emails, job.id)).slice(0, 3), ['failed', 'expired', EXPIRED_REASON]);
      const error = await finished;
      assert.ok(error instanceof JobExpiredError && error instanceof JobFailedError);
      assert.equal(error.failedCode, 'expired');
    },
  },
  {
    title:
      'a sweep fails what has expired and will not be started, as in a paused queue, and keeps what its job says',
    async run({ queue, worker, advance, until }) {
      const emails = queue();
      await emails.pause();
      const kept = await emails.add('send', {}, { expiresIn: '10s', priority: 1 });
      const dropped = await emails.add('send', {}, { expiresIn: '10s', removeOnFail: true });
      const others = await emails.add('send', {});
      const end = dropped.finished().catch((error: unknown) => error);
      const one = worker(() => undefined, { stalledInterval: '30s', metrics: { maxDataPoints: 10 } });
      const failures: unknown[] = [];
      one.on('failed', (job) => failures.push([job.id, job.failedCode]));
      await one.waitUntilReady();
      await advance(30_000);
      await until('both have failed', () => failures.length === 2);

      assert.deepEqual(failures, [
        [kept.id, 'expired'],
        [dropped.id, 'expired'],
      ]);
      assert.deepEqual((await endOf(emails, kept.id)).slice(0, 3), ['failed', 'expired', EXPIRED_REASON]);
      assert.equal(await emails.getJobState(dropped.id), 'unknown');
      assert.ok((await end) instanceof JobFailedError);
      assert.equal(await emails.getJobState(others.id), 'waiting');
      assert.equal((await emails.getMetrics('failed')).meta.count, 2);
    },
  },
  {
    title: 'a job that is fetched by hand is not one that has expired',
    async run({ queue, worker, advance }) {
      const emails = queue();
      const expired = await emails.add('send', {}, { expiresIn: '1s' });
      const next = await emails.add('send', {});
      await advance(1_000);
      const byHand = worker(null);

      const job = await byHand.getNextJob('token', { block: false });

      assert.equal(job?.id, next.id);
      assert.deepEqual((await endOf(emails, expired.id)).slice(0, 3), ['failed', 'expired', EXPIRED_REASON]);
    },
  },
  {
    title:
      'a job that is held back anew, promoted or run again says until when it has to be started, as the queue does',
    async run({ queue, advance }) {
      const emails = queue();
      const job = await emails.add('send', {}, { delay: '1m', expiresIn: '10s' });
      const stored = async (): Promise<number | undefined> => (await emails.getJob(job.id))!.expiresAt;
      const { timestamp } = job;
      await advance(1_000);

      await job.changeDelay('5s');
      assert.deepEqual([job.expiresAt, await stored()], [timestamp + 16_000, timestamp + 16_000]);

      await advance(1_000);
      await job.promote();
      assert.deepEqual([job.expiresAt, await stored()], [timestamp + 12_000, timestamp + 12_000]);

      await emails.cancel(job.id);
      await job.retry();
      assert.deepEqual([job.expiresAt, await stored()], [undefined, undefined]);
    },
  },
  {
    title: 'a handler that throws the timeout or the expiry of another job has failed as others do',
    async run({ queue, worker, until }) {
      const emails = queue();
      const thrown = [
        new JobTimeoutError('other', 'email', 'took long'),
        new JobExpiredError('other', 'email', 'was late'),
      ];
      const { id } = await emails.add('send', {}, { attempts: 2 });
      worker(() => {
        throw thrown.shift()!;
      });
      await until('it has failed twice', async () => (await emails.getJobState(id)) === 'failed');

      const job = (await emails.getJob(id))!;
      assert.deepEqual([job.attemptsMade, job.failedCode], [2, undefined]);
      assert.match(job.failedReason!, /^Job "other" of queue "email" failed: was late\./);
    },
  },
];
