import assert from 'node:assert/strict';

import type { Processor } from '../../../engine/worker/job-executor';
import { UnrecoverableError } from '../../../model/errors/unrecoverable.error';
import type { EngineScenario } from './engine-scenario';

/** A handler that lasts until it is told to stop, and then throws what it is told. */
const untilAborted: Processor = (_job, _token, signal) =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

/**
 * Signals of running jobs that their worker is asked to abort.
 *
 * @internal
 */
export const cancellingCases: readonly EngineScenario[] = [
  {
    title: 'a job that is cancelled has its signal aborted, and what its handler throws is a failed attempt',
    async run({ queue, worker, until }) {
      const emails = queue();
      let runs = 0;
      const one = worker(
        (job, token, signal) => {
          runs += 1;
          return untilAborted(job, token, signal) as unknown;
        },
        { concurrency: 2 },
      );
      const failures: unknown[] = [];
      one.on('failed', (job, error) => failures.push([job.id, error.message]));
      const other = await emails.add('send', {});
      const { id } = await emails.add('send', {}, { attempts: 2, backoff: '1m' });
      await until('both run', () => runs === 2);

      assert.equal(one.cancelJob('never'), false);
      assert.equal(one.cancelJob(id, 'no longer wanted'), true);
      await until('it has failed', () => failures.length > 0);

      assert.deepEqual(failures, [[id, 'no longer wanted']]);
      assert.equal(await emails.getJobState(id), 'delayed');
      assert.equal((await emails.getJob(id))!.attemptsMade, 1);
      assert.equal(await emails.getJobState(other.id), 'active');
      assert.equal(one.cancelJob(id), false);
    },
  },
  {
    title: 'a handler may complete its cancelled job, or fail it for good',
    async run({ queue, worker, until }) {
      const emails = queue();
      const reasons: unknown[] = [];
      let runs = 0;
      const one = worker(
        (job, _token, signal) =>
          new Promise((resolve, reject) => {
            runs += 1;
            signal.addEventListener('abort', () => {
              reasons.push((signal.reason as Error).name);
              if (job.name === 'soft') {
                resolve('half of it');
              } else {
                reject(new UnrecoverableError('cancelled'));
              }
            });
          }),
        { concurrency: 2 },
      );
      const soft = await emails.add('soft', {});
      const hard = await emails.add('hard', {}, { attempts: 5 });
      await until('both run', () => runs === 2);

      one.cancelAllJobs();
      await until('both ended', async () => (await emails.getJobCounts()).active === 0);

      assert.equal((await emails.getJob(soft.id))!.returnvalue, 'half of it');
      assert.equal(await emails.getJobState(hard.id), 'failed');
      assert.deepEqual(reasons, ['AbortError', 'AbortError']);
    },
  },
  {
    title: 'a handler that looks at its signal late finds it aborted, with the first reason',
    async run({ queue, worker, until }) {
      const emails = queue();
      let look: () => void = () => undefined;
      let runs = 0;
      const one = worker(async (...given) => {
        runs += 1;
        await new Promise<void>((resolve) => (look = resolve));
        return [given[2].aborted, given[2].reason as unknown];
      });
      const { id } = await emails.add('send', {});
      await until('it runs', () => runs > 0);

      assert.equal(one.cancelJob(id, 'first'), true);
      one.cancelAllJobs('second');
      look();
      await until('it is completed', async () => (await emails.getJobState(id)) === 'completed');

      assert.deepEqual((await emails.getJob(id))!.returnvalue, [true, 'first']);
    },
  },
  {
    title: 'a cancelled job whose worker closes is handed back still',
    async run({ queue, worker, until }) {
      const emails = queue();
      const one = worker(() => new Promise(() => undefined));
      const { id } = await emails.add('send', {});
      await until('it is in hand', () => one.cancelJob(id, 'stop'));
      await one.close(true);

      assert.equal(await emails.getJobState(id), 'waiting');
      assert.equal((await emails.getJob(id))!.attemptsMade, 0);
    },
  },
];
