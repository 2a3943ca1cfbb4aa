import assert from 'node:assert/strict';

import type { BackoffStrategy } from '../../../model/policy/backoff-strategy';
import { QueueUser } from '../queue-user';
import type { EngineContext, EngineScenario } from './engine-scenario';

/** Runs a job that always fails, with a backoff of the type `mine`, until it waits or has ended. */
async function fail(
  { queue, worker, until }: EngineContext,
  backoffStrategy?: BackoffStrategy,
): Promise<Awaited<ReturnType<ReturnType<EngineContext['queue']>['getJob']>>> {
  const emails = queue();
  const { id } = await emails.add('send', { n: 1 }, { attempts: 4, backoff: { type: 'mine', delay: '2s' } });
  const settings = backoffStrategy === undefined ? {} : { settings: { backoffStrategy } };
  worker(() => Promise.reject(new Error('no mailbox')), settings);
  await until('the job waits, or has ended', async () =>
    ['delayed', 'failed'].includes(await emails.getJobState(id)),
  );
  return emails.getJob(id);
}

/**
 * Waits between attempts that a worker's own strategy decides.
 *
 * @internal
 */
export const backoffCases: readonly EngineScenario[] = [
  {
    title: 'JOB-20 a strategy of the worker says how long a job waits, at once or later',
    async run(context) {
      const asked: unknown[] = [];
      const job = await fail(context, async (attemptsMade, type, error, { id, data, opts }) => {
        asked.push([attemptsMade, type, error.message, id, data, opts.backoff?.delay]);
        await Promise.resolve();
        return 1_499.5;
      });

      assert.deepEqual(asked, [[1, 'mine', 'no mailbox', '1', { n: 1 }, 2_000]]);
      assert.deepEqual(
        [await job?.getState(), job?.delay, job?.attemptsMade, job?.failedReason],
        ['delayed', 1_500, 1, 'no mailbox'],
      );
      await context.advance(1_500);
      await context.until('it was asked again', () => asked.length === 2);
      assert.equal((asked[1] as unknown[])[0], 2);
    },
  },
  {
    title: 'JOB-20 a strategy that says 0 or nothing has the job tried again at once',
    async run(context) {
      const answers = [0, undefined, undefined];
      const job = await fail(context, (attemptsMade) => answers[attemptsMade - 1]);

      assert.deepEqual([await job?.getState(), job?.attemptsMade, job?.failedCode], ['failed', 4, undefined]);
    },
  },
  {
    title: 'JOB-21 a strategy that says -1 fails the job for good, with attempts left',
    async run(context) {
      const listener = await context.events();
      const heard: string[] = [];
      listener.on('failed', () => heard.push('failed'));
      listener.on('retries-exhausted', () => heard.push('retries-exhausted'));
      const job = await fail(context, () => -1);

      assert.deepEqual(
        [await job?.getState(), job?.attemptsMade, job?.failedReason, job?.failedCode],
        ['failed', 1, 'no mailbox', undefined],
      );
      await context.until('it was heard', () => heard.length > 0);
      assert.deepEqual(heard, ['failed']);
    },
  },
  {
    title: 'a backoff that the worker has no strategy for fails the job for good, and says so',
    async run(context) {
      const job = await fail(context);

      assert.deepEqual(
        [await job?.getState(), job?.attemptsMade, job?.failedCode],
        ['failed', 1, 'no-backoff'],
      );
      assert.match(job!.failedReason!, /the strategy of backoff "mine" is unknown to the worker\./);
      assert.match(job!.failedReason!, /^The attempt failed with "no mailbox"/);
      assert.equal(job!.stacktrace.length, 1);
      assert.match(job!.stacktrace[0]!, /\nError: no mailbox\n\s+at /);
    },
  },
  {
    title: 'a strategy that throws, or returns no time, fails the job for good, and says so',
    async run({ queue, worker, until }) {
      const emails = queue();
      const answers: (() => unknown)[] = [
        () => {
          throw new Error('bad strategy');
        },
        () => Promise.reject(new Error('bad strategy')),
        () => NaN,
        () => -2,
        () => '5s',
        () => ({}),
      ];
      await emails.addBulk(
        answers.map((_, index) => ({
          name: 'send',
          data: index,
          opts: { attempts: 2, backoff: { type: 'mine' } },
        })),
      );
      const errors: Error[] = [];
      const running = worker(() => Promise.reject(new Error('no mailbox')), {
        settings: {
          backoffStrategy: (_attempts, _type, _error, job) => answers[job.data as number]!() as number,
        },
      });
      running.on('failed', (_, error) => errors.push(error));
      await until('all have failed', async () => (await emails.getJobCounts()).failed === answers.length);

      const failed = await emails.getJobs('failed', 0, -1, true);
      const reasons = failed.map((job) => [
        job.failedCode,
        /strategy of backoff "mine" (.*?)\./.exec(job.failedReason!)?.[1],
      ]);
      assert.deepEqual(reasons, [
        ['no-backoff', 'threw an error'],
        ['no-backoff', 'threw an error'],
        ...answers.slice(2).map(() => ['no-backoff', 'returned no time']),
      ]);
      assert.ok(failed.every((job) => job.failedReason!.startsWith('The attempt failed with "no mailbox"')));
      await until('all were told', () => errors.length === answers.length);
      assert.deepEqual(
        errors.map(({ cause }) => (cause as Error).message),
        ['bad strategy', 'bad strategy', ...answers.slice(2).map(() => 'no mailbox')],
      );
    },
  },
  {
    title: 'a strategy is not asked where no attempt is left, nor for the types that are built in',
    async run({ queue, worker, until }) {
      const emails = queue();
      const asked: string[] = [];
      await emails.addBulk([
        { name: 'send', data: 1, opts: { attempts: 1, backoff: { type: 'mine' } } },
        { name: 'send', data: 2, opts: { attempts: 2, backoff: { type: 'fixed', delay: 0 } } },
        { name: 'send', data: 3, opts: { attempts: 2, backoff: 0 } },
        { name: 'send', data: 4, opts: { attempts: 2 } },
      ]);
      worker(() => Promise.reject(new Error('no')), {
        settings: { backoffStrategy: (_, type) => void asked.push(type) },
      });
      await until('all have failed', async () => (await emails.getJobCounts()).failed === 4);

      assert.deepEqual(asked, []);
      assert.deepEqual(
        (await emails.getJobs('failed', 0, -1, true)).map((job) => job.attemptsMade).sort(),
        [1, 2, 2, 2],
      );
    },
  },
  {
    title:
      'a job keeps its lease while its strategy thinks, and is handed back when the worker closes meanwhile',
    async run({ queue, worker, until, advance }) {
      const emails = queue();
      const { id } = await emails.add('send', {}, { attempts: 2, backoff: { type: 'mine' } });
      let answer: ((millis: number) => void) | undefined;
      const running = worker(() => Promise.reject(new Error('no')), {
        settings: { backoffStrategy: () => new Promise<number>((resolve) => (answer = resolve)) },
      });
      await until('the strategy thinks', () => answer !== undefined);
      assert.equal(await emails.getJobState(id), 'active');

      const closed = running.close(true);
      await advance(10);
      await closed;

      answer!(5);
      const job = await emails.getJob(id);
      assert.deepEqual([await job?.getState(), job?.attemptsMade], ['waiting', 0]);
    },
  },
  {
    title:
      'JOB-06 what clients of BullMQ store as none or less is read: no attempts are one, delays below 0 none',
    async run({ backend, queue, worker, until }) {
      const emails = queue();
      const user = new QueueUser(backend.openQueue({ queueName: emails.name, role: 'producer' }));
      await user.add(
        {
          id: 'none',
          options: '{"attempts":0,"backoff":{"type":"fixed","delay":5},"kl":0,"stackTraceLimit":-1}',
        },
        { id: 'less', options: '{"attempts":-3,"delay":-5}' },
      );
      await user.handle.close();
      worker(async (job) => {
        await job.log('one');
        await job.log('two');
        throw new Error('no');
      });
      await until('both have failed', async () => (await emails.getJobCounts()).failed === 2);

      for (const id of ['none', 'less']) {
        const job = await emails.getJob(id);
        assert.deepEqual([job?.attemptsMade, job?.failedReason, job?.stacktrace.length], [1, 'no', 1]);
        assert.equal((await emails.getJobLogs(id)).count, 2);
      }
    },
  },
];
