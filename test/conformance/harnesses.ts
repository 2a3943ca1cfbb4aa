import { memory } from 'nestjs-lane/memory';
import type { ConformanceHarness } from 'nestjs-lane/testing/conformance';

import { ManualClock } from '../support/manual-clock';
import { redisClusterHarness } from './redis-cluster-harness';
import { redisHarness } from './redis-harness';

export const memoryHarness: ConformanceHarness = {
  name: 'memory',
  capabilities: { durable: false, server: false },
  async start() {
    const clock = new ManualClock();
    return {
      backend: memory({ clock }),
      clock,
      advance: (millis) => clock.advance(millis),
      openTimers: () => clock.pendingTimers,
      stop: () => Promise.resolve(),
    };
  },
};

/** Every backend in every way of running it, by the name of its spec. */
export const HARNESSES: readonly ConformanceHarness[] = [memoryHarness, redisHarness, redisClusterHarness];
