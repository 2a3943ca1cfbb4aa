import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
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

  it('takes no longer than the writing of outcomes may when the store is away and nothing runs', async () => {
    const clock = new ManualClock();
    backend.plan('claimJobs', 'lose-request', Infinity);
    const worker = new Worker('email', () => undefined, { backend, clock, shutdown: { close: 500 } });
    worker.on('error', () => undefined);
    await clock.advance(100);

    const closed = worker.close();
    await clock.advance(500);
    await closed;

    expect(worker.isRunning()).toBe(false);
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
