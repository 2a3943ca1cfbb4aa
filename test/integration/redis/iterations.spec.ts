import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import type { MutatingCall, PatternIteration, QueueBackend } from 'nestjs-lane/contract';
import { redis } from 'nestjs-lane/redis';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { RedisServer } from '../../support/redis/redis-server.mjs';

guardAgainstLeaks();

const HOUR = 3_600_000;

/** A scheduler as clients of BullMQ store it. Storage protocol, section 11. */
describe('an iteration of a scheduler with a cron pattern in Redis', () => {
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

  let handle: QueueBackend;
  let due: number;
  let id: string;
  let sequence = 0;

  beforeEach(async () => {
    await client.flushall();
    handle = redis(server.url).openQueue({ queueName: 'reports', role: 'worker' });
    due = (await handle.time()) - 1_000;
    id = `repeat:nightly:${due}`;
  });

  afterEach(async () => {
    await handle.close();
  });

  async function store(terms: Record<string, unknown> = {}, definition: Record<string, string> = {}) {
    const opts = {
      repeat: { pattern: '0 * * * *', count: 1, ...terms },
      attempts: 3,
      repeatJobKey: 'nightly',
    };
    await client
      .multi()
      .zadd('bull:reports:repeat', due, 'nightly')
      .hset('bull:reports:repeat:nightly', {
        name: 'report',
        pattern: '0 * * * *',
        data: '{"a":1}',
        ic: 1,
        ...definition,
      })
      .hset(`bull:reports:${id}`, {
        name: 'report',
        data: '{"a":1}',
        opts: JSON.stringify(opts),
        timestamp: due,
        delay: 0,
        priority: 0,
        rjk: 'nightly',
      })
      .lpush('bull:reports:wait', id)
      .exec();
  }

  async function nextCall(channel = 'w0'): Promise<MutatingCall> {
    sequence += 1;
    return { caller: handle.caller, channel, sequence, notAfter: (await handle.time()) + 60_000 };
  }

  const claimWith = async (call: MutatingCall): Promise<PatternIteration[]> =>
    (await handle.claimJobs({ count: 5, leaseDuration: 30_000, workerName: 'w' }, call)).claim.iterations;

  const plan = async (at: number): Promise<string | null> =>
    (await handle.planIteration({ id, due: at }, await nextCall('c0'))).planned;

  it('is told with its claim, and again with a claim whose reply was lost, until it is planned', async () => {
    await store({}, { tz: 'Europe/Berlin', startDate: '1700000000000' });
    const call = await nextCall();
    const [iteration] = await claimWith(call);

    expect(iteration).toEqual({
      id,
      pattern: '0 * * * *',
      after: expect.any(Number),
      tz: 'Europe/Berlin',
      startDate: 1_700_000_000_000,
    });
    expect(iteration!.after).toBeGreaterThanOrEqual(due);
    const again = await claimWith(call);
    expect(again).toEqual([{ ...iteration!, after: expect.any(Number) }]);
    expect(await plan(due + HOUR)).toBe(`repeat:nightly:${due + HOUR}`);
    expect(await claimWith(call)).toEqual([]);
  });

  it('has no time zone and no start where the scheduler has none', async () => {
    await store();

    expect(await claimWith(await nextCall())).toMatchObject([{ id, tz: null, startDate: null }]);
  });

  it('is told in a claim that comes with outcomes', async () => {
    await store();
    const claim = { count: 5, leaseDuration: 30_000, workerName: null };
    const call = await nextCall();
    const reply = await handle.settleJobs({ outcomes: [], claim }, call);

    expect(reply.claim).toMatchObject({ jobs: [{ id }], iterations: [{ id }] });
    const again = await handle.settleJobs({ outcomes: [], claim }, call);
    expect(again.claim).toMatchObject({ jobs: [{ id }], iterations: [{ id }] });
  });

  it('plans one successor, as a job of its own', async () => {
    await store();
    await claimWith(await nextCall());
    const next = `repeat:nightly:${due + HOUR}`;

    expect(await plan(due + HOUR)).toBe(next);
    expect(await plan(due + 2 * HOUR)).toBeNull();

    const [job] = await handle.getJobs([next]);
    expect(job).toMatchObject({ name: 'report', data: '{"a":1}', state: 'delayed' });
    expect(JSON.parse(job!.options)).toMatchObject({
      attempts: 3,
      jobId: next,
      repeatJobKey: 'nightly',
      repeat: { count: 2, pattern: '0 * * * *' },
      prevMillis: due + HOUR,
    });
    expect(await client.zscore('bull:reports:repeat', 'nightly')).toBe(String(due + HOUR));
    expect(await client.hget('bull:reports:repeat:nightly', 'ic')).toBe('2');
  });

  it('plans none after the end of the scheduler, and none beyond its limit', async () => {
    await store({ endDate: due + HOUR });
    await claimWith(await nextCall());
    expect(await plan(due + HOUR + 1)).toBeNull();
    expect(await plan(due + HOUR)).toBe(`repeat:nightly:${due + HOUR}`);

    await client.flushall();
    await store({ limit: 1 });
    expect(await claimWith(await nextCall())).toEqual([]);
    expect(await plan(due + HOUR)).toBeNull();
  });

  it('is not told once its scheduler is gone, nor when it is not the outstanding one', async () => {
    await store();
    await client.zadd('bull:reports:repeat', due + HOUR, 'nightly');
    expect(await claimWith(await nextCall())).toEqual([]);

    await client.flushall();
    await store();
    await client.del('bull:reports:repeat', 'bull:reports:repeat:nightly');
    expect(await claimWith(await nextCall())).toEqual([]);
  });
});
