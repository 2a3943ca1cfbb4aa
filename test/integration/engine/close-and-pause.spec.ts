import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OPERATIONS, type OperationName } from 'nestjs-lane/contract';
import { Queue, QueueEvents, Worker, type WorkerSettings } from 'nestjs-lane/engine';
import { memory } from 'nestjs-lane/memory';

import { FailingBackend } from '../../support/failing-backend';
import { guardAgainstLeaks } from '../../support/leak-guard';
import { ManualClock } from '../../support/manual-clock';
import { waitUntil } from '../../support/wait-until';

guardAgainstLeaks();

describe('a worker that closes', () => {
  let backend: FailingBackend;
  let queue: Queue;

  beforeEach(() => {
    backend = new FailingBackend(memory());
    queue = new Queue('email', { backend });
  });

  afterEach(() => queue.close());

  it('T-B05 (a) closes everything that was made in the same tick', async () => {
    const worker = new Worker('email', () => undefined, { backend });
    const events = new QueueEvents('email', { backend });
    const other = new Queue('email', { backend: 'memory:closed-at-once' });
    const listener = new QueueEvents('email', { backend: 'memory:closed-at-once' });
    const idle = new Worker('email', () => undefined, { backend: 'memory:closed-at-once' });
    const errors: Error[] = [];
    [worker, idle].forEach((each) => each.on('error', (error) => errors.push(error)));
    [events, listener].forEach((each) => each.on('error', (error) => errors.push(error)));
    [queue, other].forEach((each) => each.on('error', (error) => errors.push(error)));
    other.events$.subscribe();

    await Promise.all([worker.close(), events.close(), other.close(), listener.close(), idle.close()]);

    expect(errors).toEqual([]);
    await expect(worker.run()).rejects.toMatchObject({ code: 'LANE_CLOSED' });
  });

  it('hands back what a claim brings after the close began', async () => {
    const runs: string[] = [];
    backend.plan('claimJobs', 'hold');
    const worker = new Worker('email', (job) => void runs.push(job.id), { backend });
    await queue.add('send', {});
    await waitUntil(() => backend.heldCalls > 0, { reason: 'the claim is on its way' });

    const closed = worker.close();
    backend.release();
    await closed;

    expect(runs).toEqual([]);
    expect(await queue.getJobCounts('waiting', 'active')).toEqual({ waiting: 1, active: 0 });
  });

  it('hands back in their order what two claims bring', async () => {
    backend.plan('claimJobs', 'hold', 2);
    await queue.addBulk(Array.from({ length: 8 }, () => ({ name: 'send', data: {} })));
    const ids = (await queue.getWaiting()).map((job) => job.id);
    const worker = new Worker('email', () => undefined, { backend, concurrency: 6 });
    await waitUntil(() => backend.heldCalls === 2, { reason: 'both claims are on their way' });

    const closed = worker.close();
    backend.release();
    await closed;

    expect((await queue.getWaiting()).map((job) => job.id)).toEqual(ids);
  });

  describe('T-B05 (b) while the store is away', () => {
    const operations = Object.keys(OPERATIONS).filter(
      (operation) => operation !== 'close',
    ) as OperationName[];

    it.each([
      ['refuses all calls', 'lose-request', 0],
      ['answers no call', 'hold', 500],
    ] as const)('ends at once when it holds nothing, and the store %s', async (_, fault, within) => {
      const clock = new ManualClock();
      operations.forEach((operation) => backend.plan(operation, fault, Infinity));
      const worker = new Worker('email', () => undefined, { backend, clock });
      const events = new QueueEvents('email', { backend, clock });
      const other = new Queue('email', { backend, clock });
      other.events$.subscribe();
      worker.on('error', () => undefined);
      events.on('error', () => undefined);
      other.on('error', () => undefined);
      await clock.advance(100);

      const closed = Promise.all([worker.close(), events.close(), other.close()]);
      await clock.advance(within);
      await closed;

      expect(worker.isRunning()).toBe(false);
      expect(clock.pendingTimers).toBe(0);
      backend.heal();
      backend.release();
    });

    it('gives a result the time that outcomes have, and no more', async () => {
      const clock = new ManualClock();
      backend.plan('settleJobs', 'lose-request', Infinity);
      const worker = start(() => 'done', { clock, shutdown: { close: 2_000 } });
      worker.on('error', () => undefined);
      await runningJob(worker);
      await clock.advance(100);
      let isClosed = false;

      const closed = worker.close().then(() => (isClosed = true));
      await clock.advance(1_999);
      expect(isClosed).toBe(false);
      await clock.advance(1);
      await closed;
    });

    it('writes a result when the store comes back in time', async () => {
      const clock = new ManualClock();
      backend.plan('settleJobs', 'lose-request', Infinity);
      const worker = start(() => 'done', { clock });
      worker.on('error', () => undefined);
      const { id } = await runningJob(worker);
      await clock.advance(100);

      const closed = worker.close();
      await clock.advance(1_000);
      backend.heal();
      await clock.advance(1_000);
      await closed;

      expect(await queue.getJobState(id)).toBe('completed');
    });

    it('does not wait for a claim that failed before, though the next sending is not answered', async () => {
      const clock = new ManualClock();
      backend.plan('claimJobs', 'lose-request');
      backend.plan('claimJobs', 'hold', Infinity);
      const worker = start(() => undefined, { clock });
      worker.on('error', () => undefined);
      await clock.advance(100);
      expect(backend.heldCalls).toBe(1);

      await worker.close();

      backend.release();
    });

    it('does not wait for the renewal of a lease', async () => {
      const clock = new ManualClock();
      let finish: () => void = () => undefined;
      backend.plan('renewLeases', 'hold', Infinity);
      const worker = start(() => new Promise<void>((resolve) => (finish = resolve)), {
        clock,
        lockDuration: '3s',
      });
      const { id } = await runningJob(worker);
      await clock.advance(1_000);
      expect(backend.heldCalls).toBe(1);

      const closed = worker.close();
      finish();
      await closed;

      expect(await queue.getJobState(id)).toBe('completed');
      expect(clock.pendingTimers).toBe(0);
      backend.release();
    });

    it('does not wait for progress for longer than for outcomes', async () => {
      const clock = new ManualClock();
      backend.plan('updateProgress', 'hold');
      const worker = start((job) => void job.updateProgress(50).catch(() => undefined), {
        clock,
        shutdown: { close: 1_000 },
      });
      const completed = new Promise((resolve) => worker.once('completed', resolve));
      await queue.add('send', {});
      await completed;

      const closed = worker.close();
      await clock.advance(1_000);
      await closed;

      backend.release();
    });
  });

  it.each<[string, () => Worker | Queue | QueueEvents]>([
    ['worker', () => start(() => undefined, {})],
    ['queue', () => new Queue('email', { backend })],
    ['listener', () => new QueueEvents('email', { backend })],
  ])('ends also when the handle of the %s cannot be freed, which is an error event', async (_, make) => {
    const closing = make() as Worker;
    const heard: string[] = [];
    closing.on('closed', () => heard.push('closed'));
    closing.on('error', (error) => heard.push(error.message));
    backend.plan('close', 'lose-request');

    await closing.close();

    expect(heard[0]).toBe(
      'The store could not be reached. Check that it runs and that the address is right.',
    );
    expect(heard.slice(1)).toEqual(closing instanceof Worker ? ['closed'] : []);
  });

  it('aborts a handler that takes too long and hands its job back at no cost', async () => {
    let reason: unknown;
    const worker = start(
      (_job, _token, signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            reason = signal.reason;
            reject(new Error('stopped'));
          });
        }),
      { shutdown: { drain: 10 } },
    );
    const { id } = await runningJob(worker);

    await worker.close();

    expect(reason).toMatchObject({ code: 'LANE_WORKER_CLOSING' });
    expect(await queue.getJob(id)).toMatchObject({ attemptsMade: 0, failedReason: undefined });
    expect(await queue.getJobState(id)).toBe('waiting');
  });

  it('hands back the job of a handler that does not stop, and takes no outcome of it later', async () => {
    let finish: (value: string) => void = () => undefined;
    const worker = start(() => new Promise((resolve) => (finish = resolve)), {
      shutdown: { drain: 10, abort: 10 },
    });
    const { id } = await runningJob(worker);

    await worker.close();
    finish('too late');
    await new Promise(setImmediate);

    expect(await queue.getJobState(id)).toBe('waiting');
    expect(await queue.getJob(id)).toMatchObject({ attemptsMade: 0, returnvalue: null });
  });

  it('hands running jobs back at once when forced', async () => {
    const worker = start(() => new Promise(() => undefined), {});
    const { id } = await runningJob(worker);

    await worker.close(true);

    expect(await queue.getJobState(id)).toBe('waiting');
  });

  it('keeps the result of a handler that ends although its signal is aborted', async () => {
    const worker = start(
      (_job, _token, signal) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve('done'))),
      { shutdown: { drain: 10 } },
    );
    const { id } = await runningJob(worker);

    await worker.close();

    expect(await queue.getJob(id)).toMatchObject({ returnvalue: 'done' });
  });

  function start(
    processor: ConstructorParameters<typeof Worker>[1],
    options: Partial<WorkerSettings>,
  ): Worker {
    return new Worker('email', processor, { backend, ...options });
  }

  async function runningJob(worker: Worker): Promise<{ id: string }> {
    const active = new Promise((resolve) => worker.once('active', resolve));
    const job = await queue.add('send', {});
    await active;
    return job;
  }
});
