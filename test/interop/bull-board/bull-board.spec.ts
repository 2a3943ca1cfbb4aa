import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FlowProducer, Queue as TheirQueue } from 'bullmq-6';
import { Queue, Worker, type Clock, type LaneBackend } from 'nestjs-lane/engine';
import { memory } from 'nestjs-lane/memory';
import { redis } from 'nestjs-lane/redis';

import { Gate } from '../../support/gate';
import { waitUntil } from '../../support/wait-until';
import { guardSharedQueues } from '../bullmq/support/guard';
import { serverUrl } from '../bullmq/support/server';
import { Board, type BoardJob, type BoardQueue } from './board';

guardSharedQueues();

interface Closeable {
  close(): Promise<unknown>;
}

/** Goes with the machine's, but ahead of it. */
class ClockAhead implements Clock {
  ahead = 0;

  now(): number {
    return Date.now() + this.ahead;
  }

  setTimer(millis: number, callback: () => void): () => void {
    const timer = setTimeout(callback, millis);
    return () => clearTimeout(timer);
  }
}

const kinds = {
  redis: (prefix: string, clock?: Clock) => redis({ url: serverUrl(), prefix, ...(clock && { clock }) }),
  memory: (_: string, clock?: Clock) => memory(clock && { clock }),
};

let prefix: string;
let backend: LaneBackend;
let queue: Queue;
let board: Board;
let opened: Closeable[];

function open<Opened extends Closeable>(one: Opened): Opened {
  opened.unshift(one);
  return one;
}

async function begin(kind: keyof typeof kinds, clock?: Clock): Promise<void> {
  prefix = `lane-${Math.random().toString(36).slice(2)}`;
  opened = [];
  backend = kinds[kind](prefix, clock);
  queue = open(new Queue('mail', { backend, defaultJobOptions: { attempts: 2 } }));
  board = open(await Board.open([queue]));
}

/** Runs jobs until none is left to run: those called `bad` fail. */
async function runAll(): Promise<void> {
  const worker = new Worker(
    'mail',
    async (job) => {
      await job.log('began');
      await job.updateProgress(50);
      if (job.name === 'bad') throw new Error('no luck');
      return { sent: true };
    },
    { backend, name: 'mailer', metrics: { maxDataPoints: 10 } },
  );
  await waitUntil(async () => (await queue.getJobCountByTypes('waiting', 'active', 'prioritized')) === 0, {
    reason: 'all had run',
  });
  await worker.close();
}

const states = (...ids: string[]): Promise<unknown[]> => Promise.all(ids.map((id) => queue.getJobState(id)));

async function listed(status: string, more = ''): Promise<BoardQueue> {
  const path = `queues?activeQueue=mail&status=${status}${more}`;
  const { status: code, body } = await board.get<{ queues: BoardQueue[] }>(path);
  expect(code).toBe(200);
  return body.queues[0]!;
}

describe('bull-board on our queue', () => {
  afterEach(async () => {
    await Promise.all(opened.slice(0, -1).map((one) => one.close()));
    await queue.obliterate({ force: true });
    await queue.close();
  });

  describe.each(Object.keys(kinds) as (keyof typeof kinds)[])('in %s,', (kind) => {
    beforeEach(() => begin(kind));

    it('is a page, and lists the queue with its counts', async () => {
      await queue.add('later', {}, { delay: 60_000 });
      await queue.add('now', {});

      expect(await board.page()).toContain('Bull Dashboard');
      expect(await listed('latest')).toMatchObject({
        name: 'mail',
        type: 'bullmq',
        counts: { waiting: 1, delayed: 1, active: 0, completed: 0, failed: 0, prioritized: 0 },
        isPaused: false,
        hasWorkers: false,
        jobSchedulerCount: 0,
        statuses: [
          'latest',
          'active',
          'waiting',
          'waiting-children',
          'prioritized',
          'completed',
          'failed',
          'delayed',
        ],
      });
    });

    it('lists the jobs of each state, page by page', async () => {
      await queue.addBulk(
        Array.from({ length: 3 }, (_, at) => ({ name: 'good', data: at, opts: { jobId: `g${at}` } })),
      );
      await queue.add('bad', { to: 'x' }, { jobId: 'b', attempts: 1 });
      await runAll();
      await queue.add('late', {}, { jobId: 'd', delay: 60_000 });
      await queue.add('soon', {}, { jobId: 'p', priority: 3 });
      await queue.add('now', {}, { jobId: 'w' });
      const idsOf = async (status: string, more = ''): Promise<string[]> =>
        (await listed(status, more)).jobs.map(({ id }) => id);

      expect(await idsOf('completed', '&jobsPerPage=2')).toEqual(['g2', 'g1']);
      expect(await idsOf('completed', '&jobsPerPage=2&page=2')).toEqual(['g0']);
      expect((await listed('completed', '&jobsPerPage=2')).pagination.pageCount).toBe(2);
      expect(await idsOf('failed')).toEqual(['b']);
      expect(await idsOf('delayed')).toEqual(['d']);
      expect(await idsOf('prioritized')).toEqual(['p']);
      expect(await idsOf('waiting')).toEqual(['w']);
      expect(await idsOf('active')).toEqual([]);
      expect((await idsOf('latest')).sort()).toEqual(['b', 'd', 'g0', 'g1', 'g2', 'p', 'w']);
    });

    it('shows a job with all that is known of it, and its log', async () => {
      await queue.add('bad', { to: 'x' }, { jobId: 'b', attempts: 1 });
      await runAll();

      const { body } = await board.get<object>('queues/mail/b');
      expect(body).toMatchObject({
        status: 'failed',
        job: {
          id: 'b',
          name: 'bad',
          data: { to: 'x' },
          progress: 50,
          attempts: 1,
          failedReason: 'no luck',
          isFailed: true,
          processedBy: 'mailer',
          opts: { attempts: 1 },
          stacktrace: [expect.stringContaining('no luck')],
        },
      });
      expect((await board.get('queues/mail/b/logs')).body).toEqual(['began']);
      expect((await board.get('queues/mail/nobody')).status).toBe(404);
    });

    it('retries one job, all that failed, and all that completed', async () => {
      await queue.addBulk(
        ['a', 'b', 'c'].map((jobId) => ({ name: 'bad', data: {}, opts: { jobId, attempts: 1 } })),
      );
      await queue.add('good', {}, { jobId: 'g' });
      await runAll();

      expect((await board.put('queues/mail/a/retry')).status).toBe(204);
      expect(await states('a', 'b', 'c')).toEqual(['waiting', 'failed', 'failed']);
      expect((await board.put('queues/mail/a/retry')).status).toBe(400);
      expect(await board.put('queues/mail/retry/failed')).toMatchObject({
        status: 200,
        body: { retried: 2, skipped: 0 },
      });
      expect(await board.put('queues/mail/retry/completed')).toMatchObject({
        status: 200,
        body: { retried: 1 },
      });
      expect(await states('a', 'b', 'c', 'g')).toEqual(['waiting', 'waiting', 'waiting', 'waiting']);
    });

    it('promotes one job, and all', async () => {
      await queue.addBulk(
        ['a', 'b', 'c'].map((jobId) => ({ name: 'late', data: {}, opts: { jobId, delay: 60_000 } })),
      );

      expect((await board.put('queues/mail/a/promote')).status).toBe(204);
      expect(await states('a', 'b', 'c')).toEqual(['waiting', 'delayed', 'delayed']);
      expect((await board.put('queues/mail/promote')).status).toBe(200);
      expect(await states('a', 'b', 'c')).toEqual(['waiting', 'waiting', 'waiting']);
    });

    it('removes one job, but none that a worker has', async () => {
      const gate = new Gate();
      await queue.add('held', {}, { jobId: 'held' });
      await queue.add('free', {}, { jobId: 'free', delay: 60_000 });
      open(new Worker('mail', (job) => gate.enter(job), { backend }));
      await waitUntil(() => gate.running === 1, { reason: 'a job runs' });

      expect((await board.put('queues/mail/free/clean')).status).toBe(204);
      expect((await board.put('queues/mail/held/clean')).status).toBe(409);
      expect(await states('free', 'held')).toEqual(['unknown', 'active']);
      gate.open();
    });

    it.each(['completed', 'failed', 'delayed', 'wait'] as const)(
      'cleans all that are %s, but those of the last seconds',
      async (status) => {
        const clock = new ClockAhead();
        await Promise.all(opened.map((one) => one.close()));
        await begin(kind, clock);
        await queue.add('good', {}, { jobId: 'job-completed' });
        await queue.add('bad', {}, { jobId: 'job-failed', attempts: 1 });
        await runAll();
        await queue.add('late', {}, { jobId: 'job-delayed', delay: 3_600_000 });
        await queue.add('now', {}, { jobId: 'job-wait' });

        expect(await board.put(`queues/mail/clean/${status}`)).toMatchObject({ status: 200 });
        expect((await queue.getJobs()).length).toBe(4);
        clock.ahead = 10_000;
        expect(await board.put(`queues/mail/clean/${status}`)).toMatchObject({ status: 200 });
        expect(await queue.getJob(`job-${status}`)).toBe(undefined);
        expect((await queue.getJobs()).length).toBe(3);
      },
    );

    it('changes the data, the delay and the priority of a job', async () => {
      await queue.add('late', { to: 'x' }, { jobId: 'late', delay: 60_000 });
      await queue.add('now', {}, { jobId: 'now' });

      expect((await board.patch('queues/mail/late/update-data', { jobData: { to: 'y' } })).status).toBe(200);
      const runAt = Date.now() + 3_600_000;
      expect((await board.patch('queues/mail/late/delay', { runAt })).status).toBe(200);
      expect((await board.patch('queues/mail/now/delay', { runAt })).status).toBe(400);
      expect((await board.patch('queues/mail/now/priority', { priority: 7 })).status).toBe(200);

      const [late, now] = [await queue.getJob('late'), await queue.getJob('now')];
      expect(late!.data).toEqual({ to: 'y' });
      expect(late!.delay).toBeGreaterThan(3_000_000);
      expect([now!.priority, await now!.getState()]).toEqual([7, 'prioritized']);
    });

    it('adds a job, also as the copy of one that ran', async () => {
      await queue.add('good', { to: 'x' }, { jobId: 'g', attempts: 3, backoff: '5s', removeOnFail: 10 });
      await runAll();
      const { job } = (await board.get<{ job: BoardJob }>('queues/mail/g')).body;
      const { jobId, ...options } = job.opts;

      expect(jobId).toBe('g');
      const { status, body } = await board.post<{ job: BoardJob; status: string }>('queues/mail/add', {
        name: job.name,
        data: job.data,
        options,
      });
      expect([status, body.status]).toEqual([200, 'waiting']);
      const copy = await queue.getJob(body.job.id);
      expect([copy!.name, copy!.data, copy!.opts]).toEqual([job.name, job.data, options]);
      const delayed = await board.post<{ job: BoardJob; status: string }>('queues/mail/add', {
        name: 'x',
        data: {},
        options: { delay: 60_000, priority: 2 },
      });
      expect(delayed.body.status).toBe('delayed');
      expect((await board.get('queues/mail/default-job-options')).body).toEqual({ attempts: 2 });
    });

    it('pauses and resumes one queue, and all', async () => {
      const isPaused = async (): Promise<boolean> => (await listed('latest')).isPaused;
      expect((await board.put('queues/mail/pause')).status).toBe(200);
      expect([await isPaused(), await queue.isPaused()]).toEqual([true, true]);
      expect((await board.put('queues/mail/resume')).status).toBe(200);
      expect(await isPaused()).toBe(false);
      await board.put('queues/pause');
      expect(await isPaused()).toBe(true);
      await board.put('queues/resume');
      expect(await isPaused()).toBe(false);
    });

    it('empties a queue of what waits, and destroys it once it is paused', async () => {
      await queue.add('good', {}, { jobId: 'done' });
      await runAll();
      await queue.add('now', {}, { jobId: 'now' });
      await queue.add('late', {}, { jobId: 'late', delay: 60_000 });

      expect((await board.put('queues/mail/empty')).status).toBe(200);
      expect(await states('done', 'now', 'late')).toEqual(['completed', 'unknown', 'delayed']);
      expect((await board.put('queues/mail/obliterate')).status).toBe(400);
      await queue.pause();
      expect((await board.put('queues/mail/obliterate')).status).toBe(200);
      expect(await queue.getJobs()).toEqual([]);
      await queue.resume();
    });

    it('does not destroy a queue with active jobs unless it is forced', async () => {
      const gate = new Gate();
      await queue.add('held', {}, { jobId: 'held' });
      open(new Worker('mail', (job) => gate.enter(job), { backend })).on('error', () => undefined);
      await waitUntil(() => gate.running === 1, { reason: 'a job runs' });
      await queue.pause();

      expect((await board.put('queues/mail/obliterate', { force: false })).status).toBe(500);
      expect(await queue.getJobState('held')).toBe('active');
      expect((await board.put('queues/mail/obliterate', { force: true })).status).toBe(200);
      expect(await queue.getJobState('held')).toBe('unknown');
      gate.open();
      await queue.resume();
    });

    it('shows and sets global concurrency and rate, and ends a limit', async () => {
      expect((await board.put('queues/mail/concurrency', { concurrency: 4 })).status).toBe(200);
      expect((await listed('latest')).globalConcurrency).toBe(4);
      await board.put('queues/mail/concurrency', { concurrency: 0 });
      expect((await listed('latest')).globalConcurrency).toBe(null);

      await board.put('queues/mail/rate-limit', { max: 5, duration: 1_000 });
      expect((await board.get('queues/mail/rate-limit')).body).toEqual({
        supported: true,
        rateLimit: { max: 5, duration: 1_000 },
      });
      await queue.rateLimit(60_000);
      expect((await listed('latest')).activeRateLimitTtl).toBeGreaterThan(0);
      expect((await board.put('queues/mail/rate-limit/release')).status).toBe(200);
      expect((await listed('latest')).activeRateLimitTtl).toBe(0);
      await board.put('queues/mail/rate-limit', { max: null });
      expect((await board.get<{ rateLimit: unknown }>('queues/mail/rate-limit')).body.rateLimit).toBe(null);
    });

    it('shows what was measured', async () => {
      await queue.add('good', {});
      await queue.add('bad', {}, { attempts: 1 });
      await runAll();

      const { body } =
        await board.get<Record<'completed' | 'failed', { meta: { count: number } }>>('queues/mail/metrics');
      expect([body.completed.meta.count, body.failed.meta.count]).toEqual([1, 1]);
    });

    it('shows no flow, and no schedulers, where there are none', async () => {
      await queue.add('now', {}, { jobId: 'now' });

      expect((await board.get('queues/mail/now/flow')).body).toMatchObject({
        nodeId: 'now',
        isFlowNode: false,
      });
      expect((await board.get('job-schedulers')).body).toEqual({ schedulers: [] });
    });

    it('only shows where it is told so', async () => {
      await queue.add('now', {}, { jobId: 'now' });
      const readOnly = open(await Board.open([queue], { readOnlyMode: true }));

      expect((await readOnly.put('queues/mail/pause')).status).toBe(405);
      expect((await readOnly.get('queues/mail/now')).status).toBe(200);
    });
  });

  describe('where clients of BullMQ share the server,', () => {
    beforeEach(() => begin('redis'));

    it('shows the server and the workers of both', async () => {
      open(new Worker('mail', () => undefined, { backend, name: 'mailer' }));
      await waitUntil(async () => (await queue.getWorkersCount()) === 1, { reason: 'the worker was found' });

      expect((await board.get('redis/stats')).body).toMatchObject({
        backend: 'redis',
        port: Number(new URL(serverUrl()).port),
      });
      expect((await listed('latest')).hasWorkers).toBe(true);
      expect((await board.get<{ workers: unknown }>('queues/mail/workers')).body.workers).toEqual([
        {
          id: expect.stringMatching(/^\d+$/),
          name: 'mailer',
          addr: expect.stringContaining(':'),
          age: expect.any(Number),
        },
      ]);
    });

    it('knows the queue by what is stored with it, and its keys by their names', async () => {
      const job = await queue.add('now', {});

      expect(job.queueQualifiedName).toBe(queue.qualifiedName);
      expect(queue.metaValues.version).toBe(await queue.getVersion());
      expect(queue.toKey('wait')).toBe(`${prefix}:mail:wait`);
      expect(await queue.waitUntilReady()).toBe(undefined);
      const client = (await queue.getBackend()!.client) as { llen(key: string): Promise<number> };
      expect(await client.llen(queue.toKey('wait'))).toBe(1);
    });

    it('shows schedulers and counts children of BullMQ, and a job of a flow without its tree', async () => {
      const connection = { url: serverUrl() };
      const theirs = open(new TheirQueue('mail', { connection, prefix }));
      const flows = open(new FlowProducer({ connection, prefix }));
      await theirs.upsertJobScheduler(
        'nightly',
        { pattern: '0 3 * * *', tz: 'UTC', limit: 9 },
        { name: 'report', data: { a: 1 } },
      );
      await theirs.upsertJobScheduler('often', { every: 60_000 }, { name: 'ping' });
      await flows.add({
        name: 'parent',
        queueName: 'mail',
        opts: { jobId: 'parent' },
        children: [{ name: 'child', queueName: 'mail', opts: { jobId: 'child' } }],
      });

      const { counts, jobSchedulerCount } = await listed('latest');
      expect([counts['waiting-children'], jobSchedulerCount]).toEqual([1, 2]);
      const { schedulers } = (await board.get<{ schedulers: unknown }>('job-schedulers')).body;
      expect(schedulers).toEqual([
        expect.objectContaining({ id: 'often', name: 'ping', every: 60_000, queueName: 'mail' }),
        expect.objectContaining({ id: 'nightly', name: 'report', pattern: '0 3 * * *', tz: 'UTC', limit: 9 }),
      ]);
      expect(await queue.getJobSchedulers()).toEqual(await theirs.getJobSchedulers(0, -1, true));
      for (const [start, end, asc] of [
        [0, 0, true],
        [1, 1, true],
        [0, 0, false],
        [1, 5, false],
        [1, 0, true],
      ] as const) {
        expect(await queue.getJobSchedulers(start, end, asc)).toEqual(
          await theirs.getJobSchedulers(start, end, asc),
        );
      }
      await expect(queue.getJobSchedulers(-1)).rejects.toMatchObject({ code: 'LANE_BAD_RANGE' });
      expect(await queue.getJobScheduler('often')).toEqual(await theirs.getJobScheduler('often'));
      expect(await queue.getJobScheduler('never')).toBe(undefined);
      expect(await queue.getJobSchedulersCount()).toBe(2);
      expect((await board.get('queues/mail/child/flow')).body).toEqual({
        nodeId: 'child',
        flowRoot: null,
        isFlowNode: false,
      });
    });
  });

  it('shows no server for a queue in memory', async () => {
    await begin('memory');

    expect((await board.get('redis/stats')).status).toBe(404);
    expect([queue.getBackend(), queue.qualifiedName]).toEqual([null, 'mail']);
  });
});
