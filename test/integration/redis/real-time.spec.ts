import { describe, expect, it } from '@jest/globals';
import { Queue, Worker } from 'nestjs-lane/engine';

import { Gate } from '../../support/gate';
import { guardAgainstLeaks } from '../../support/leak-guard';
import { useRedis } from '../../support/redis/own-server';
import { waitUntil } from '../../support/wait-until';

// The conformance suite moves its clock; here the waits are those of the server.
const inRedis = useRedis();
guardAgainstLeaks();

describe('jobs in real time', () => {
  it('T-B30 ten thousand jobs with delays of a few milliseconds all run, none before its time', async () => {
    const backend = inRedis.backend();
    const queue = new Queue('mail', { backend });
    const early: string[] = [];
    let runs = 0;
    const worker = new Worker(
      'mail',
      (job) => {
        runs += 1;
        if (job.processedOn! < job.timestamp + job.data) early.push(job.id);
      },
      { backend, concurrency: 50 },
    );
    const total = 10_000;
    for (let added = 0; added < total; added += 200) {
      const jobs = Array.from({ length: 200 }, (_, index) => 1 + (index % 5));
      await queue.addBulk(
        jobs.map((delay) => ({ name: 'send', data: delay, opts: { delay, removeOnComplete: true } })),
      );
    }
    await waitUntil(() => runs === total, { reason: 'all jobs ran', deadline: 20_000 });

    expect(early).toEqual([]);
    expect(await queue.getJobCounts('delayed', 'waiting')).toEqual({ delayed: 0, waiting: 0 });
    await worker.close();
    await queue.close();
  }, 30_000);

  it('T-B30 a job that is due within the resolution of the wait, or was due before it, runs at once', async () => {
    const backend = inRedis.backend();
    const queue = new Queue('mail', { backend });
    const stored = inRedis.stored();
    const ran: string[] = [];
    // Far longer than the test: nothing but the due time wakes the worker.
    const worker = new Worker('mail', (job) => void ran.push(job.id), { backend, drainDelay: 60 });
    await waitUntil(async () => ((await stored.client.client('LIST')) as string).includes('cmd=bzpopmin'), {
      reason: 'the worker waits',
    });
    for (const [id, due] of [
      ['soon', 0.3],
      ['now', 0],
      ['before', -5],
    ] as const) {
      const [seconds, micros] = (await stored.client.time()) as unknown as [string, string];
      const at = Number(seconds) * 1_000 + Number(micros) / 1_000 + due;
      await stored.client.hset(`${stored.base}${id}`, {
        name: 'send',
        data: '{}',
        opts: '{}',
        timestamp: 1,
        delay: 1,
      });
      await stored.client.zadd(`${stored.base}delayed`, Math.floor(at * 4_096), id);
      await stored.client.zadd(`${stored.base}marker`, at, '1');
      await waitUntil(() => ran.includes(id), { reason: `${id} ran`, deadline: 2_000 });
    }

    expect(ran).toEqual(['soon', 'now', 'before']);
    await worker.close();
    await queue.close();
  });

  it('T-B32 many jobs wake all idle workers, so that one does not run them all', async () => {
    const backend = inRedis.backend();
    const queue = new Queue('mail', { backend });
    const gate = new Gate();
    const stored = inRedis.stored();
    const workers = Array.from(
      { length: 3 },
      () => new Worker('mail', (job) => gate.enter(job), { backend, concurrency: 1, drainDelay: 60 }),
    );
    await waitUntil(
      async () =>
        ((await stored.client.client('LIST')) as string).match(/name=lane-spec\S* .*cmd=bzpopmin/g)
          ?.length === 3,
      { reason: 'all workers wait' },
    );
    await queue.addBulk(Array.from({ length: 6 }, () => ({ name: 'send', data: {} })));
    await waitUntil(() => gate.running === 3, { reason: 'each worker runs one' });
    gate.open();
    await waitUntil(() => gate.started.length === 6, { reason: 'all jobs ran' });

    await Promise.all(workers.map((worker) => worker.close()));
    await queue.close();
  });

  it('a worker takes a job up within milliseconds, and waits without asking', async () => {
    const backend = inRedis.backend();
    const queue = new Queue('mail', { backend });
    const waits: number[] = [];
    const worker = new Worker('mail', (job) => void waits.push(performance.now() - job.data), { backend });
    for (let round = 0; round < 20; round += 1) {
      await queue.add('send', performance.now());
      await waitUntil(() => waits.length > round, { reason: 'the job ran' });
    }
    waits.sort((one, other) => one - other);

    expect(waits[10]).toBeLessThan(100);
    await worker.close();
    await queue.close();
  });
});
