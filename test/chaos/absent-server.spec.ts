import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Redis } from 'ioredis';
import { Queue, QueueEvents, Worker } from 'nestjs-lane/engine';
import { redis } from 'nestjs-lane/redis';

import { lasting } from '../support/lasting';
import { guardAgainstLeaks } from '../support/leak-guard';
import { RedisServer } from '../support/redis/redis-server.mjs';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(30_000);

/** Milliseconds in which everything has to work again, or be closed. */
const recovery = 2_000;
const longestClose = 1_000;

let server: RedisServer;
const open = new Set<{ close(): Promise<void> }>();

beforeEach(async () => {
  server = await RedisServer.start();
});

afterEach(async () => {
  await Promise.all([...open].map((each) => each.close()));
  open.clear();
  await server.stop();
});

guardAgainstLeaks();

const name = 'email';

function backend() {
  return redis({ url: server.url });
}

function keep<Closable extends { close(): Promise<void> }>(closable: Closable): Closable {
  open.add(closable);
  return closable;
}

async function closed(...closables: { close(): Promise<void> }[]): Promise<number> {
  const begin = performance.now();
  await Promise.all(closables.map((each) => each.close()));
  closables.forEach((each) => open.delete(each));
  return performance.now() - begin;
}

describe('T-B01 an outage that is longer than the wait of an idle worker', () => {
  it.each([
    ['refuses connections', () => server.kill(), () => server.restart()],
    ['does not answer', async () => server.pause(), async () => server.resume()],
  ])('is over within two seconds, where the server %s', async (_, away, back) => {
    const ran: string[] = [];
    const errors: Error[] = [];
    const worker = keep(
      new Worker(name, (job) => void ran.push(job.name), { backend: backend(), drainDelay: '1s' }),
    );
    worker.on('error', (error) => errors.push(error));
    const queue = keep(new Queue(name, { backend: backend() }));
    const idle = new Promise((resolve) => worker.once('drained', () => resolve(undefined)));
    await queue.add('before', {});
    await idle;

    await away();
    await lasting(5_000);
    await back();
    await queue.add('after', {});
    await waitUntil(() => ran.includes('after'), { reason: 'the job runs', deadline: recovery });

    expect(ran).toEqual(['before', 'after']);
    const codes = errors.map((error) => (error as { code?: string }).code);
    expect(codes).toEqual(codes.slice(0, 1).map(() => 'LANE_CONNECTION_LOST'));
  });
});

describe('T-B05 closing', () => {
  const everything = (): { close(): Promise<void> }[] => {
    const worker = new Worker(name, () => undefined, { backend: backend() });
    const events = new QueueEvents(name, { backend: backend() });
    const queue = new Queue(name, { backend: backend() });
    worker.on('error', () => {});
    events.on('error', () => {});
    return [worker, events, queue].map(keep);
  };

  it('(a) ends within a second in the tick of the making', async () => {
    expect(await closed(...everything())).toBeLessThan(longestClose);
  });

  it('ends within a second while connections are being made', async () => {
    const all = everything();
    await new Promise((resolve) => setImmediate(resolve));
    expect(await closed(...all)).toBeLessThan(longestClose);
  });

  it('(b) ends within a second where nobody listens', async () => {
    await server.kill();
    const all = everything();
    await lasting(100);
    expect(await closed(...all)).toBeLessThan(longestClose);
  });

  it('ends within a second when the server went away', async () => {
    const all = everything();
    await waitUntil(async () => (await connections()) >= all.length, { reason: 'all are connected' });
    await server.kill();
    await lasting(300);
    expect(await closed(...all)).toBeLessThan(longestClose);
  });

  it('ends within a second when the server has just stopped to answer', async () => {
    const all = everything();
    await waitUntil(async () => (await connections()) >= all.length, { reason: 'all are connected' });
    server.pause();
    expect(await closed(...all)).toBeLessThan(longestClose);
    server.resume();
  });

  /** Clients of the server, the one that asks not counted. */
  async function connections(): Promise<number> {
    const client = new Redis(server.url);
    try {
      return (
        String(await client.client('LIST'))
          .trim()
          .split('\n').length - 1
      );
    } finally {
      client.disconnect();
    }
  }
});

describe('T-B06 a server that is absent at the start', () => {
  it('is an error event, nothing else, and everything works once it is there', async () => {
    await server.kill();
    const errors: Error[] = [];
    const ran: string[] = [];
    const seen: string[] = [];
    const worker = keep(new Worker(name, (job) => void ran.push(job.id), { backend: backend() }));
    const events = keep(new QueueEvents(name, { backend: backend() }));
    worker.on('error', (error) => errors.push(error));
    events.on('error', (error) => errors.push(error));
    events.on('completed', ({ jobId }) => seen.push(jobId));
    await waitUntil(() => errors.length === 2, { reason: 'both have said so' });
    expect(errors).toMatchObject([{ code: 'LANE_CONNECTION_LOST' }, { code: 'LANE_CONNECTION_LOST' }]);

    await server.restart();
    const queue = keep(new Queue(name, { backend: backend() }));
    // What is added before the listener has found the end of the log is not new to it.
    await waitUntil(
      () =>
        events.waitUntilReady().then(
          () => true,
          () => false,
        ),
      {
        reason: 'the listener is ready',
        deadline: recovery,
      },
    );
    const { id } = await queue.add('send', {});
    await waitUntil(() => ran.includes(id) && seen.includes(id), {
      reason: 'the job runs, and the listener hears of it',
      deadline: recovery,
    });
    expect(errors).toHaveLength(2);
  });

  it('is logged where nobody listens for errors', async () => {
    await server.kill();
    const log = jest.spyOn(console, 'error').mockImplementation(() => {});
    try {
      keep(new Worker(name, () => undefined, { backend: backend() }));
      await waitUntil(() => log.mock.calls.length > 0, { reason: 'it is logged' });
      expect(String(log.mock.calls[0]![0])).toMatch(/^Worker "email": .*could not be reached/);
    } finally {
      log.mockRestore();
    }
  });
});

describe('T-B07 an add while the server is away', () => {
  it('rejects in its time, and nothing is stored later', async () => {
    await server.kill();
    const queue = keep(new Queue(name, { backend: backend(), addTimeout: 500 }));
    const begin = performance.now();
    await expect(queue.add('send', {})).rejects.toMatchObject({ code: 'LANE_CONNECTION_LOST' });
    expect(performance.now() - begin).toBeLessThan(600);

    await server.restart();
    await waitUntil(() => queue.add('later', {}).then(Boolean, () => false), { reason: 'adds work again' });
    expect((await queue.getJobs()).map((job) => job.name)).toEqual(['later']);
  });

  it('that was sent, and whose reply does not come, rejects in its time and says that it may be stored', async () => {
    const queue = keep(new Queue(name, { backend: backend(), addTimeout: 500 }));
    await queue.add('first', {});
    server.pause();
    const begin = performance.now();
    await expect(queue.add('second', {})).rejects.toMatchObject({ code: 'LANE_OUTCOME_UNKNOWN' });
    expect(performance.now() - begin).toBeLessThan(600);

    server.resume();
    await queue.add('third', {});
    const names = (await queue.getJobs()).map((job) => job.name);
    expect(names.filter((each) => each !== 'second').sort()).toEqual(['first', 'third']);
    expect(names.filter((each) => each === 'second').length).toBeLessThanOrEqual(1);
  });
});
