import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { KEEP_ALL, type MutatingCall, type QueueBackend } from 'nestjs-lane/contract';
import { redis } from 'nestjs-lane/redis';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { RedisServer } from '../../support/redis/redis-server.mjs';

guardAgainstLeaks();

/** A script that an error stops half-way leaves half of its work, so nothing that others store may cause one. */
describe('options in Redis that cannot be read', () => {
  let server: RedisServer;
  let client: Redis;
  let handle: QueueBackend;
  let sequence = 0;

  beforeAll(async () => {
    server = await RedisServer.start();
    client = new Redis(server.url);
  });

  afterAll(async () => {
    client.disconnect();
    await server.stop();
  });

  beforeEach(async () => {
    await client.flushall();
    handle = redis(server.url).openQueue({ queueName: 'reports', role: 'worker' });
  });

  afterEach(async () => {
    await handle.close();
  });

  async function nextCall(): Promise<MutatingCall> {
    sequence += 1;
    const notAfter = (await handle.time()) + 60_000;
    return { caller: handle.caller, channel: 'w0', sequence, notAfter };
  }

  async function store(id: string, fields: Record<string, string>): Promise<void> {
    const record = { name: 'report', data: '{}', timestamp: '1', delay: '0', priority: '0', ...fields };
    await client.hset(`bull:reports:${id}`, record);
    await client.lpush('bull:reports:wait', id);
  }

  const claim = async () =>
    (await handle.claimJobs({ count: 10, leaseDuration: 30_000, workerName: null }, await nextCall())).claim;

  it.each(['{', '[]', 'null', '7', '{"repeat":null}', '{"repeat":7}'])(
    'keep no iteration of a scheduler from running, nor the others of its claim: %s',
    async (opts) => {
      const due = await handle.time();
      await client.zadd('bull:reports:repeat', due, 'hourly');
      await client.hset('bull:reports:repeat:hourly', { name: 'report', every: '3600000', ic: '1' });
      await store('before', { opts: '{}' });
      await store(`repeat:hourly:${due}`, { opts, rjk: 'hourly' });
      await store('after', { opts: '{}' });

      const { jobs } = await claim();

      expect(jobs.map(({ id }) => id)).toEqual(['before', `repeat:hourly:${due}`, 'after']);
      expect(await handle.getCounts()).toMatchObject({ active: 3, waiting: 0, delayed: 1 });
    },
  );

  it.each(['{', '[]', 'null', '{"de":null}', '{"de":7}'])(
    'keep no owner of a deduplication id from finishing: %s',
    async (opts) => {
      await store('owner', { opts: '{}', deid: 'd' });
      await client.set('bull:reports:de:d', 'owner');
      await client.hset('bull:reports:dn:d', { name: 'report', data: '{}', opts });
      const { token } = await claim();

      const { refusals } = await handle.settleJobs(
        {
          outcomes: [{ id: 'owner', token, kind: 'completed', returnValue: 'null', retention: KEEP_ALL }],
          claim: null,
        },
        await nextCall(),
      );

      expect(refusals).toEqual([null]);
      expect(await handle.getCounts()).toMatchObject({ active: 0, waiting: 1, completed: 1 });
    },
  );
});
