import assert from 'node:assert/strict';

import type { Job } from '../../../engine/job';
import type { Processor } from '../../../engine/worker/job-executor';
import { JobCancelledError } from '../../../model/errors/job-cancelled.error';
import type { EngineScenario } from './engine-scenario';

/** A handler that lasts until it is told to stop, and tells of both. */
function untilAborted(told: unknown[], how: (reason: unknown) => unknown): Processor {
  return (job, _token, signal) =>
    new Promise((resolve, reject) => {
      told.push(job.id);
      signal.addEventListener('abort', () => {
        told.push(signal.reason);
        void Promise.resolve(signal.reason).then(how).then(resolve, reject);
      });
    });
}

function rethrow(reason: unknown): never {
  throw reason;
}

function endOf(job: Job | undefined): unknown[] {
  return [job?.failedReason, job?.failedCode, job?.attemptsMade];
}

/** After so long a worker with nothing else to wait for listens to what becomes of its jobs. */
const LISTENS = 100;

/**
 * Jobs that are cancelled by way of their queue.
 *
 * @internal
 */
export const cancellingAnywhereCases: readonly EngineScenario[] = [
  {
    title: 'a job that waits fails at once, as cancelled, and who waits for it is told',
    async run({ queue }) {
      const emails = queue();
      const waiting = await emails.add('send', {}, { attempts: 3 });
      const delayed = await emails.add('send', {}, { delay: '1h' });
      const ranked = await emails.add('send', {}, { priority: 7 });
      const ends = [waiting, delayed, ranked].map((job) => assert.rejects(job.finished(), JobCancelledError));

      assert.equal(await emails.cancel(waiting.id, 'no longer wanted'), 'ended');
      assert.equal(await emails.cancel(delayed.id), 'ended');
      assert.equal(await emails.cancel(ranked.id, ''), 'ended');

      await Promise.all(ends);
      await assert.rejects(waiting.finished(), {
        code: 'LANE_JOB_CANCELLED',
        jobId: waiting.id,
        queueName: emails.name,
        reason: 'no longer wanted',
      });
      await assert.rejects(delayed.finished(), { code: 'LANE_JOB_CANCELLED', reason: undefined });
      assert.deepEqual(endOf(await emails.getJob(waiting.id)), [
        'job was cancelled: no longer wanted',
        'cancelled',
        0,
      ]);
      assert.deepEqual(endOf(await emails.getJob(ranked.id)), ['job was cancelled', 'cancelled', 0]);
      assert.equal((await emails.getJobCounts()).failed, 3);
    },
  },
  {
    title: 'a cancel of what cannot be cancelled is refused, and changes nothing',
    async run({ queue, worker, until }) {
      const emails = queue();
      worker(() => 'sent');
      const done = await emails.add('send', {});
      await until('it is done', async () => (await emails.getJobState(done.id)) === 'completed');
      const later = await emails.add('send', {}, { delay: '1h' });

      await assert.rejects(emails.cancel('none'), { code: 'LANE_JOB_NOT_FOUND', jobId: 'none' });
      await assert.rejects(emails.cancel(done.id), {
        code: 'LANE_WRONG_JOB_STATE',
        message: /cancel takes jobs that have not finished/,
      });
      await assert.rejects(emails.cancel(later.id, 7 as never), { code: 'LANE_BAD_REASON' });

      assert.equal(await emails.getJobState(later.id), 'delayed');
      assert.equal((await emails.getJob(done.id))!.returnvalue, 'sent');
    },
  },
  {
    title: 'a job that runs has its signal aborted, wherever, and fails for good though attempts are left',
    async run({ queue, worker, advance, until }) {
      const emails = queue();
      const told: unknown[] = [];
      const one = worker(untilAborted(told, rethrow), { concurrency: 2 });
      const failures: [string, Error][] = [];
      one.on('failed', (job, error) => failures.push([job.id, error]));
      const other = await emails.add('send', {});
      const job = await emails.add('send', {}, { attempts: 5, backoff: '1m' });
      await until('both run', () => told.length === 2);
      await advance(LISTENS);

      assert.equal(await emails.cancel(job.id, 'no longer wanted'), 'requested');
      await until('it has failed', () => failures.length > 0);

      const [id, error] = failures[0]!;
      assert.equal(id, job.id);
      assert.ok(error instanceof JobCancelledError);
      assert.equal(error, told[2]);
      assert.equal(error.reason, 'no longer wanted');
      const stored = (await emails.getJob(job.id))!;
      assert.deepEqual(endOf(stored), ['job was cancelled: no longer wanted', 'cancelled', 1]);
      assert.equal(stored.stacktrace.length, 1);
      assert.equal(await emails.getJobState(job.id), 'failed');
      assert.equal(await emails.getJobState(other.id), 'active');
      await assert.rejects(job.finished(), { code: 'LANE_JOB_CANCELLED', reason: 'no longer wanted' });
    },
  },
  {
    title:
      'what the handler of a cancelled job throws in its own way is the cause, also if it calls for another run',
    async run({ queue, worker, advance, until }) {
      const emails = queue();
      const told: unknown[] = [];
      const failures: Error[] = [];
      const rate = worker(
        untilAborted(told, () => {
          throw new Error('cleaned up');
        }),
      );
      rate.on('failed', (_job, error) => failures.push(error));
      const job = await emails.add('send', {}, { attempts: 5 });
      await until('it runs', () => told.length === 1);
      await advance(LISTENS);

      await emails.cancel(job.id);
      await until('it has failed', () => failures.length > 0);

      const { cause } = failures[0] as JobCancelledError;
      assert.equal((cause as Error).message, 'cleaned up');
      const stored = (await emails.getJob(job.id))!;
      assert.deepEqual(endOf(stored), ['job was cancelled', 'cancelled', 1]);
      assert.match(stored.stacktrace[0]!, /cleaned up/);
    },
  },
  {
    title: 'a handler that completes its cancelled job all the same has completed it',
    async run({ queue, worker, advance, until }) {
      const emails = queue();
      const told: unknown[] = [];
      worker(untilAborted(told, () => 'half of it'));
      const job = await emails.add('send', {});
      await until('it runs', () => told.length === 1);
      await advance(LISTENS);

      assert.equal(await emails.cancel(job.id), 'requested');

      assert.equal(await job.finished(), 'half of it');
    },
  },
  {
    title:
      'a job is found in the hands of a worker that waits for others, for the end of a limit, or is paused',
    async run({ queue, worker, advance, until }) {
      const emails = queue();
      const told: unknown[] = [];
      const one = worker(untilAborted(told, rethrow), {
        concurrency: 3,
        limiter: { max: 3, duration: 60_000 },
      });
      const failed: string[] = [];
      one.on('failed', ({ id }) => failed.push(id));
      const [idle, limited, paused] = [
        await emails.add('send', {}),
        await emails.add('send', {}),
        await emails.add('send', {}),
      ];
      await until('they run', () => told.length === 3);
      await advance(LISTENS);
      await emails.cancel(idle.id);
      await until('it has failed', () => failed.includes(idle.id));
      await emails.add('send', {});
      await emails.cancel(limited.id);
      await until('the next has failed', () => failed.includes(limited.id));
      await one.pause(true);
      await advance(LISTENS);
      await emails.cancel(paused.id);
      await until('the last has failed', () => failed.includes(paused.id));

      assert.equal(told.length, 6);
    },
  },
  {
    title: 'a cancelled job whose worker closes first fails, and is not handed back',
    async run({ queue, worker, advance, until }) {
      const emails = queue();
      const told: unknown[] = [];
      const one = worker((job, _token, signal) => {
        told.push(job.id);
        signal.addEventListener('abort', () => told.push(signal.reason));
        return new Promise(() => undefined);
      });
      const { id } = await emails.add('send', {}, { attempts: 3 });
      await until('it runs', () => told.length === 1);
      await advance(LISTENS);
      await emails.cancel(id, 'stop');
      await until('it is told', () => told.length === 2);

      await one.close(true);

      assert.deepEqual(endOf(await emails.getJob(id)), ['job was cancelled: stop', 'cancelled', 0]);
    },
  },
  {
    title: 'a job that was fetched by hand has its cancel noted, and is not fetched or tried again',
    async run({ queue, worker }) {
      const emails = queue();
      const hand = worker(null);
      const added = await emails.add('send', {}, { attempts: 3 });
      const job = (await hand.getNextJob('mine', { block: false }))!;

      assert.equal(await emails.cancel(added.id, 'enough'), 'unreachable');
      await job.moveToFailed(new Error('broken'), 'mine');

      assert.deepEqual(endOf(await emails.getJob(added.id)), ['job was cancelled: enough', 'cancelled', 1]);
      assert.equal(await hand.getNextJob('mine', { block: false }), undefined);
    },
  },
  {
    title: 'a job whose worker is gone is not run again once it was cancelled, by a worker or by hand',
    async run({ queue, worker, advance, until }) {
      const emails = queue();
      const lost = worker(null, { lockDuration: 1_000 });
      const jobs = await emails.addBulk(
        ['a', 'b'].map((name) => ({ name, data: {}, opts: { attempts: 3 } })),
      );
      await lost.getNextJob('x', { block: false });
      await lost.getNextJob('y', { block: false });
      for (const { id } of jobs) {
        assert.equal(await emails.cancel(id, 'gone'), 'unreachable');
      }
      await lost.startStalledCheckTimer();
      for (let sweep = 0; sweep < 3; sweep += 1) {
        await advance(30_000);
      }
      await until('they are back', async () => (await emails.getJobCounts()).waiting === 2);

      const failures: [string, string][] = [];
      const hand = worker(null);
      hand.on('failed', (job, error) => failures.push([job.name, (error as JobCancelledError).code]));
      assert.equal(await hand.getNextJob('z', { block: false }), undefined);

      assert.deepEqual(failures, [
        ['a', 'LANE_JOB_CANCELLED'],
        ['b', 'LANE_JOB_CANCELLED'],
      ]);
      for (const { id } of jobs) {
        assert.deepEqual(endOf(await emails.getJob(id)), ['job was cancelled: gone', 'cancelled', 1]);
      }
    },
  },
  {
    title:
      'a worker does not run a job that it gets after its cancel was noted, and runs it when it is retried',
    async run({ queue, worker, advance, until }) {
      const emails = queue();
      const lost = worker(null, { lockDuration: 1_000 });
      const job = await emails.add('send', {}, { attempts: 3 });
      await lost.getNextJob('x', { block: false });
      await emails.cancel(job.id, 'gone');
      const runs: string[] = [];
      worker(({ id }) => {
        runs.push(id);
        return 'sent';
      });
      await until('it has failed', async () => {
        await advance(30_000);
        return (await emails.getJobState(job.id)) === 'failed';
      });
      assert.deepEqual(runs, []);
      await assert.rejects(job.finished(), { code: 'LANE_JOB_CANCELLED', reason: 'gone' });

      await job.retry();

      assert.equal(await job.finished(), 'sent');
      assert.deepEqual(runs, [job.id]);
    },
  },
  {
    title: 'the renewal of a lease tells of a cancel that no message has told of',
    async run({ queue, worker, backend, advance, until }) {
      const emails = queue();
      const told: unknown[] = [];
      const deaf = {
        ...backend,
        capabilities: backend.capabilities,
        openQueue: (request: Parameters<typeof backend.openQueue>[0]) => {
          const handle = backend.openQueue(request);
          const waitForWork = handle.waitForWork.bind(handle);
          handle.waitForWork = (terms) => waitForWork({ ...terms, onCancel: () => undefined });
          return handle;
        },
      };
      worker(untilAborted(told, rethrow), { backend: deaf, lockDuration: 3_000 });
      const job = await emails.add('send', {}, { attempts: 3 });
      await until('it runs', () => told.length === 1);
      await emails.cancel(job.id, 'late');
      await until('it has failed', async () => {
        await advance(500);
        return (await emails.getJobState(job.id)) === 'failed';
      });

      assert.equal((told[1] as JobCancelledError).reason, 'late');
      assert.deepEqual(endOf(await emails.getJob(job.id)), ['job was cancelled: late', 'cancelled', 1]);
    },
  },
];
