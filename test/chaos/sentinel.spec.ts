import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Queue, Worker } from 'nestjs-lane/engine';
import { redis } from 'nestjs-lane/redis';

import { lasting } from '../support/lasting';
import { RedisServer } from '../support/redis/redis-server.mjs';
import { TcpProxy } from '../support/tcp-proxy';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(40_000);

// No guard against leaks: the client library leaves a timer of two seconds for each Sentinel that it has asked.
describe('a worker that finds its server by Sentinels', () => {
  let server: RedisServer;
  let sentinel: RedisServer;
  let way: TcpProxy;
  let worker: Worker;
  let queue: Queue;

  beforeEach(async () => {
    server = await RedisServer.start({ appendonly: true });
    sentinel = await RedisServer.start({ sentinelOf: server.port });
    way = await TcpProxy.start(sentinel.port);
  });

  afterEach(async () => {
    await Promise.all([worker.close(), queue.close()]);
    await way.stop();
    await sentinel.stop();
    await server.stop();
  });

  it('T-B02 tells that nothing can be run while all are out of reach, and runs jobs when they are back', async () => {
    const ran: string[] = [];
    const codes: unknown[] = [];
    const backend = redis({
      connection: { sentinels: [{ host: '127.0.0.1', port: way.port }], name: 'main' },
    });
    worker = new Worker('email', (job) => void ran.push(job.name), { backend, drainDelay: '1s' });
    worker.on('error', (error: Error & { code?: string }) => codes.push(error.code));
    queue = new Queue('email', { backend: redis(server.url) });
    const idle = new Promise((resolve) => worker.once('drained', () => resolve(undefined)));
    await queue.add('before', {});
    await idle;

    await way.refuse();
    await server.kill();
    // Longer than the wait of the worker and what it is given on top, so that it is looked for more than once.
    await lasting(8_000);
    expect(worker.isRunning()).toBe(true);
    expect(codes).toEqual(['LANE_CONNECTION_LOST']);
    await server.restart();
    await way.accept();
    await queue.add('after', {});
    await waitUntil(() => ran.includes('after'), { reason: 'the job runs', deadline: 3_000 });

    expect(ran).toEqual(['before', 'after']);
    expect(codes).toEqual(['LANE_CONNECTION_LOST']);
  });
});
