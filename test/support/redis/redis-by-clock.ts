import { Redis } from 'ioredis';
import { redis } from 'nestjs-lane/redis';
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

/** A new store on the server of the run, which goes by a clock that stands still but for `advance`. */
export async function startRedisUnderTest(): Promise<RedisUnderTest> {
  const url = new URL(await redisUrl());
  if (/^\/?$/.test(url.pathname)) url.pathname = `/${database}`;
  const client = new Redis(url.href);
  const namespace = new RedisNamespace(client, family);
  await namespace.begin();
  const traffic = RedisTraffic.watch(client);
  const clock = new ManualClock(start, {
    reach: (now) => namespace.expire(now),
    comeToRest: () => traffic.atRest(),
  });
  return {
    backend: redis({ url: url.href, prefix: namespace.prefix, clock }),
    clock,
    advance: (millis) => clock.advance(millis),
    openTimers: () => clock.pendingTimers,
    keysOf: (queueName) => new StoredKeys(client, `${namespace.prefix}:${queueName}:`),
    async stop() {
      traffic.unwatch();
      await namespace.end();
      client.disconnect();
    },
  };
}
