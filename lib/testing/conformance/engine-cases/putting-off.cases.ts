import assert from 'node:assert/strict';

import { DelayedError } from '../../../model/errors/delayed.error';
import { UnrecoverableError } from '../../../model/errors/unrecoverable.error';
import { WaitingError } from '../../../model/errors/waiting.error';
import type { EngineScenario } from './engine-scenario';

/**
 * Handlers that move their own job.
 *
 * @internal
 */
export const puttingOffCases: readonly EngineScenario[] = [
  {
    title: 'JOB-16 a handler holds its job back until a time, and no attempt is used',
    async run({ queue, worker, until, advance, clock, events }) {
      const emails = queue();
      const heard: unknown[] = [];
      (await events()).on('delayed', ({ jobId, delay }) => heard.push([jobId, delay]));
      const begin = clock.now();
      const runs: number[] = [];
      const failures: string[] = [];
      const one = worker(async (job) => {
        runs.push(clock.now() - begin);
        if (runs.length === 1) {
          await job.moveToDelayed(begin + 60_000);
          assert.equal(job.delay, 60_000);
          throw new DelayedError();
        }
      });
      one.on('failed', (job) => failures.push(job.id));
      one.on('error', (error) => failures.push(error.message));
      const { id } = await emails.add('send', {});
      await until('the job is held back', async () => (await emails.getJobState(id)) === 'delayed');

      await advance(59_999);
      assert.equal(runs.length, 1);
      await advance(1);
      await until('the job is completed', async () => (await emails.getJobState(id)) === 'completed');

      const job = (await emails.getJob(id))!;
      assert.deepEqual([job.attemptsMade, job.attemptsStarted, job.failedReason], [1, 2, undefined]);
      assert.deepEqual([runs, failures], [[0, 60_000], []]);
      await until('the event is heard', () => heard.length > 0);
      assert.deepEqual(heard, [[id, begin + 60_000]]);
    },
  },
  {
    title: 'JOB-10 a handler puts its job back before those that wait, and no attempt is used',
    async run({ queue, worker, until }) {
      const emails = queue();
      const ran: string[] = [];
      await emails.addBulk(['a', 'b'].map((name) => ({ name, data: {} })));
      const [first] = await emails.getWaiting();

      worker(async (job) => {
        ran.push(job.name);
        if (ran.length === 1) {
          await job.moveToWait();
          throw new WaitingError();
        }
      });
      await until('both are completed', async () => (await emails.getJobCounts()).completed === 2);

      assert.deepEqual(ran, ['a', 'a', 'b']);
      const { attemptsMade, attemptsStarted } = (await emails.getJob(first!.id))!;
      assert.deepEqual([attemptsMade, attemptsStarted], [1, 2]);
    },
  },
  {
    title: 'copies of the control errors are known by name or by message',
    async run({ queue, worker, until }) {
      const emails = queue();
      const errors = [
        Object.assign(new Error('later'), { name: 'DelayedError' }),
        Object.assign(new Error('later'), { name: 'WaitingError' }),
        Object.assign(new Error('bullmq:movedToDelayed'), { name: 'a' }),
        Object.assign(new Error('bullmq:movedToWait'), { name: 'b' }),
        Object.assign(new DelayedError('mine'), { name: 'Snooze' }),
      ];
      const told: unknown[] = [];
      const one = worker(async (job) => {
        const error = errors.shift();
        if (error !== undefined) {
          await job.moveToDelayed(0);
          throw error;
        }
      });
      one.on('failed', (_job, error) => told.push(error));
      one.on('error', (error) => told.push(error));
      const { id } = await emails.add('send', {});

      await until('the job is completed', async () => (await emails.getJobState(id)) === 'completed');

      const { attemptsMade, attemptsStarted } = (await emails.getJob(id))!;
      assert.deepEqual([attemptsMade, attemptsStarted, told], [1, 6, []]);
    },
  },
  {
    title: 'JOB-21 an unrecoverable error is known by class, also where its name is another',
    async run({ queue, worker, until }) {
      const emails = queue();
      worker(() => {
        throw Object.assign(new UnrecoverableError('hopeless'), { name: 'Hopeless' });
      });
      const { id } = await emails.add('send', {}, { attempts: 5 });

      await until('the job has failed', async () => (await emails.getJobState(id)) === 'failed');
      assert.equal((await emails.getJob(id))!.attemptsMade, 1);
    },
  },
  {
    title: 'T-B11 nobody misses the lease of a job that its handler has moved, however long that goes on',
    async run({ queue, worker, until, advance }) {
      const emails = queue();
      let end: () => void = () => undefined;
      let signal: AbortSignal | undefined;
      const told: unknown[] = [];
      const one = worker(
        async (job, _token, itsSignal) => {
          signal = itsSignal;
          await job.moveToDelayed(job.timestamp + 86_400_000);
          await new Promise<void>((resolve) => (end = resolve));
          throw new DelayedError();
        },
        { lockDuration: 600, lockRenewTime: 200 },
      );
      one.on('error', (error) => told.push(error));
      one.on('lockRenewalFailed', (ids) => told.push(ids));
      one.on('failed', (job) => told.push(job.id));
      const { id } = await emails.add('send', {});
      await until('the job is held back', async () => (await emails.getJobState(id)) === 'delayed');

      await advance(5 * 200);
      assert.equal(signal!.aborted, false);
      end();
      await one.pause();

      assert.deepEqual(told, []);
      assert.equal(await emails.getJobState(id), 'delayed');
    },
  },
  {
    title: 'T-B16 a job that is held back five times has all its attempts still',
    async run({ queue, worker, until, advance, clock }) {
      const emails = queue();
      let runs = 0;
      worker(async (job) => {
        runs += 1;
        if (runs <= 5) {
          await job.moveToDelayed(clock.now() + 1_000);
          throw new DelayedError();
        }
        throw new Error('broken');
      });
      const { id } = await emails.add('send', {}, { attempts: 3 });
      for (let snoozes = 1; snoozes <= 5; snoozes += 1) {
        await until('it is held back', async () => (await emails.getJobState(id)) === 'delayed');
        assert.equal(runs, snoozes);
        await advance(1_000);
        await until('it ran again', () => runs > snoozes);
      }

      await until('the job has failed', async () => (await emails.getJobState(id)) === 'failed');
      const { attemptsMade, attemptsStarted, stalledCounter } = (await emails.getJob(id))!;
      assert.deepEqual([attemptsMade, attemptsStarted, stalledCounter, runs], [3, 8, 0, 8]);
    },
  },
  {
    title: 'a handler that says it moved its job, but did not, has failed an attempt',
    async run({ queue, worker, until }) {
      const emails = queue();
      const failures: unknown[] = [];
      const one = worker(() => {
        throw failures.length === 0 ? new DelayedError() : new WaitingError();
      });
      one.on('failed', (_job, error) => failures.push((error as { code?: string }).code));
      const { id } = await emails.add('send', {}, { attempts: 2 });

      await until('it has failed twice', () => failures.length === 2);

      assert.equal(await emails.getJobState(id), 'failed');
      assert.deepEqual(failures, ['LANE_JOB_NOT_MOVED', 'LANE_JOB_NOT_MOVED']);
      assert.match((await emails.getJob(id))!.failedReason!, /moveToWait/);
    },
  },
  {
    title: 'a handler may move its job by another handle on it, with the token',
    async run({ queue, worker, until, clock }) {
      const emails = queue();
      const told: unknown[] = [];
      let ended = false;
      const one = worker(async ({ id }, token) => {
        await (await emails.getJob(id))!.moveToDelayed(clock.now() + 1_000, token);
        ended = true;
        throw new DelayedError();
      });
      one.on('error', (error) => told.push(error));
      one.on('failed', (job) => told.push(job.id));
      const { id } = await emails.add('send', {});
      await until('its handler ended', () => ended);
      await one.pause();

      assert.equal(await emails.getJobState(id), 'delayed');
      assert.deepEqual([told, (await emails.getJob(id))!.attemptsMade], [[], 0]);
    },
  },
  {
    title: 'a job that its handler has moved keeps nothing of what the handler returns or throws later',
    async run({ queue, worker, until, clock }) {
      const emails = queue();
      const told: unknown[] = [];
      const ends = [() => 'done', () => assert.fail('too late')];
      const one = worker(async (job) => {
        await job.moveToDelayed(clock.now() + 60_000);
        return ends.shift()!();
      });
      one.on('error', (error) => told.push(error.message));
      one.on('failed', (job) => told.push(job.id));
      one.on('completed', (job) => told.push(job.id));
      const ids = (await emails.addBulk(['a', 'b'].map((name) => ({ name, data: {} })))).map(({ id }) => id);
      await until('the error is told', () => told.length > 0);
      await one.pause();

      assert.deepEqual(told, ['too late']);
      for (const id of ids) {
        const job = (await emails.getJob(id))!;
        assert.deepEqual([await job.getState(), job.attemptsMade, job.returnvalue], ['delayed', 0, null]);
      }
    },
  },
  {
    title: 'a handler that throws before its move is done is waited for',
    async run({ queue, worker, until, clock }) {
      const emails = queue();
      const told: unknown[] = [];
      const one = worker((job) => {
        void job.moveToDelayed(clock.now() + 60_000);
        throw new DelayedError();
      });
      one.on('error', (error) => told.push(error));
      one.on('failed', (job) => told.push(job.id));
      const { id } = await emails.add('send', {});
      await until('the job is held back', async () => (await emails.getJobState(id)) === 'delayed');
      await one.pause();

      assert.deepEqual(told, []);
    },
  },
  {
    title: 'a move that is refused changes nothing, and the handler has its job still',
    async run({ queue, worker, until, clock }) {
      const emails = queue();
      const refusals: unknown[] = [];
      const codeOf = (error: unknown): unknown => (error as { code?: string }).code;
      worker(async (job) => {
        await job.moveToDelayed(clock.now(), 'not mine').catch((error) => refusals.push(codeOf(error)));
        await job.moveToWait('0').catch((error) => refusals.push(codeOf(error)));
        for (const time of [Number.NaN, Infinity, -Infinity, 2 ** 53, '5' as never, 5n as never]) {
          await job.moveToDelayed(time).catch((error) => refusals.push(codeOf(error)));
        }
        return 'done';
      });
      const { id } = await emails.add('send', {});

      await until('the job is completed', async () => (await emails.getJobState(id)) === 'completed');

      assert.deepEqual(refusals, [
        'LANE_LEASE_LOST',
        'LANE_BAD_TOKEN',
        ...new Array<string>(6).fill('LANE_BAD_DELAY'),
      ]);
      assert.equal((await emails.getJob(id))!.returnvalue, 'done');
    },
  },
  {
    title: 'a worker that is closed hands nothing back that its handler has moved',
    async run({ queue, worker, until, clock }) {
      const emails = queue();
      const told: unknown[] = [];
      const one = worker(async (job) => {
        await job.moveToDelayed(clock.now() + 60_000);
        await new Promise(() => undefined);
      });
      one.on('error', (error) => told.push(error));
      const { id } = await emails.add('send', {});
      await until('the job is held back', async () => (await emails.getJobState(id)) === 'delayed');

      await one.close(true);

      assert.deepEqual([told, await emails.getJobState(id)], [[], 'delayed']);
    },
  },
  {
    title: 'a job that has been taken too often fails without running, with the code "too-many-starts"',
    async run({ queue, worker, until }) {
      const emails = queue();
      let runs = 0;
      const options = { maxStartedAttempts: 3 };
      const one = worker(async (job) => {
        runs += 1;
        await job.moveToWait();
        throw new WaitingError();
      }, options);
      const failures: string[] = [];
      one.on('failed', (_job, error) => failures.push(error.message));
      const { id } = await emails.add('send', {}, { attempts: 9 });

      await until('the job has failed', () => failures.length > 0);

      const job = (await emails.getJob(id))!;
      assert.deepEqual(
        [runs, job.attemptsStarted, job.failedCode, failures],
        [3, 4, 'too-many-starts', ['job started more than allowable limit']],
      );
    },
  },
  {
    title: 'the last start that a job may have is not retried',
    async run({ queue, worker, until }) {
      const emails = queue();
      let runs = 0;
      worker(
        () => {
          runs += 1;
          throw new Error('broken');
        },
        { maxStartedAttempts: 2 },
      );
      const { id } = await emails.add('send', {}, { attempts: 9 });

      await until('the job has failed', async () => (await emails.getJobState(id)) === 'failed');

      const { attemptsMade, failedReason } = (await emails.getJob(id))!;
      assert.deepEqual([runs, attemptsMade, failedReason], [2, 2, 'broken']);
    },
  },
];
