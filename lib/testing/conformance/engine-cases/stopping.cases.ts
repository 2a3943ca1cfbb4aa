import assert from 'node:assert/strict';

import type { EngineScenario, EngineContext } from './engine-scenario';

/**
 * Pausing, resuming and closing.
 *
 * @internal
 */
export const stoppingCases: readonly EngineScenario[] = [
  {
    title: 'a paused queue hands out nothing, goes on adding, and resumes',
    async run({ queue, worker, until, advance }) {
      const emails = queue();
      const ran: string[] = [];
      worker((job) => void ran.push(job.name), { drainDelay: '1d' });
      await emails.pause();
      assert.equal(await emails.isPaused(), true);

      await emails.addBulk([
        { name: 'a', data: {} },
        { name: 'b', data: {}, opts: { priority: 1 } },
      ]);
      await advance(60_000);
      assert.deepEqual(ran, []);
      assert.equal(await emails.count(), 2);
      await emails.resume();
      await until('both ran', () => ran.length === 2);

      assert.equal(await emails.isPaused(), false);
    },
  },
  {
    title: 'a paused worker lets its jobs end, takes none, and resumes',
    async run({ queue, worker, until }) {
      const emails = queue();
      let end: () => void = () => undefined;
      let runs = 0;
      const one = worker(() => {
        runs += 1;
        return new Promise<void>((resolve) => (end = resolve));
      });
      await emails.addBulk(['a', 'b'].map((name) => ({ name, data: {} })));
      await until('the first one runs', () => runs === 1);

      const paused = one.pause();
      end();
      await paused;
      assert.deepEqual(await emails.getJobCounts('waiting', 'active', 'completed'), {
        waiting: 1,
        active: 0,
        completed: 1,
      });
      await one.resume();
      await until('the second one runs', () => runs === 2);
      end();
      await until('both are completed', async () => (await emails.getJobCounts()).completed === 2);
    },
  },
  {
    title: 'T-B19 a worker that is paused without waiting and resumed at once goes on',
    async run({ queue, worker, until }) {
      const emails = queue();
      const one = worker(() => undefined, { drainDelay: '1d' });

      await one.pause(true);
      await one.resume();
      const { id } = await emails.add('send', {});

      await until('the job is completed', async () => (await emails.getJobState(id)) === 'completed');
    },
  },
  {
    title: 'T-B19 a worker that is paused with a job in hand and resumed takes more beside it',
    async run({ queue, worker, until }) {
      const emails = queue();
      const ends: (() => void)[] = [];
      const one = worker(() => new Promise<void>((resolve) => ends.push(resolve)), { concurrency: 2 });
      await emails.add('a', {});
      await until('the first one runs', () => ends.length === 1);

      await one.pause(true);
      const waiting = one.pause();
      await one.resume();
      await waiting;
      await emails.add('b', {});
      await until('the second one runs', () => ends.length === 2);

      ends.forEach((end) => end());
    },
  },
  {
    title: 'a worker tells of its pause when its jobs have ended, and says then that it does not run',
    async run({ queue, worker, until }) {
      const emails = queue();
      let end: (() => void) | undefined;
      const told: string[] = [];
      const one = worker(() => new Promise<void>((resolve) => (end = resolve)));
      for (const name of ['paused', 'resumed', 'completed'] as const) {
        one.on(name, () => told.push(name));
      }
      await emails.add('send', {});
      await until('it runs', () => end !== undefined);

      const paused = Promise.all([one.pause(), one.pause()]);
      assert.deepEqual([one.isPaused(), one.isRunning(), told], [true, true, []]);
      end!();
      await paused;
      assert.deepEqual([one.isPaused(), one.isRunning()], [true, false]);
      await one.resume();
      await one.resume();
      assert.deepEqual([one.isPaused(), one.isRunning()], [false, true]);

      assert.deepEqual(told, ['completed', 'paused', 'resumed']);
    },
  },
  {
    title: 'close(true) hurries a close that waits for a handler',
    async run({ queue, worker, until }) {
      const emails = queue();
      let signal: AbortSignal | undefined;
      const one = worker(
        (_job, _token, itsSignal) => {
          signal = itsSignal;
          return new Promise(() => undefined);
        },
        { shutdown: { drain: Infinity } },
      );
      const { id } = await emails.add('send', {});
      await until('it runs', () => signal !== undefined);
      const closed = one.close();
      await new Promise((resolve) => setImmediate(resolve));
      assert.equal(signal!.aborted, false);

      await one.close(true);
      await closed;

      assert.equal(signal!.aborted, true);
      assert.equal(await emails.getJobState(id), 'waiting');
      assert.equal((await emails.getJob(id))!.attemptsMade, 0);
    },
  },
  {
    title: 'T-B17 a worker that is paused at any moment leaves no job active',
    run: (context) => stopAtAnyMoment(context, 'pause'),
  },
  {
    title: 'T-B17 a worker that is closed at any moment leaves no job active',
    run: (context) => stopAtAnyMoment(context, 'close'),
  },
  {
    title: 'T-B21 a handler that fails during the close has failed',
    async run({ queue, worker, until }) {
      const emails = queue();
      const { id } = await emails.add('send', {});
      const retried = await emails.add('send', {}, { attempts: 2, backoff: '1m' });
      const fail: (() => void)[] = [];
      const one = worker(() => new Promise((_, reject) => fail.push(() => reject(new Error('in the end')))), {
        concurrency: 2,
      });
      await until('both run', () => fail.length === 2);

      const closed = one.close();
      fail.forEach((each) => each());
      await closed;

      assert.equal(await emails.getJobState(id), 'failed');
      assert.equal(await emails.getJobState(retried.id), 'delayed');
      assert.equal((await emails.getJob(id))!.failedReason, 'in the end');
    },
  },
  {
    title: 'a handler that outlives the drain is aborted, and its job handed back at no cost',
    async run({ queue, worker, until, advance }) {
      const emails = queue();
      const { id } = await emails.add('send', {});
      const reasons: unknown[] = [];
      let runs = 0;
      const one = worker(
        (_job, _token, signal) => {
          runs += 1;
          return new Promise((_, reject) =>
            signal.addEventListener('abort', () => {
              reasons.push(signal.reason);
              reject(new Error('stopped'));
            }),
          );
        },
        { shutdown: { drain: '20s', abort: '4s' } },
      );
      await until('it runs', () => runs === 1);

      const closed = one.close();
      await advance(19_999);
      assert.equal(reasons.length, 0);
      await advance(1);
      await closed;

      assert.equal((reasons[0] as { code?: string }).code, 'LANE_WORKER_CLOSING');
      assert.equal(await emails.getJobState(id), 'waiting');
      const { attemptsMade, failedReason } = (await emails.getJob(id))!;
      assert.deepEqual([attemptsMade, failedReason], [0, undefined]);
    },
  },
  {
    title: 'the job of a handler that does not stop is handed back, and runs elsewhere',
    async run({ queue, worker, until, advance }) {
      const emails = queue();
      const { id } = await emails.add('send', {});
      let finish: (value: string) => void = () => undefined;
      let runs = 0;
      const handler = (): Promise<string> => {
        runs += 1;
        return new Promise((resolve) => (finish = resolve));
      };
      const stubborn = worker(handler, {
        shutdown: { drain: '20s', abort: '4s' },
      });
      await until('it runs', () => runs === 1);

      const closed = stubborn.close();
      await advance(20_000);
      await advance(4_000);
      await closed;
      worker(() => 'elsewhere');
      finish('too late');
      await until('the job is completed', async () => (await emails.getJobState(id)) === 'completed');

      assert.equal((await emails.getJob(id))!.returnvalue, 'elsewhere');
    },
  },
  {
    title: 'handlers that stop when they are told to hand their jobs back in the order of the queue',
    async run({ queue, worker, until, advance }) {
      const emails = queue();
      const added = await emails.addBulk(Array.from({ length: 7 }, () => ({ name: 'send', data: {} })));
      let running = 0;
      const stopped = worker(
        (_job, _token, signal) =>
          new Promise((_, reject) => {
            running += 1;
            signal.addEventListener('abort', () => reject(new Error('stopped')));
          }),
        { concurrency: 5, shutdown: { drain: 10 } },
      );
      await until('five run', () => running === 5);

      const closed = stopped.close();
      await advance(10);
      await closed;

      const waiting = await emails.getWaiting();
      assert.deepEqual(
        waiting.map((job) => job.id),
        added.map((job) => job.id),
      );
    },
  },
  {
    title: 'a pause that waits for running jobs waits no more once the worker is resumed or closed',
    async run({ queue, worker, until }) {
      const emails = queue();
      const { id } = await emails.add('send', {});
      let finish: () => void = () => undefined;
      let runs = 0;
      const one = worker(() => {
        runs += 1;
        return new Promise<void>((resolve) => (finish = resolve));
      });
      await until('it runs', () => runs === 1);

      const paused = one.pause();
      await one.resume();
      await paused;

      assert.equal(await emails.getJobState(id), 'active');
      finish();
      await one.close();
      await one.pause();
    },
  },
  {
    title: 'a drain without a bound waits for its handlers',
    async run({ queue, worker, until, advance }) {
      const emails = queue();
      const { id } = await emails.add('send', {});
      let finish: (value: string) => void = () => undefined;
      let runs = 0;
      const handler = (): Promise<string> => {
        runs += 1;
        return new Promise((resolve) => (finish = resolve));
      };
      const patient = worker(handler, {
        shutdown: { drain: Infinity },
      });
      await until('it runs', () => runs === 1);

      const closed = patient.close();
      await advance(600_000);
      finish('done');
      await closed;

      assert.equal((await emails.getJob(id))!.returnvalue, 'done');
    },
  },
];

/** A hundred moments and more, so that the stop meets claims and settlements on their way. */
async function stopAtAnyMoment(
  { queue, worker, until }: EngineContext,
  how: 'pause' | 'close',
): Promise<void> {
  const emails = queue();
  const runs = new Map<string, number>();
  let added = 0;
  for (let round = 0; round < 120; round += 1) {
    const jobs = await emails.addBulk(Array.from({ length: 10 }, () => ({ name: 'send', data: {} })));
    added += jobs.length;
    const one = worker((job) => void runs.set(job.id, (runs.get(job.id) ?? 0) + 1), { concurrency: 2 });
    for (let turn = 0; turn < round % 12; turn += 1) {
      await (turn % 3 === 2 ? Promise.resolve() : new Promise((resolve) => setImmediate(resolve)));
    }
    await one[how]();
    const { active, waiting, completed } = await emails.getJobCounts();
    assert.equal(active, 0, `round ${round} left jobs active`);
    assert.equal(waiting + completed, added);
    assert.equal(completed, runs.size);
    await one.close();
  }
  worker((job) => void runs.set(job.id, (runs.get(job.id) ?? 0) + 1), { concurrency: 50 });
  await until('all are completed', async () => (await emails.getJobCounts()).completed === added);
  assert.deepEqual([...new Set(runs.values())], [1]);
}
