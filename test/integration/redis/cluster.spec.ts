import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Queue as TheirQueue, Worker as TheirWorker } from 'bullmq-6';
import { Cluster, Redis } from 'ioredis';
import type { LaneBackend } from 'nestjs-lane/contract';
import { Queue, QueueEvents, Worker } from 'nestjs-lane/engine';
import { redis } from 'nestjs-lane/redis';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { ClusterOfOne } from '../../support/redis/cluster-of-one';
import { waitUntil } from '../../support/wait-until';

jest.setTimeout(20_000);
guardAgainstLeaks();

interface Closeable {
  close(): Promise<unknown>;
}

describe('a queue on a cluster', () => {
  let cluster: ClusterOfOne;
  let node: Redis;
  let backend: LaneBackend;
  let prefix: string;
  const errors: Error[] = [];
  const opened: Closeable[] = [];

  function open<Opened extends Closeable>(one: Opened): Opened {
    opened.push(one);
    (one as unknown as { on(event: 'error', listener: (error: Error) => void): void }).on('error', (error) =>
      errors.push(error),
    );
    return one;
  }

  beforeAll(async () => {
    cluster = await ClusterOfOne.start({ appendonly: true });
    node = new Redis(cluster.url);
    await node.ping();
  });

  afterAll(async () => {
    node.disconnect();
    await cluster.stop();
  });

  beforeEach(() => {
    prefix = `{lane-${Math.random().toString(36).slice(2)}}`;
    errors.length = 0;
    backend = redis({ client: cluster.client, prefix });
  });

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
  });

  it('runs jobs by the time of the server, and listeners hear of them', async () => {
    const queue = open(new Queue('mail', { backend }));
    const heard: string[] = [];
    const events = open(new QueueEvents('mail', { backend }));
    events.on('completed', ({ jobId }) => heard.push(jobId));
    await events.waitUntilReady();
    open(new Worker('mail', (job) => job.name, { backend }));

    const jobs = await queue.addBulk([
      { name: 'a', data: 1 },
      { name: 'b', data: 2, opts: { delay: 100 } },
    ]);
    const results = await Promise.all(jobs.map((job) => job.waitUntilFinished(events)));

    expect(results).toEqual(['a', 'b']);
    await waitUntil(() => heard.length === 2, { reason: 'both ends were heard of' });
    expect(errors).toEqual([]);
  });

  it('wakes a worker that waits, rather than let it look from time to time', async () => {
    const queue = open(new Queue('mail', { backend }));
    open(new Worker('mail', () => undefined, { backend, drainDelay: 30 }));
    await waitUntil(async () => /cmd=bzpopmin/.test(await blocked()), { reason: 'the worker waits' });

    const job = await queue.add('send', {});

    await waitUntil(async () => (await queue.getJobState(job.id)) === 'completed', { reason: 'it ran' });
  });

  it('has each worker known by its name, once', async () => {
    const queue = open(new Queue('mail', { backend }));
    open(new QueueEvents('mail', { backend }));
    open(new Worker('mail', () => undefined, { backend, name: 'one' }));
    open(new Worker('mail', () => undefined, { backend }));
    open(new Worker('other', () => undefined, { backend, name: 'of another queue' }));

    const workers = await waitUntil(
      async () => {
        const found = await queue.getWorkers();
        return found.length >= 2 ? found : undefined;
      },
      { reason: 'both were found' },
    );
    expect(workers.map(({ name }) => name).sort()).toEqual([null, 'one'].sort());
    expect(await queue.getWorkersCount()).toBe(2);
  });

  it('goes on after a restart of the node, and loses nothing that it had', async () => {
    const queue = open(new Queue('mail', { backend }));
    const finished: string[] = [];
    const events = open(new QueueEvents('mail', { backend }));
    events.on('completed', ({ jobId }) => finished.push(jobId));
    await events.waitUntilReady();
    open(new Worker('mail', () => undefined, { backend, drainDelay: 1 }));
    await queue.add('send', {}, { jobId: 'before' });
    await waitUntil(() => finished.includes('before'), { reason: 'the first job ended' });

    await cluster.server.restart();
    await waitUntil(async () => /cluster_state:ok/.test(await node.cluster('INFO')), {
      reason: 'the node is back',
    });
    await waitUntil(() => queue.add('send', {}, { jobId: 'after' }).catch(() => undefined), {
      reason: 'an add was taken',
      deadline: 10_000,
    });

    await waitUntil(() => finished.includes('after'), { reason: 'the second ended', deadline: 10_000 });
    expect(finished).toEqual(['before', 'after']);
  });

  it('is closed while the node stands still', async () => {
    const queue = open(new Queue('mail', { backend }));
    const worker = open(new Worker('mail', () => undefined, { backend }));
    const events = open(new QueueEvents('mail', { backend }));
    await Promise.all([queue.waitUntilReady(), worker.waitUntilReady(), events.waitUntilReady()]);
    await waitUntil(async () => /cmd=bzpopmin/.test(await blocked()), { reason: 'the worker waits' });
    cluster.server.pause();
    try {
      const before = performance.now();
      await Promise.all(opened.splice(0).map((one) => one.close()));

      expect(performance.now() - before).toBeLessThan(5_000);
    } finally {
      cluster.server.resume();
    }
  });

  it('is shared with BullMQ, which finds our workers as we find its own', async () => {
    const connection = cluster.client.duplicate([], {
      lazyConnect: false,
      redisOptions: { maxRetriesPerRequest: null },
    });
    const theirs = new TheirQueue('mail', { connection, prefix });
    const ran: string[] = [];
    const ours = open(new Queue('mail', { backend }));
    const worker = new TheirWorker('mail', async ({ name }) => ran.push(`theirs ${name}`), {
      connection,
      prefix,
      name: 'them',
    });
    await worker.waitUntilReady();
    try {
      await ours.add('of ours', {});
      await waitUntil(() => ran.includes('theirs of ours'), { reason: 'they ran our job' });
      await waitUntil(async () => (await ours.getWorkersCount()) === 1, { reason: 'we found their worker' });
      await worker.close();
      open(new Worker('mail', ({ name }) => ran.push(`ours ${name}`), { backend, name: 'us' }));
      await theirs.add('of theirs', {});
      await waitUntil(() => ran.includes('ours of theirs'), { reason: 'we ran their job' });

      const found = await waitUntil(
        async () => {
          const workers = await theirs.getWorkers();
          return workers.length > 0 ? workers : undefined;
        },
        { reason: 'they found our worker' },
      );
      expect(found.map(({ rawname }) => rawname)).toEqual([expect.stringMatching(/:w:us$/)]);
    } finally {
      await Promise.all([worker.close(), theirs.close()]);
      connection.disconnect();
    }
  });

  it('is read from the node that writes it, whatever the given client does', async () => {
    const client = new Cluster([{ host: '127.0.0.1', port: cluster.server.port }], {
      lazyConnect: true,
      scaleReads: () => {
        throw new Error('A replica was asked for.');
      },
    });
    const onCluster = redis({ client, prefix });
    const added: string[] = [];
    const queue = open(new Queue('mail', { backend: onCluster }));
    const events = open(new QueueEvents('mail', { backend: onCluster, lastEventId: '0-0' }));
    events.on('added', ({ jobId }) => added.push(jobId));

    await queue.add('send', {}, { jobId: 'a' });

    await waitUntil(() => added.length > 0 || errors.length > 0, { reason: 'the add was heard of' });
    expect(errors).toEqual([]);
    client.disconnect();
  });

  async function blocked(): Promise<string> {
    return (await node.client('LIST')) as string;
  }
});
