import { Redis } from 'ioredis';
import { redis, type RedisOptions } from 'nestjs-lane/redis';
import type { BackendUnderTest } from 'nestjs-lane/testing/conformance';

import { ManualClock } from '../manual-clock';
import { RedisNamespace } from './redis-namespace';
import { redisUrl } from './redis-of-run.mjs';
import { RedisTraffic } from './redis-traffic';
import { StoredKeys } from './stored-keys';

/** What the prefixes of the cases begin with, in a database that nothing else writes to. */
const family = 'lane-conformance-';
const database = 1;

/** 2030-03-17T17:46:40Z. Later than the server's time, so that nothing expires before the clock gets there. */
const start = 1_900_000_000_000;

/** A store of which tests see what other clients see, too. */
export interface RedisUnderTest extends BackendUnderTest {
  /** What is stored for a queue. */
  keysOf(queueName: string): StoredKeys;
}

/** Which server the stores are on. */
export interface ServerUnderTest {
  /** A database of the server that nothing but stores writes to. */
  readonly url: string;
  /** What the backend is told of it. */
  readonly target: Pick<RedisOptions, 'url' | 'client'>;
  /** Makes a prefix of what is the store's own. */
  readonly prefixOf: (name: string) => string;
}

/** A database of the server of the run. */
async function ofTheRun(): Promise<ServerUnderTest> {
  const url = new URL(await redisUrl());
  if (/^\/?$/.test(url.pathname)) url.pathname = `/${database}`;
  return { url: url.href, target: { url: url.href }, prefixOf: (name) => name };
}

/** A new store, by default on the server of the run, which goes by a clock that stands still but for `advance`. */
export async function startRedisUnderTest(server?: ServerUnderTest): Promise<RedisUnderTest> {
  const { url, target, prefixOf } = server ?? (await ofTheRun());
  const client = new Redis(url);
  const namespace = new RedisNamespace(client, family);
  await namespace.begin();
  const prefix = prefixOf(namespace.prefix);
  const traffic = RedisTraffic.watch(client);
  const clock = new ManualClock(start, {
    reach: (now) => namespace.expire(now),
    comeToRest: () => traffic.atRest(),
  });
  return {
    backend: redis({ ...target, prefix, clock }),
    clock,
    advance: (millis) => clock.advance(millis),
    openTimers: () => clock.pendingTimers,
    keysOf: (queueName) => new StoredKeys(client, `${prefix}:${queueName}:`),
    async stop() {
      traffic.unwatch();
      await namespace.end();
      client.disconnect();
    },
  };
}
