import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { Queue, Worker } from 'nestjs-lane/engine';
import { redis } from 'nestjs-lane/redis';

import { Gate } from '../../support/gate';
import { guardAgainstLeaks } from '../../support/leak-guard';
import { RedisServer } from '../../support/redis/redis-server.mjs';
import { waitUntil } from '../../support/wait-until';

guardAgainstLeaks();

describe('a ceiling that a client of BullMQ has set', () => {
  let server: RedisServer;
  let client: Redis;

  beforeAll(async () => {
    server = await RedisServer.start();
    client = new Redis(server.url);
  });

  afterAll(async () => {
    client.disconnect();
    await server.stop();
  });

  it.each([1, 3])('lets the next job run as soon as one has ended, with %p worker(s)', async (count) => {
    const name = `ceiling-${count}`;
    await client.hset(`bull:${name}:meta`, 'concurrency', 2);
    const backend = redis(server.url);
    const queue = new Queue(name, { backend });
    await queue.addBulk(Array.from({ length: 20 }, () => ({ name: 'send', data: {} })));
    const gate = new Gate();
    // Nobody looks by himself before the test is over.
    const workers = Array.from(
      { length: count },
      () => new Worker(name, (job) => gate.enter(job), { backend, concurrency: 5, drainDelay: 60 }),
    );

    let mostRunning = 0;
    for (let ended = 0; ended < 20; ended += 1) {
      const running = Math.min(2, 20 - ended);
      await waitUntil(() => gate.running >= running, { reason: `${running} jobs run after ${ended}` });
      mostRunning = Math.max(mostRunning, gate.running);
      gate.letOneOut();
    }
    await waitUntil(async () => (await queue.getJobCounts('completed')).completed === 20, {
      reason: 'all are completed',
    });

    expect(mostRunning).toBe(2);
    await Promise.all(workers.map((worker) => worker.close()));
    await queue.close();
  });
});
