import { afterEach, beforeEach, describe, it, jest } from '@jest/globals';
import { Redis } from 'ioredis';

import { lasting } from '../support/lasting';
import { RedisServer } from '../support/redis/redis-server.mjs';
import { waitUntil } from '../support/wait-until';
import { useLoads, type Load } from './support/load';

jest.setTimeout(30_000);

const jobs = 1_500;

describe('a server that fails under load', () => {
  const makeLoad = useLoads();
  let server: RedisServer;
  let load: Load;

  beforeEach(async () => {
    server = await RedisServer.start({ appendonly: true });
    load = makeLoad(server.url);
  });

  afterEach(async () => {
    await load.closeAll();
    await server.stop();
  });

  /** Does something to the server while jobs are added and run, and looks what has become of them. */
  async function under(fault: () => Promise<unknown>): Promise<void> {
    load.work();
    load.work();
    const adding = load.add(jobs);
    await waitUntil(() => load.completed > 100, { reason: 'jobs run' });
    await fault();
    await adding;
    await load.expectSound({ deadline: 8_000 });
    load.expectFewErrors();
  }

  it.each([
    ['shorter than a lease', 500],
    ['longer than a lease', 2_000],
  ])('loses no job when it stands still, %s', async (_, millis) => {
    await under(async () => {
      server.pause();
      await lasting(millis);
      server.resume();
    });
    load.expectAllAdded();
  });

  it('loses no job that it has when it stands still for longer than adds are repeated', async () => {
    await under(async () => {
      server.pause();
      await lasting(6_000);
      server.resume();
    });
  });

  it('loses no job when it is restarted', async () => {
    await under(() => server.restart());
    load.expectAllAdded();
  });

  it('loses no job when it crashes, again and again', async () => {
    await under(async () => {
      for (let crash = 1; crash <= 3; crash += 1) {
        const { completed } = load;
        await server.kill();
        await server.restart();
        await waitUntil(() => load.completed > completed, { reason: 'jobs run again' });
      }
    });
    load.expectAllAdded();
  });

  it('loses no job when it is away for longer than a lease', async () => {
    await under(async () => {
      await server.kill();
      await lasting(2_500);
      await server.restart();
    });
  });

  it('loses no job when it forgets the scripts, again and again', async () => {
    const client = new Redis(server.url);
    try {
      await under(async () => {
        for (let flush = 1; flush <= 20; flush += 1) {
          const { added, completed } = load;
          await client.script('FLUSH');
          await waitUntil(() => load.added === jobs || (load.added > added && load.completed > completed), {
            reason: 'jobs are added and run',
          });
        }
      });
    } finally {
      client.disconnect();
    }
  });
});
