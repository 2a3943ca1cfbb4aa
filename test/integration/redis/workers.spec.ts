import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { Queue, Worker } from 'nestjs-lane/engine';
import { redis } from 'nestjs-lane/redis';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { RedisServer } from '../../support/redis/redis-server.mjs';
import { waitUntil } from '../../support/wait-until';

guardAgainstLeaks();

describe('getWorkers on Redis', () => {
  let server: RedisServer;
  let admin: Redis;

  beforeAll(async () => {
    server = await RedisServer.start();
    admin = new Redis(server.url);
  });

  afterAll(async () => {
    admin.disconnect();
    await server.stop();
  });

  it('finds a worker again whose connections were cut while it was busy', async () => {
    const backend = redis(server.url);
    const queue = new Queue('cut', { backend });
    let end = (): void => undefined;
    const worker = new Worker('cut', () => new Promise<void>((resolve) => (end = resolve)), {
      backend,
      name: 'busy one',
    });
    worker.on('error', () => undefined);
    const job = await queue.add('send', {});
    await waitUntil(() => job.isActive(), { reason: 'the job runs' });
    await waitUntil(async () => (await queue.getWorkersCount()) === 1, { reason: 'the worker is found' });
    const [before] = await queue.getWorkers();

    await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await waitUntil(
      async () => {
        const [after] = await queue.getWorkers().catch(() => []);
        return after !== undefined && after.name === 'busy one' && after.address !== before!.address;
      },
      { reason: 'the worker is found again' },
    );

    end();
    await worker.close();
    await queue.close();
  });

  it('says so when the user may not ask who is connected, and its worker works all the same', async () => {
    await admin.acl('SETUSER', 'limited', 'on', '>secret', '~*', '&*', '+@all', '-client');
    const backend = redis(`redis://limited:secret@127.0.0.1:${server.port}`);
    const queue = new Queue('limited', { backend });
    const worker = new Worker('limited', () => 'done', { backend, name: 'unseen' });
    const job = await queue.add('send', {});
    await waitUntil(() => job.isCompleted(), { reason: 'the job is completed' });

    await expect(queue.getWorkers()).rejects.toMatchObject({
      code: 'LANE_COMMAND_FORBIDDEN',
      command: 'client',
    });
    await expect(queue.getWorkersCount()).rejects.toMatchObject({ code: 'LANE_COMMAND_FORBIDDEN' });

    await worker.close();
    await queue.close();
  });

  it('says so when the server does not have the command', async () => {
    const other = await RedisServer.start({ config: ['rename-command CLIENT ""'] });
    const backend = redis(other.url);
    const queue = new Queue('renamed', { backend });
    const worker = new Worker('renamed', () => 'done', { backend });
    const job = await queue.add('send', {});
    await waitUntil(() => job.isCompleted(), { reason: 'the job is completed' });

    await expect(queue.getWorkers()).rejects.toMatchObject({
      code: 'LANE_COMMAND_FORBIDDEN',
      command: 'client',
    });

    await worker.close();
    await queue.close();
    await other.stop();
  });
});
