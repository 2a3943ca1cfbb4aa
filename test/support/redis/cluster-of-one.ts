import { Cluster, Redis } from 'ioredis';

import { waitUntil } from '../wait-until';
import { RedisServer, type ServerOptions } from './redis-server.mjs';

/** Slots of a cluster, which keys are spread over. */
const slots = 16_384;

/** Milliseconds: a node that has just started takes no keys for two seconds, whatever it knows. */
const longestStart = 10_000;

/** A cluster of one node, which owns all slots. */
export class ClusterOfOne {
  /** A client of the cluster, which is to be duplicated: it is not connected. */
  readonly client: Cluster;

  private constructor(readonly server: RedisServer) {
    this.client = new Cluster([{ host: '127.0.0.1', port: server.port }], { lazyConnect: true });
  }

  static async start(options: ServerOptions = {}): Promise<ClusterOfOne> {
    // A node learns its address from others, and there are none.
    const config = ['cluster-enabled yes', 'cluster-announce-ip 127.0.0.1', ...(options.config ?? [])];
    const server = await RedisServer.start({ ...options, config });
    const cluster = new ClusterOfOne(server);
    const node = new Redis(server.url);
    try {
      // Older servers know no ranges.
      await node.cluster('ADDSLOTS', ...Array.from({ length: slots }, (_, slot) => slot));
      await waitUntil(async () => /cluster_state:ok/.test(await node.cluster('INFO')), {
        deadline: longestStart,
        reason: 'the node took all slots',
      });
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    } finally {
      node.disconnect();
    }
  }

  /** Of the node, for clients that know nothing of clusters. */
  get url(): string {
    return this.server.url;
  }

  async stop(): Promise<void> {
    await this.server.stop();
  }
}
