import assert from 'node:assert/strict';

import type { FinishedState } from '../../../contract/job-moves';
import type { LaneBackend, QueueBackend } from '../../../contract/queue-backend';
import type { Job } from '../../../engine/job';
import type { Queue } from '../../../engine/queue';
import { failure, leasesOf, QueueUser } from '../queue-user';
import type { EngineScenario } from './engine-scenario';

async function idsOf(jobs: Promise<Job[]>): Promise<string[]> {
  return (await jobs).map(({ id }) => id);
}

/** Adds jobs, and has a worker fail them all. */
async function addFailed(
  { queue, worker, until }: Parameters<EngineScenario['run']>[0],
  ...jobs: { id: string; opts?: object }[]
): Promise<Queue> {
  const emails = queue();
  await emails.addBulk(
    jobs.map(({ id, opts }) => ({ name: 'send', data: {}, opts: { ...opts, jobId: id } })),
  );
  const failing = worker(() => {
    throw new Error('no such mailbox');
  });
  await until('all have failed', async () => (await emails.getJobCounts()).failed === jobs.length);
  await failing.close();
  return emails;
}

/** A store of which others make something, each time that a step of a retry has taken effect. */
function meddledWith(backend: LaneBackend, meddle: () => Promise<void>): LaneBackend {
  const openQueue: LaneBackend['openQueue'] = (request) =>
    new Proxy(backend.openQueue(request), {
      get(handle, name: keyof QueueBackend) {
        if (name === 'retryFinishedJobs') {
          return async (...args: Parameters<QueueBackend[typeof name]>) => {
            const reply = await handle.retryFinishedJobs(...args);
            await meddle();
            return reply;
          };
        }
        // eslint-disable-next-line @typescript-eslint/unbound-method -- bound below
        const member: unknown = handle[name];
        return typeof member === 'function' ? (member.bind(handle) as unknown) : member;
      },
    });
  return { kind: backend.kind, capabilities: backend.capabilities, openQueue };
}

/**
 * Jobs that are moved by hand.
 *
 * @internal
 */
export const movingCases: readonly EngineScenario[] = [
  {
    title: 'MGMT-14 a promoted job runs at once, though the worker waits for another one',
    async run({ queue, worker, until }) {
      const emails = queue();
      const job = await emails.add('send', {}, { delay: '1h' });
      await emails.add('later', {}, { delay: '1m' });
      const ran: string[] = [];
      worker(({ name }) => void ran.push(name), { drainDelay: '1d' });

      await job.promote();

      assert.equal(job.delay, 0);
      await until('it is completed', () => job.isCompleted());
      assert.deepEqual(ran, ['send']);
    },
  },
  {
    title: 'MGMT-14 a job that is not delayed cannot be promoted, nor can its delay be changed',
    async run({ queue }) {
      const emails = queue();
      const job = await emails.add('send', {});

      const error = { code: 'LANE_WRONG_JOB_STATE', jobId: job.id, queueName: emails.name };
      await assert.rejects(job.promote(), { ...error, message: /promote takes delayed jobs/ });
      await assert.rejects(job.changeDelay(5), { ...error, message: /changeDelay takes delayed jobs/ });
      await assert.rejects(job.retry(), { ...error, message: /retry takes failed jobs here/ });
      await assert.rejects(job.retry('completed'), { ...error, message: /retry takes completed jobs here/ });
      assert.equal(await job.getState(), 'waiting');
    },
  },
  {
    title: 'a job that is not there (any more) cannot be moved',
    async run(context) {
      const emails = context.queue();
      const job = await emails.add('send', {}, { removeOnComplete: true });
      context.worker(() => null);
      await context.until('it is gone', async () => (await job.getState()) === 'unknown');

      const error = { code: 'LANE_JOB_NOT_FOUND', jobId: job.id };
      await assert.rejects(job.promote(), error);
      await assert.rejects(job.changeDelay(5), error);
      await assert.rejects(job.changePriority({ priority: 5 }), error);
      await assert.rejects(job.retry('completed'), error);
    },
  },
  {
    title: 'MGMT-16 a job whose delay is changed runs when it is due then, sooner or later',
    async run({ queue, worker, until, advance }) {
      const emails = queue();
      const sooner = await emails.add('sooner', {}, { delay: '1h' });
      const later = await emails.add('later', {}, { delay: '1m' });
      const ran: string[] = [];
      worker(({ name }) => void ran.push(name), { drainDelay: '1d' });

      await sooner.changeDelay('2s');
      await later.changeDelay(5_000);

      assert.deepEqual([sooner.delay, later.delay], [2_000, 5_000]);
      await advance(2_000);
      await until('the first one is completed', () => sooner.isCompleted());
      await advance(2_999);
      assert.equal(await later.getState(), 'delayed');
      await advance(1);
      await until('the second one is completed', () => later.isCompleted());
      assert.deepEqual(ran, ['sooner', 'later']);
    },
  },
  {
    title: 'MGMT-24 MGMT-25 jobs run by their changed priorities',
    async run({ queue, worker, until }) {
      const emails = queue();
      const add = (name: string, priority?: number): Promise<Job> => emails.add(name, {}, { priority });
      const plain = await add('plain');
      const low = await add('low', 9);
      await add('high', 8);
      const first = await add('first', 7);

      await plain.changePriority({ priority: 8 });
      await low.changePriority({ priority: 8, lifo: true });
      await first.changePriority({});
      assert.deepEqual([plain.priority, low.priority, first.priority], [8, 8, 0]);
      const ran: string[] = [];
      worker(({ name }) => void ran.push(name));
      await until('all ran', () => ran.length === 4);

      assert.deepEqual(ran, ['first', 'low', 'high', 'plain']);
    },
  },
  {
    title:
      'MGMT-20 a failed job that is retried runs again, with its stacks, and fails for good without attempts',
    async run(context) {
      const emails = await addFailed(context, { id: 'a', opts: { attempts: 2 } });
      const job = (await emails.getJob('a'))!;
      assert.deepEqual([job.failedReason, job.attemptsMade], ['no such mailbox', 2]);

      await job.retry();

      const shown = [
        job.failedReason,
        job.finishedOn,
        job.processedOn,
        job.attemptsMade,
        job.attemptsStarted,
      ];
      assert.deepEqual(shown, [undefined, undefined, undefined, 2, 2]);
      assert.equal(await job.getState(), 'waiting');
      context.worker(() => {
        throw new Error('still not');
      });
      await context.until('it has failed again', () => job.isFailed());
      const again = (await emails.getJob('a'))!;
      assert.deepEqual(
        [again.failedReason, again.attemptsMade, again.stacktrace.length],
        ['still not', 3, 3],
      );
    },
  },
  {
    title: 'a job that is retried with its attempts reset has all of them again',
    async run(context) {
      const emails = await addFailed(context, { id: 'a', opts: { attempts: 2 } });
      const job = (await emails.getJob('a'))!;

      await job.retry('failed', { resetAttemptsMade: true, resetAttemptsStarted: true });

      assert.deepEqual([job.attemptsMade, job.attemptsStarted], [0, 0]);
      const seen: number[][] = [];
      context.worker(({ attemptsMade, attemptsStarted }) => {
        seen.push([attemptsMade, attemptsStarted]);
        throw new Error('still not');
      });
      await context.until('it has failed again', () => job.isFailed());
      assert.deepEqual(seen, [
        [0, 1],
        [1, 2],
      ]);
    },
  },
  {
    title: 'MGMT-20 a completed job that is retried forgets its result',
    async run({ queue, worker, until }) {
      const emails = queue();
      const results = [1, 2];
      worker(() => results.shift());
      const { id } = await emails.add('send', {});
      await until('it is completed', async () => (await emails.getJobState(id)) === 'completed');
      const job = (await emails.getJob(id))!;
      assert.equal(job.returnvalue, 1);

      await job.retry('completed');

      assert.equal(job.returnvalue, null);
      await until('it is completed again', async () => (await emails.getJob(id))?.returnvalue === 2);
    },
  },
  {
    title: 'a plain job that was added last in first out is retried first',
    async run(context) {
      const emails = await addFailed(context, { id: 'a', opts: { lifo: true } }, { id: 'b' });
      await emails.add('send', {}, { jobId: 'w' });

      for (const job of await emails.getFailed()) {
        await job.retry();
      }

      assert.deepEqual(await idsOf(emails.getWaiting()), ['a', 'w', 'b']);
    },
  },
  {
    title: 'all delayed jobs are promoted in steps, in the order of their times, each to its priority',
    async run({ queue }) {
      const emails = queue();
      const times = [3, 1, 2, 5, 4];
      await emails.addBulk(
        times.map((time) => ({ name: 'send', data: {}, opts: { jobId: `d${time}`, delay: `${time}h` } })),
      );
      await emails.add('send', {}, { jobId: 'p', delay: '1h', priority: 5 });

      assert.equal(await emails.promoteJobs({ count: 2 }), 6);

      assert.deepEqual(await idsOf(emails.getWaiting()), ['d1', 'd2', 'd3', 'd4', 'd5']);
      assert.deepEqual(await idsOf(emails.getPrioritized()), ['p']);
      assert.equal(await emails.promoteJobs(), 0);
    },
  },
  {
    title: 'all failed jobs are retried in steps, in the order of their ends, each to its priority',
    async run(context) {
      const ids = ['a', 'b', 'c'];
      const emails = await addFailed(
        context,
        ...ids.map((id) => ({ id })),
        { id: 'p', opts: { priority: 3 } },
        { id: 'q', opts: { priority: 2 } },
      );

      assert.equal(await emails.retryJobs({ state: 'completed' }), 0);
      assert.equal(await emails.retryJobs({ count: 2 }), 5);

      assert.deepEqual(await idsOf(emails.getWaiting()), ids);
      assert.deepEqual(await idsOf(emails.getPrioritized()), ['q', 'p']);
      assert.equal((await emails.getJob('a'))?.failedReason, undefined);
    },
  },
  {
    title: 'only jobs that had ended at a time are retried when that is wanted',
    async run(context) {
      const emails = context.queue();
      context.worker(() => {
        throw new Error('no such mailbox');
      });
      for (const jobId of ['a', 'b']) {
        const job = await emails.add('send', {}, { jobId });
        await context.until('it has failed', () => job.isFailed());
        await context.advance(10);
      }
      await emails.pause();
      const { finishedOn: timestamp } = (await emails.getJob('a'))!;

      assert.equal(await emails.retryJobs({ timestamp: timestamp! - 1 }), 0);
      assert.equal(await emails.retryJobs({ timestamp }), 1);

      assert.deepEqual([await emails.getJobState('a'), await emails.getJobState('b')], ['waiting', 'failed']);
    },
  },
  {
    title: 'jobs that fail again while all are retried are not retried once more',
    async run(context) {
      const { name } = await addFailed(context, { id: 'a' }, { id: 'b' }, { id: 'c' });
      const user = new QueueUser(context.backend.openQueue({ queueName: name, role: 'worker' }));
      const runs: string[] = [];
      const emails = context.queue({
        backend: meddledWith(context.backend, async () => {
          const claim = await user.claim(10);
          runs.push(...claim.jobs.map(({ id }) => id));
          await user.settle(leasesOf(claim).map((lease) => failure(lease)));
        }),
      });

      assert.equal(await emails.retryJobs({ count: 1 }), 3);

      await user.handle.close();
      assert.deepEqual(runs, ['a', 'b', 'c']);
    },
  },
  {
    title: 'bad arguments of moves are refused before anything is changed',
    async run({ queue }) {
      const emails = queue();
      const job = await emails.add('send', {}, { delay: '1h', priority: 4 });
      const any = (value: unknown): never => value as never;
      const calls: [code: string, call: () => Promise<unknown>][] = [
        ['LANE_BAD_DELAY', () => job.changeDelay(-1)],
        ['LANE_BAD_DELAY', () => job.changeDelay(Number.NaN)],
        ['LANE_BAD_DELAY', () => job.changeDelay(any('soon'))],
        ['LANE_BAD_PRIORITY', () => job.changePriority({ priority: -1 })],
        ['LANE_BAD_PRIORITY', () => job.changePriority({ priority: 2_097_152 })],
        ['LANE_BAD_FLAG', () => job.changePriority({ lifo: any('yes') })],
        ['LANE_BAD_OPTIONS', () => job.changePriority(any(5))],
        ['LANE_UNKNOWN_OPTION', () => job.changePriority(any({ prio: 5 }))],
        ['LANE_UNKNOWN_STATE', () => job.retry(any('delayed'))],
        ['LANE_UNKNOWN_STATE', () => job.retry(any('__proto__'))],
        ['LANE_UNKNOWN_OPTION', () => job.retry('failed', any({ resetAttempts: true }))],
        ['LANE_BAD_FLAG', () => job.retry('failed', { resetAttemptsMade: any(1) })],
        ['LANE_BAD_LIMIT', () => emails.promoteJobs({ count: 0 })],
        ['LANE_BAD_LIMIT', () => emails.promoteJobs({ count: 1.5 })],
        ['LANE_UNKNOWN_OPTION', () => emails.promoteJobs(any({ limit: 5 }))],
        ['LANE_BAD_LIMIT', () => emails.retryJobs({ count: -1 })],
        ['LANE_BAD_LIMIT', () => emails.retryJobs({ timestamp: -1 })],
        ['LANE_UNKNOWN_STATE', () => emails.retryJobs({ state: 'active' as FinishedState })],
        ['LANE_UNKNOWN_OPTION', () => emails.retryJobs(any({ states: [] }))],
      ];

      for (const [code, call] of calls) {
        await assert.rejects(call(), { code });
      }

      const { delay, priority } = (await emails.getJob(job.id))!;
      assert.deepEqual([delay, priority, await job.getState()], [3_600_000, 4, 'delayed']);
    },
  },
];
