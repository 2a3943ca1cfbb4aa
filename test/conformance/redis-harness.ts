import type { ConformanceHarness } from 'nestjs-lane/testing/conformance';

import { startRedisUnderTest } from '../support/redis/redis-by-clock';

export const redisHarness: ConformanceHarness = {
  name: 'redis',
  capabilities: { durable: true, server: true },
  start: startRedisUnderTest,
};
