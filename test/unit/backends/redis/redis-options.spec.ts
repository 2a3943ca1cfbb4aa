import { describe, expect, it } from '@jest/globals';
import { Cluster, Redis } from 'ioredis';

import { redis } from '../../../../lib/backends/redis';
import { checkRedisOptions, type RedisOptions } from '../../../../lib/backends/redis/redis-options';
import { systemClock } from '../../../../lib/contract/clock';
import { LaneError } from '../../../../lib/model/errors/lane-error';

function refusalOf(options: unknown): LaneError {
  try {
    checkRedisOptions(options as RedisOptions);
  } catch (error) {
    if (error instanceof LaneError) return error;
    throw error;
  }
  throw new Error('The options were taken.');
}

function client(options: object = {}): Redis {
  return new Redis({ ...options, lazyConnect: true });
}

describe('options of a Redis backend', () => {
  it.each<[string, () => RedisOptions]>([
    ['none', () => ({})],
    ['a URL', () => ({ url: 'redis://127.0.0.1' })],
    ['options of a client', () => ({ connection: { host: 'a', port: 1, tls: {}, keyPrefix: '' } })],
    ['a client', () => ({ client: client() })],
    ['those that are undefined', () => ({ url: 'redis://a', connection: undefined, client: undefined })],
    ['a prefix', () => ({ prefix: '{shop}:jobs' })],
    ['each kind of BullMQ', () => ({ bullmq: 5 })],
    ['a clock', () => ({ clock: systemClock })],
    ['the clock of this process', () => ({ clock: 'client' })],
  ])('may be %s', (_, options) => {
    expect(() => checkRedisOptions(options())).not.toThrow();
  });

  it.each<[unknown, string, string]>([
    [{ prefx: 'shop' }, 'LANE_UNKNOWN_OPTION', 'prefx'],
    [{ host: 'a' }, 'LANE_UNKNOWN_OPTION', 'host'],
    [null, 'LANE_BAD_OPTIONS', 'null'],
    [[], 'LANE_BAD_OPTIONS', 'an array'],
    [{ url: 'redis://a', connection: {} }, 'LANE_BAD_REDIS_OPTION', 'left out when "url" is given'],
    [{ connection: {}, client: client() }, 'LANE_BAD_REDIS_OPTION', 'left out when "connection" is given'],
    [{ url: 5 }, 'LANE_BAD_REDIS_OPTION', '"url"'],
    [{ url: null }, 'LANE_BAD_REDIS_OPTION', 'a text such as "redis://127.0.0.1:6379"'],
    [{ prefix: '' }, 'LANE_BAD_REDIS_OPTION', 'a text that is not empty'],
    [{ prefix: 5 }, 'LANE_BAD_REDIS_OPTION', 'a text that is not empty'],
    [{ bullmq: 4 }, 'LANE_BAD_REDIS_OPTION', '"auto", 5 or 6'],
    [{ bullmq: '5' }, 'LANE_BAD_REDIS_OPTION', '"auto", 5 or 6'],
    [{ clock: 'server' }, 'LANE_BAD_REDIS_OPTION', '"client" or a clock'],
    [{ clock: null }, 'LANE_BAD_REDIS_OPTION', '"client" or a clock'],
    [{ connection: 'redis://a' }, 'LANE_BAD_REDIS_OPTION', 'an object of ioredis options'],
    [{ connection: null }, 'LANE_BAD_REDIS_OPTION', 'an object of ioredis options'],
    [{ client: {} }, 'LANE_BAD_REDIS_OPTION', 'a client of ioredis'],
    [{ client: null }, 'LANE_BAD_REDIS_OPTION', 'a client of ioredis'],
    [{ connection: { keyPrefix: 'x:' } }, 'LANE_BAD_REDIS_OPTION', 'use the prefix option of redis()'],
    [{ client: client({ keyPrefix: 'x:' }) }, 'LANE_BAD_REDIS_OPTION', 'use the prefix option of redis()'],
    [
      { client: new Cluster([], { lazyConnect: true, redisOptions: { keyPrefix: 'x:' } }) },
      'LANE_BAD_REDIS_OPTION',
      'use the prefix option of redis()',
    ],
  ])('are refused with what is wrong and what to do: case %#', (options, code, part) => {
    const refusal = refusalOf(options);

    expect(refusal.code).toBe(code);
    expect(refusal.message).toContain(part);
  });

  it('are refused before anything is connected', () => {
    expect(() => redis({ connection: { keyPrefix: 'x:' } })).toThrow(LaneError);
    expect(() => redis({ url: 'redis://host:port' })).toThrow(LaneError);
    expect(() => redis('redis://host:port')).toThrow(LaneError);
    expect(() => redis('')).toThrow(LaneError);
  });

  it('name no part of what may hold a password', () => {
    for (const options of [
      { url: 'redis://:secret@a', connection: {} },
      { connection: 'secret' },
      { client: 'secret' },
      { connection: {}, client: { password: 'secret' } },
    ]) {
      expect(refusalOf(options).message).not.toContain('secret');
    }
  });

  it('say what the backend is', () => {
    expect(redis()).toMatchObject({ kind: 'redis', capabilities: { durable: true, server: true } });
  });
});
