import { EventEmitter } from 'node:events';

import { describe, expect, it } from '@jest/globals';
import type { Redis } from 'ioredis';

import { RedisClient } from '../../../../lib/backends/redis/redis-client';

/** As much of a client of the library as a connection attempt takes. */
class FakeRedis extends EventEmitter {
  status = 'wait';
  attempts = 0;

  async connect(): Promise<void> {
    this.attempts += 1;
    this.status = 'connecting';
  }

  end(status: 'ready' | 'close'): void {
    this.status = status;
    this.emit(status);
  }
}

describe('calls that wait for one connection', () => {
  const calls = 20;

  it.each(['ready', 'close'] as const)('wait together until it is "%s"', async (status) => {
    const redis = new FakeRedis();
    const client = new RedisClient(
      () => redis as unknown as Redis,
      'The store',
      () => Promise.resolve(),
    );
    const waiting = Promise.allSettled(Array.from({ length: calls }, () => client.connected()));
    expect(redis.attempts).toBe(1);
    // More than ten of one kind are a warning on the console.
    expect(redis.listenerCount('ready')).toBeLessThan(calls / 2);

    redis.end(status);
    const results = await waiting;
    expect(results.map((result) => result.status)).toEqual(
      Array.from({ length: calls }, () => (status === 'ready' ? 'fulfilled' : 'rejected')),
    );
    expect(redis.listenerCount('ready')).toBe(1);
  });
});

describe('a command that no connection took', () => {
  it.each([
    [false, false],
    [true, true],
  ])('on a cluster %p: may have reached a server %p', async (isCluster, requestSent) => {
    const redis = Object.assign(new FakeRedis(), { status: 'ready', isCluster });
    const client = new RedisClient(
      () => redis as unknown as Redis,
      'The store',
      () => Promise.resolve(),
    );
    const refuse = (): Promise<never> =>
      Promise.reject(new Error("Stream isn't writeable and enableOfflineQueue options is false"));

    await expect(client.use(refuse)).rejects.toMatchObject({ code: 'LANE_CONNECTION_LOST', requestSent });
  });
});
