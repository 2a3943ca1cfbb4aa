import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { registerConformance } from 'nestjs-lane/testing/conformance';

import { redisClusterHarness, startCluster, stopCluster } from './redis-cluster-harness';

beforeAll(() => startCluster().then(() => undefined), 20_000);
afterAll(stopCluster);

registerConformance({ describe, it }, redisClusterHarness);
