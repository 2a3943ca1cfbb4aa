import { Redis } from 'ioredis';
import { redis } from 'nestjs-lane/redis';
import type { ConformanceHarness } from 'nestjs-lane/testing/conformance';

import { ManualClock } from '../support/manual-clock';
import { RedisNamespace } from '../support/redis/redis-namespace';
import { redisUrl } from '../support/redis/redis-of-run.mjs';
import { RedisTraffic } from '../support/redis/redis-traffic';

/** What the prefixes of the cases begin with, in a database that nothing else writes to. */
const family = 'lane-conformance-';
const database = 1;

/** 2030-03-17T17:46:40Z. Later than the server's time, so that nothing expires before the clock gets there. */
const start = 1_900_000_000_000;

export const redisHarness: ConformanceHarness = {
  name: 'redis',
  capabilities: { durable: true, server: true },
  async start() {
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
      async stop() {
        traffic.unwatch();
        await namespace.end();
        client.disconnect();
      },
    };
  },
};
