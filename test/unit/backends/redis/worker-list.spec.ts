import { describe, expect, it } from '@jest/globals';
import type { Cluster, Redis } from 'ioredis';

import { listWorkers } from '../../../../lib/backends/redis/worker-list';

const line = (address: string, name: string): string =>
  `id=7 addr=${address} laddr=127.0.0.1:6379 fd=8 name=${name} age=3 idle=0 flags=b db=0 cmd=bzpopmin user=default`;

function node(...lines: string[]): Redis {
  return { isCluster: false, client: async () => `${lines.join('\n')}\n` } as unknown as Redis;
}

describe('listWorkers', () => {
  it('finds the connections of the workers of a queue, BullMQ ones too', async () => {
    const client = node(
      line('10.0.0.1:4001', 'bull:ZW1haWw='),
      line('10.0.0.1:4002', 'bull:ZW1haWw=:w:mailer'),
      line('[::1]:4003', 'bull:ZW1haWw=:w:a%20b'),
      line('10.0.0.1:4004', 'bull:ZW1haWw=:qe'),
      line('10.0.0.1:4005', ''),
      line('10.0.0.1:4006', 'bull:b3RoZXI='),
    );

    expect(await listWorkers(client, 'bull', 'email')).toEqual([
      { name: null, address: '10.0.0.1:4001', connectionId: '7', connectedFor: 3 },
      { name: 'mailer', address: '10.0.0.1:4002', connectionId: '7', connectedFor: 3 },
      { name: 'a b', address: '[::1]:4003', connectionId: '7', connectedFor: 3 },
    ]);
  });

  it('asks every node of a cluster, and believes the one that sees most', async () => {
    const one = line('10.0.0.1:4001', 'bull:ZW1haWw=:w:one');
    const two = line('10.0.0.1:4002', 'bull:ZW1haWw=:w:two');
    const nodes = [node(one), node(two, one), node()];
    const cluster = { isCluster: true, nodes: () => nodes } as unknown as Cluster;

    expect((await listWorkers(cluster, 'bull', 'email')).map(({ name }) => name)).toEqual(['two', 'one']);
    const empty = { isCluster: true, nodes: () => [] } as unknown as Cluster;
    expect(await listWorkers(empty, 'bull', 'email')).toEqual([]);
  });
});
