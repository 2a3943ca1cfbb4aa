import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Queue, Worker } from 'nestjs-lane/engine';
import { redis, type RedisOptions } from 'nestjs-lane/redis';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { loopbackPorts } from '../../support/loopback-ports.mjs';
import { RedisServer } from '../../support/redis/redis-server.mjs';
import { waitUntil } from '../../support/wait-until';

guardAgainstLeaks();

/** Made for tests, signed by itself, for localhost. */
const folder = join(process.cwd(), 'test/integration/redis/tls');
const certificate = join(folder, 'certificate.pem');

/** On a port that is free, beside the one that the server has anyway. */
async function startWithTls(): Promise<[RedisServer, number]> {
  let cause: unknown;
  for (const port of loopbackPorts(5)) {
    try {
      const config = [
        `tls-port ${port}`,
        `tls-cert-file "${certificate}"`,
        `tls-key-file "${join(folder, 'key.pem')}"`,
        `tls-ca-cert-file "${certificate}"`,
        'tls-auth-clients no',
      ];
      return [await RedisServer.start({ config }), port];
    } catch (error) {
      cause = error;
    }
  }
  throw new Error('No server with TLS has started.', { cause });
}

describe('a Redis server that speaks TLS', () => {
  let server: RedisServer;
  let port: number;

  beforeAll(async () => {
    [server, port] = await startWithTls();
  });

  afterAll(() => server.stop());

  const open: { close(): Promise<void> }[] = [];

  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()));
  });

  function queueOn(options: RedisOptions): Queue {
    const queue = new Queue('email', { backend: redis(options), addTimeout: '1s' });
    queue.on('error', () => undefined);
    open.push(queue);
    return queue;
  }

  it('keeps the jobs of those who know its certificate', async () => {
    const connection = { host: 'localhost', port, tls: { ca: readFileSync(certificate) } };
    const queue = queueOn({ connection });
    const ran: unknown[] = [];
    const worker = new Worker('email', (job) => void ran.push(job.data), { backend: redis({ connection }) });
    open.push(worker);

    await queue.add('send', { to: 'a' });
    await waitUntil(() => ran.length === 1, { reason: 'the job runs' });

    expect(ran).toEqual([{ to: 'a' }]);
  });

  it.each([
    ['a URL, which knows no certificate', { url: 'rediss://localhost:PORT' }],
    ['a client that speaks no TLS', { url: 'redis://localhost:PORT' }],
  ])('is out of reach of %s', async (_, { url }) => {
    const queue = queueOn({ url: url.replace('PORT', String(port)) });

    await expect(queue.add('send', {})).rejects.toMatchObject({ code: 'LANE_CONNECTION_LOST' });
  });
});
