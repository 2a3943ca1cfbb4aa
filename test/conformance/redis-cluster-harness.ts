import type { ConformanceHarness } from 'nestjs-lane/testing/conformance';

import { ClusterOfOne } from '../support/redis/cluster-of-one';
import { startRedisUnderTest } from '../support/redis/redis-by-clock';
import { redisHarness } from './redis-harness';

let cluster: Promise<ClusterOfOne> | undefined;

/** The cluster ends with the process, or with `stopCluster`. */
export const redisClusterHarness: ConformanceHarness = {
  ...redisHarness,
  name: 'redis-cluster',
  kind: redisHarness.name,
  async start() {
    const { url, client } = await startCluster();
    return startRedisUnderTest({ url, target: { client }, prefixOf: (name) => `{${name}}` });
  },
};

/** Starts the cluster before the first case does. It takes some seconds. */
export function startCluster(): Promise<ClusterOfOne> {
  return (cluster ??= ClusterOfOne.start());
}

/** Ends the cluster that the cases ran on. */
export async function stopCluster(): Promise<void> {
  const started = cluster;
  cluster = undefined;
  await (await started)?.stop();
}
