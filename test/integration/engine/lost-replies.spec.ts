import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { OperationName } from 'nestjs-lane/contract';
import { Queue, Worker } from 'nestjs-lane/engine';
import { memory } from 'nestjs-lane/memory';

import { FailingBackend } from '../../support/failing-backend';
import { guardAgainstLeaks } from '../../support/leak-guard';
import { ManualClock } from '../../support/manual-clock';
import { waitUntil } from '../../support/wait-until';

guardAgainstLeaks();

describe('calls whose request or reply is lost', () => {
  let backend: FailingBackend;
  let queue: Queue;
  let worker: Worker | undefined;

  beforeEach(() => {
    backend = new FailingBackend(memory());
    queue = new Queue('email', { backend });
  });

  afterEach(async () => {
    await worker?.close();
    worker = undefined;
    await queue.close();
  });

  it.each(['lose-request', 'lose-reply'] as const)('an add whose %s stores one job', async (fault) => {
    backend.plan('addJobs', fault, 2);

    const job = await queue.add('send', { to: 'a@example.com' });

    expect(job.id).toBe('1');
    expect(backend.callsOf('addJobs')).toBe(3);
    expect(await queue.getJobCounts('waiting')).toEqual({ waiting: 1 });
  });

  it.each(['lose-request', 'lose-reply'] as const)(
    'T-B09 STORE-12 a result whose %s is written again, without running the handler again',
    async (fault) => {
      let runs = 0;
      const completed: unknown[] = [];
      const errors: Error[] = [];
      backend.plan('settleJobs', fault, 2);
      worker = new Worker('email', () => (runs += 1), { backend });
      worker.on('completed', (_, result) => completed.push(result));
      worker.on('error', (error) => errors.push(error));

      const { id } = await queue.add('send', {});
      await waitUntil(() => completed.length > 0, { reason: 'the job is completed' });

      expect(runs).toBe(1);
      expect(completed).toEqual([1]);
      expect(await queue.getJobState(id)).toBe('completed');
      expect(errors).toMatchObject([{ code: 'LANE_CONNECTION_LOST' }]);
    },
  );

  it('an outage is one error of a worker, whatever it has not heard of', async () => {
    const clock = new ManualClock();
    const store = new FailingBackend(memory({ clock }));
    const errors: Error[] = [];
    const jobs = new Queue('email', { backend: store, clock });
    let end = (): void => {};
    const handler = (): Promise<void> => new Promise((resolve) => (end = resolve));
    worker = new Worker('email', handler, { backend: store, clock, lockDuration: 300, stalledInterval: 100 });
    worker.on('error', (error) => errors.push(error));
    await jobs.add('send', {});
    await clock.advance(1);

    store.plan('renewLeases', 'lose-reply', Infinity);
    store.plan('recoverAbandonedJobs', 'lose-reply', Infinity);
    await clock.advance(50_000);
    store.heal();
    end();
    await clock.advance(1);

    expect(errors).toMatchObject([{ code: 'LANE_CONNECTION_LOST' }]);
    await jobs.close();
  });

  it('STORE-20 jobs claimed by a call whose reply is lost are run, once each', async () => {
    const runs = new Map<string, number>();
    await queue.addBulk(Array.from({ length: 20 }, () => ({ name: 'send', data: {} })));
    backend.plan('claimJobs', 'lose-reply', 2);
    worker = new Worker('email', (job) => void runs.set(job.id, (runs.get(job.id) ?? 0) + 1), {
      backend,
      concurrency: 20,
    });
    worker.on('error', () => undefined);

    await waitUntil(async () => (await queue.getJobCounts('completed')).completed === 20, {
      reason: 'all jobs are completed',
    });

    expect([...runs.values()]).toEqual(Array.from({ length: 20 }, () => 1));
  });

  it('a stream whose store does not answer holds adds up for half of their time', async () => {
    const clock = new ManualClock();
    const listening = new Queue('email', { backend, clock });
    backend.plan('lastEventId', 'hold');
    listening.events$.subscribe();

    const adding = listening.add('send', {});
    await clock.advance(2_499);
    expect(backend.callsOf('addJobs')).toBe(0);
    await clock.advance(1);
    await adding;

    backend.release();
    await listening.close();
  });

  describe('T-B07 an add', () => {
    const faults = [
      ['cannot be sent', 'addJobs', 'lose-request', 'LANE_CONNECTION_LOST', 0],
      ['is sent and not answered', 'addJobs', 'hold', 'LANE_OUTCOME_UNKNOWN', 0],
      ['is stored, but its reply is lost', 'addJobs', 'lose-reply', 'LANE_OUTCOME_UNKNOWN', 1],
      ['waits for the time of the store', 'time', 'hold', 'LANE_CONNECTION_LOST', 0],
    ] as const;

    it.each(faults)('that %s rejects within its time, and takes no effect later', async (...row) => {
      const [, operation, fault, code, stored] = row;
      const clock = new ManualClock();
      const store = new FailingBackend(memory({ clock }));
      const failing = new Queue('email', { backend: store, clock, addTimeout: 500 });
      store.plan(operation, fault, Infinity);

      const added = failing.add('send', {}).catch((error: unknown) => error);
      await clock.advance(500);
      expect(await added).toMatchObject({ code });

      store.heal();
      await clock.advance(1);
      store.release();
      await clock.advance(10_000);
      expect(await failing.count()).toBe(stored);
      await failing.close();
    });

    it('takes five seconds unless it is told', async () => {
      const clock = new ManualClock();
      const failing = new Queue('email', { backend, clock });
      backend.plan('addJobs', 'hold');
      let error: unknown;
      failing.add('send', {}).catch((reason: unknown) => (error = reason));

      await clock.advance(4_999);
      expect(error).toBeUndefined();
      await clock.advance(1);
      expect(error).toMatchObject({ code: 'LANE_OUTCOME_UNKNOWN' });

      backend.release();
      await failing.close();
    });

    it.each([0, -1, 'soon', Infinity])('is not given a time of %p', (addTimeout) => {
      expect(() => new Queue('email', { backend, addTimeout: addTimeout as number })).toThrow(
        /Option "addTimeout" is .*; it must be/,
      );
    });
  });

  const repeatable: [OperationName, () => Promise<unknown>][] = [
    ['pause', () => queue.pause()],
    ['updateProgress', async () => (await queue.add('send', {})).updateProgress(5)],
  ];

  it.each(repeatable)('%s takes effect once when its reply is lost', async (operation, call) => {
    backend.plan(operation, 'lose-reply');

    await call();

    expect(backend.callsOf(operation)).toBe(2);
  });
});
