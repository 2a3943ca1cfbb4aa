import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';

import { ManualClock } from '../../support/manual-clock';
import { RedisNamespace } from '../../support/redis/redis-namespace';
import { redisUrl } from '../../support/redis/redis-of-run.mjs';
import { RedisTraffic } from '../../support/redis/redis-traffic';

let observer: Redis;
let traffic: RedisTraffic;
let url: string;
const clients: Redis[] = [];
const prefix = `lane-traffic-${Math.random().toString(36).slice(2)}:`;

beforeAll(async () => {
  // A database that no other spec writes to: what it calls stray is all that is there.
  url = `${await redisUrl()}/9`;
  observer = new Redis(url);
  traffic = RedisTraffic.watch(observer);
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.disconnect();
  const keys = await observer.keys(`${prefix}*`);
  if (keys.length > 0) await observer.del(keys);
});

afterAll(() => {
  traffic.unwatch();
  observer.disconnect();
});

function connect(): Redis {
  const client = new Redis(url);
  clients.push(client);
  return client;
}

describe('Redis traffic', () => {
  it('is at rest when commands have their replies, and those that the replies caused', async () => {
    const client = connect();
    let seen: number | undefined;
    void (async () => {
      for (let index = 0; index < 20; index += 1) await client.incr(`${prefix}count`);
      seen = await client.incr(`${prefix}count`);
    })();
    await traffic.atRest();

    expect(seen).toBe(21);
  });

  it('is at rest while a command blocks, also one that waits for its connection', async () => {
    const client = connect();
    const blocked = client.bzpopmin(`${prefix}marker`, 0).catch(() => 'cut');
    await traffic.atRest();

    expect(await observer.client('LIST')).toMatch(/flags=b.* cmd=bzpopmin /);
    client.disconnect();
    expect(await blocked).toBe('cut');
  });

  it('is not at rest before what a command woke has gone on', async () => {
    const rounds = 200;
    const [writer, reader, answerer] = [connect(), connect(), connect()];
    let woken = 0;
    void (async () => {
      while (woken < rounds) {
        await reader.bzpopmin(`${prefix}marker`, 0);
        await answerer.set(`${prefix}answer`, ++woken);
      }
    })();
    for (let round = 1; round <= rounds; round += 1) {
      void writer.zadd(`${prefix}marker`, 0, 'x');
      await traffic.atRest();
      expect(await observer.get(`${prefix}answer`)).toBe(String(round));
    }
  });

  it('is not at rest before a blocking command that was just sent has got what is there', async () => {
    const [writer, reader] = [connect(), connect()];
    for (let round = 1; round <= 200; round += 1) {
      await writer.xadd(`${prefix}events`, '*', 'round', round);
      let entries: unknown = undefined;
      void reader
        .xread('COUNT', 1, 'BLOCK', 0, 'STREAMS', `${prefix}events`, '0')
        .then((reply) => (entries = reply));
      await traffic.atRest();
      expect(entries).toBeDefined();
    }
  });
});

describe('a namespace under a manual clock', () => {
  const family = `${prefix}space-`;

  it('ends keys when the clock reaches their expiry, before the timers of that time', async () => {
    const namespace = new RedisNamespace(observer, family);
    const clock = new ManualClock(2e12, {
      reach: (now) => namespace.expire(now),
      comeToRest: () => traffic.atRest(),
    });
    const client = connect();
    const key = `{${namespace.prefix}:queue}:lease`;
    const seen: Record<string, number> = {};
    const look = async (name: string) => {
      seen[name] = await client.exists(key);
    };
    await client.set(key, 'token', 'PXAT', clock.now() + 1_000);
    clock.setTimer(999, () => void look('before'));
    clock.setTimer(1_000, () => void look('at'));
    await clock.advance(1_000);
    expect(seen).toEqual({ before: 1, at: 0 });

    await client.set(key, 'token', 'PXAT', clock.now() + 1_000);
    await clock.advance(999);
    await look('before the end');
    await clock.advance(1);
    await look('at the end');
    expect(seen).toMatchObject({ 'before the end': 1, 'at the end': 0 });
  });

  it('removes its keys, and sees those that belong to nobody', async () => {
    await observer.set('older', '1');
    const one = new RedisNamespace(observer, family);
    const other = new RedisNamespace(observer, family);
    await one.begin();
    await observer.mset(`${one.prefix}:a`, '1', `{${one.prefix}:b}`, '1', `${other.prefix}:c`, '1');
    await one.end();
    expect(await observer.keys(`*${family}*`)).toEqual([`${other.prefix}:c`]);

    await observer.set('stray', '1');
    await expect(one.end()).rejects.toThrow('Keys were written outside of the prefix: stray.');
    await observer.del('stray', 'older');
  });
});
