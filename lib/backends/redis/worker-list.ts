import type { Cluster, Redis } from 'ioredis';

import type { WorkerInfo } from '../../contract/worker-lookup';
import { workerNameOf } from './keys';

/**
 * The workers of a queue, of BullMQ's and of ours, by the names of their connections. In a cluster a worker is
 * connected to some nodes, not to all in every case: the one that sees most counts.
 *
 * @internal
 */
export async function listWorkers(
  client: Redis | Cluster,
  prefix: string,
  queueName: string,
): Promise<WorkerInfo[]> {
  const nodes = client.isCluster ? (client as Cluster).nodes() : [client as Redis];
  const lists = await Promise.all(nodes.map((node) => node.client('LIST') as Promise<string>));
  const seen = lists.map((list) => workersIn(list, prefix, queueName));
  return seen.reduce((most, workers) => (workers.length > most.length ? workers : most), []);
}

/** One connection a line, as `field=value` with blanks between: no value has one in it. */
function workersIn(list: string, prefix: string, queueName: string): WorkerInfo[] {
  return list.split('\n').flatMap((line) => {
    const name = workerNameOf(fieldOf(line, 'name'), prefix, queueName);
    if (name === undefined) {
      return [];
    }
    const connectedFor = Number(fieldOf(line, 'age'));
    return [{ name, address: fieldOf(line, 'addr'), connectionId: fieldOf(line, 'id'), connectedFor }];
  });
}

function fieldOf(line: string, field: string): string {
  return new RegExp(`(?:^| )${field}=(\\S*)`).exec(line)?.[1] ?? '';
}
