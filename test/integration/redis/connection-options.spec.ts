import { describe, expect, it } from '@jest/globals';
import { Cluster, type RedisOptions as IoredisOptions } from 'ioredis';
import type { QueueBackend } from 'nestjs-lane/contract';
import { Queue, Worker } from 'nestjs-lane/engine';
import { redis } from 'nestjs-lane/redis';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { useRedis } from '../../support/redis/own-server';
import { waitUntil } from '../../support/wait-until';

const inRedis = useRedis();
guardAgainstLeaks();

describe('options of a client that would change what comes back', () => {
  it.each<IoredisOptions>([
    { stringNumbers: true },
    { commandTimeout: 300 },
    { socketTimeout: 300 },
    { replyMapping: 'resp3' },
  ])('do not keep a worker from waiting and from settling: %p', async (options) => {
    const { hostname, port, pathname } = new URL(inRedis.url);
    const connection = { ...options, host: hostname, port: Number(port), db: Number(pathname.slice(1)) };
    const backend = inRedis.backend({ connection });
    const errors: unknown[] = [];
    const completed: string[] = [];
    const worker = new Worker('mail', () => 1, { backend, drainDelay: 1 });
    worker.on('error', (error) => errors.push(error));
    worker.on('completed', (job) => completed.push(job.id));
    const queue = new Queue('mail', { backend });
    let drains = 0;
    worker.on('drained', () => (drains += 1));
    await queue.add('first', {});
    await waitUntil(() => completed.length === 1 && drains === 1, { reason: 'the first job has ended' });
    const before = await inRedis.client.info('commandstats');
    await waitUntil(async () => claims(await inRedis.client.info('commandstats')) > claims(before) + 1, {
      reason: 'the worker has waited to the end',
    });
    await queue.add('second', {});
    await waitUntil(() => completed.length === 2, { reason: 'the second job has ended' });

    expect(await queue.getJobCounts('completed', 'active')).toEqual({ completed: 2, active: 0 });
    await Promise.all([worker.close(), queue.close()]);
    expect(errors).toEqual([]);
  });
});

function claims(stats: string): number {
  return Number(/cmdstat_bzpopmin:calls=(\d+)/.exec(stats)?.[1] ?? 0);
}

describe('a queue on a cluster', () => {
  function open(prefix: string, queueName: string): QueueBackend {
    const client = new Cluster([{ host: '127.0.0.1', port: 1 }], {
      lazyConnect: true,
      clusterRetryStrategy: () => null,
    });
    client.disconnect();
    return redis({ client, prefix }).openQueue({ queueName, role: 'producer' });
  }

  it.each([
    ['bull', 'mail'],
    ['{}', 'mail'],
    ['{bull', 'mail'],
  ])('is refused when its keys have no hash tag: prefix %s, queue %s', (prefix, queueName) => {
    expect(() => open(prefix, queueName)).toThrow(
      expect.objectContaining({ code: 'LANE_BAD_REDIS_OPTION', option: 'prefix' }),
    );
  });

  it.each([
    ['{bull}', 'mail'],
    ['bull', '{mail}'],
  ])('is opened when its keys have a hash tag: prefix %s, queue %s', async (prefix, queueName) => {
    await open(prefix, queueName).close();
  });
});
