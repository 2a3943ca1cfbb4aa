import { join } from 'node:path';

import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Redis, type RedisOptions as ClientOptions } from 'ioredis';
import { Queue, Worker } from 'nestjs-lane/engine';
import { redis } from 'nestjs-lane/redis';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { completion, leaseOf } from '../../support/outcomes';
import { useRedis } from '../../support/redis/own-server';
import { waitUntil } from '../../support/wait-until';

const inRedis = useRedis({ config: ['unixsocket lane.sock'] });
guardAgainstLeaks();

afterEach(() => inRedis.client.flushall());

/** Connections to the server, but for that of the tests. */
async function connections(): Promise<string[]> {
  const own = await inRedis.client.client('ID');
  const list = (await inRedis.client.client('LIST')) as string;
  return list.split('\n').filter((line) => line !== '' && !line.startsWith(`id=${own} `));
}

async function keysIn(database: number): Promise<string[]> {
  await inRedis.client.select(database);
  const keys = await inRedis.client.keys('*');
  await inRedis.client.select(0);
  return keys.sort();
}

describe('a client of the user', () => {
  const clients: Redis[] = [];

  function clientOf(options: ClientOptions = {}): Redis {
    const client = new Redis(inRedis.url, options);
    clients.push(client);
    return client;
  }

  afterEach(() => clients.splice(0).forEach((client) => client.disconnect()));

  it('is duplicated, with its options, and never closed', async () => {
    const client = clientOf({ db: 4, connectionName: 'of-the-user' });
    await client.ping();
    const backend = inRedis.backend({ client });
    const queue = new Queue('mail', { backend });
    const completed: string[] = [];
    const worker = new Worker('mail', () => undefined, { backend });
    worker.on('completed', (job) => completed.push(job.id));
    await queue.add('send', {});
    await waitUntil(() => completed.length > 0, { reason: 'the job is completed' });
    await worker.close();
    await queue.close();

    expect(await keysIn(4)).toContain(`${inRedis.prefix}:mail:1`);
    expect(await keysIn(0)).toEqual([]);
    expect(client.status).toBe('ready');
    expect(await client.ping()).toBe('PONG');
    expect((await connections()).map((line) => /name=(\S*)/.exec(line)?.[1])).toEqual(['of-the-user']);
  });

  it('is not connected by it when it was not yet', async () => {
    const client = clientOf({ lazyConnect: true });
    const user = inRedis.open({ client });
    await user.add({});
    await inRedis.closeHandles();

    expect(client.status).toBe('wait');
    expect(await connections()).toEqual([]);
  });

  it('may be used for anything else meanwhile', async () => {
    const client = clientOf({ maxRetriesPerRequest: null, enableOfflineQueue: true });
    await client.subscribe('news');
    const user = inRedis.open({ client });
    await user.addIds('a', 'b');
    const claim = await user.claim(2);
    await user.settle([completion(leaseOf(claim, 'a'))]);

    expect(await user.ids('completed')).toEqual(['a']);
  });

  it('takes no part in how calls fail: they are not kept, nor sent again', async () => {
    const client = clientOf({
      lazyConnect: true,
      enableOfflineQueue: true,
      maxRetriesPerRequest: null,
      port: 1,
    });
    const nowhere = inRedis.open({ client: client.duplicate({ port: 1, retryStrategy: null }) });

    await expect(nowhere.handle.ready()).rejects.toMatchObject({
      code: 'LANE_CONNECTION_LOST',
      requestSent: false,
    });
  });
});

describe('options of a client', () => {
  it.each<[string, () => ClientOptions, number]>([
    ['a port and a database', () => ({ port: inRedis.server!.port, db: 5 }), 5],
    ['the path of a socket', () => ({ path: join(inRedis.server!.folder, 'lane.sock') }), 0],
    [
      'those that would break the rules of calls',
      () => ({
        port: inRedis.server!.port,
        lazyConnect: false,
        enableOfflineQueue: true,
        maxRetriesPerRequest: null,
        autoResendUnfulfilledCommands: true,
      }),
      0,
    ],
  ])('lead to the server: %s', async (_, connection, database) => {
    const user = inRedis.open({ connection: connection() });
    await user.add({});

    expect((await user.claim(1)).jobs).toHaveLength(1);
    expect(await keysIn(database)).toContain(`${inRedis.prefix}:mail:1`);
  });

  it('are named in errors by the address', async () => {
    const user = inRedis.open({
      connection: { path: join(inRedis.server!.folder, 'no.sock'), retryStrategy: null },
    });

    await expect(user.handle.ready()).rejects.toThrow(/^Redis at \/\S+no\.sock could not be reached\./);
  });
});

describe('keys', () => {
  it('begin as those of BullMQ unless told otherwise', async () => {
    const user = inRedis.openOn(redis(inRedis.url));
    await user.add({});

    expect(await keysIn(0)).toEqual(
      ['1', 'events', 'id', `ln:c.${user.handle.caller}`, 'marker', 'meta', 'wait'].map(
        (name) => `bull:mail:${name}`,
      ),
    );
  });

  it.each(['{shop}', '{shop}:jobs', 'shop:{jobs}', 'a:b', 'ünï 🙂'])(
    'begin with a prefix: %s',
    async (prefix) => {
      const user = inRedis.open({ prefix });
      await user.add({ id: 'a' }, { id: 'd', delay: 60_000 }, { id: 'p', priority: 1 });
      const claim = await user.claim(1);
      await user.recover();
      await user.settle([completion(leaseOf(claim))]);
      const { signal } = new AbortController();
      await user.handle.waitForWork({ block: 1, signal });

      const keys = await keysIn(0);
      expect(keys).toContain(`${prefix}:mail:a`);
      expect(keys.filter((key) => !key.startsWith(`${prefix}:mail:`))).toEqual([]);
    },
  );

  it('keep backends of other prefixes apart', async () => {
    const user = inRedis.open({ prefix: 'one' });
    const other = inRedis.open({ prefix: 'two' });
    await user.add({});

    expect((await other.claim(1)).jobs).toEqual([]);
    expect(await other.handle.getCounts()).toMatchObject({ waiting: 0 });
  });
});

describe('the time of a queue', () => {
  const hour = 3_600_000;

  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('STORE-13 is that of the server, whatever this host says', async () => {
    const user = inRedis.open();
    await user.handle.ready();
    const before = Date.now();
    jest.spyOn(Date, 'now').mockReturnValue(before - 10 * hour);
    const [seconds] = await inRedis.client.time();
    await user.add({ id: 'a' }, { id: 'later', delay: hour });

    expect((await user.job('a'))?.timestamp).toBeGreaterThanOrEqual(Number(seconds) * 1_000);
    expect((await user.claim(2)).idle).toMatchObject({ reason: 'empty', dueIn: expect.closeTo(hour, -4) });
  });

  it('is that of this host when it is told so', async () => {
    const user = inRedis.open({ clock: 'client' });
    await user.handle.ready();
    const now = Date.now() + 10 * hour;
    jest.spyOn(Date, 'now').mockReturnValue(now);
    await user.add({ id: 'a', delay: hour });
    expect(await user.handle.time()).toBe(now);
    expect((await user.claim(1)).idle).toEqual({ reason: 'empty', dueIn: hour });
    jest.spyOn(Date, 'now').mockReturnValue(now + hour);

    const claim = await user.claim(1);
    expect(claim.jobs).toMatchObject([{ id: 'a', timestamp: now, processedOn: now + hour }]);
  });

  it('lets a worker run jobs when they are due, by the clock of this host too', async () => {
    const backend = inRedis.backend({ clock: 'client' });
    const queue = new Queue('mail', { backend });
    const waited: number[] = [];
    const worker = new Worker('mail', (job) => void waited.push(Date.now() - job.timestamp), { backend });
    await queue.add('send', {}, { delay: 30 });
    await waitUntil(() => waited.length > 0, { reason: 'the job ran' });
    await worker.close();
    await queue.close();

    expect(waited[0]).toBeGreaterThanOrEqual(30);
    expect(waited[0]).toBeLessThan(3_000);
  });
});
