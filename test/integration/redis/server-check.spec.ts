import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Queue, Worker } from 'nestjs-lane/engine';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { FakeRedisServer } from '../../support/redis/fake-server';
import { useRedis } from '../../support/redis/own-server';
import { waitUntil } from '../../support/wait-until';

const inRedis = useRedis({ config: ['maxmemory-policy allkeys-lru'] });
guardAgainstLeaks();

/** Whoever uses the library hears of them by process.on('warning'). */
const emitWarning = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);

afterEach(() => void emitWarning.mockClear());

describe('a server that drops keys when its memory is full', () => {
  it('is warned of once, however many handles and connections there are', async () => {
    const backend = inRedis.backend();
    const users = [inRedis.openOn(backend), inRedis.openOn(backend, { role: 'producer' })];
    for (const user of users) await user.add({});
    await users[0]!.handle.waitForWork({ block: 5, signal: new AbortController().signal });

    expect(emitWarning.mock.calls).toEqual([
      [
        expect.stringMatching(
          /^Redis at 127\.0\.0\.1:\d+ has the eviction policy "allkeys-lru", .* Set maxmemory-policy to noeviction\.$/,
        ),
        { type: 'LaneWarning', code: 'LANE_EVICTION_POLICY' },
      ],
    ]);
  });

  it('is not warned of when it drops none', async () => {
    await inRedis.client.config('SET', 'maxmemory-policy', 'noeviction');
    await inRedis.open().add({});
    await inRedis.client.config('SET', 'maxmemory-policy', 'allkeys-lru');

    expect(emitWarning).not.toHaveBeenCalled();
  });
});

describe('the look at a server', () => {
  it('touches no job, however its queue and it are called', async () => {
    const user = inRedis.open({ queueName: 'ln' });
    await user.addIds('rights');
    await inRedis.open({ queueName: 'ln' }).handle.ready();

    expect(await user.state('rights')).toBe('waiting');
  });
});

describe('a server whose clock differs from that of this host', () => {
  let server: FakeRedisServer;

  afterEach(async () => {
    await inRedis.closeHandles();
    await server.stop();
  });

  function startAhead(millis: number): Promise<FakeRedisServer> {
    return FakeRedisServer.start({ info: 'redis_version:7.0.0\r\nloading:0\r\n', ahead: millis });
  }

  it.each([
    [
      7_200_000,
      {},
      /differ by (7199|7200|7201) seconds\. Jobs go by that of the server\. Synchronise them\.$/,
    ],
    [
      -7_200_000,
      {},
      /differ by (7199|7200|7201) seconds\. Jobs go by that of the server\. Synchronise them\.$/,
    ],
    [60_000, { clock: 'client' as const }, /differ by (59|60|61) seconds\. Jobs go by those of the hosts\./],
  ])('is warned of once: %s milliseconds, %j', async (millis, options, text) => {
    server = await startAhead(millis);
    const backend = inRedis.backend({ url: server.url, ...options });
    await inRedis.openOn(backend).handle.ready();
    await inRedis.openOn(backend, { role: 'producer' }).handle.ready();

    expect(emitWarning.mock.calls).toEqual([
      [expect.stringMatching(text), { type: 'LaneWarning', code: 'LANE_CLOCK_SKEW' }],
    ]);
  });

  it.each([0, 300, -300])('is not warned of when it hardly does: %s milliseconds', async (millis) => {
    server = await startAhead(millis);
    await inRedis.open({ url: server.url }).handle.ready();

    expect(emitWarning).not.toHaveBeenCalled();
  });
});

describe('a server that cannot be used', () => {
  let server: FakeRedisServer | undefined;

  afterEach(async () => {
    await inRedis.closeHandles();
    await server?.stop();
    server = undefined;
  });

  function startVersion(version: string): Promise<FakeRedisServer> {
    return FakeRedisServer.start({
      info: `# Server\r\nredis_version:${version}\r\nloading:0\r\nmaxmemory_policy:noeviction\r\n`,
      hello: { error: 'ERR unknown command `HELLO`, with args beginning with: `3`, ' },
    });
  }

  it.each(['5.0.14', '6.0.16', '2.8.0'])('is refused: %s', async (version) => {
    server = await startVersion(version);
    const user = inRedis.open({ url: server.url });

    await expect(user.handle.getCounts()).rejects.toMatchObject({
      code: 'LANE_UNSUPPORTED_SERVER',
      version,
      message: expect.stringContaining(
        `is "${version}", which cannot be used: Redis 6.2 or newer, or Valkey, is needed`,
      ),
    });
    await expect(user.handle.ready()).rejects.toMatchObject({ code: 'LANE_UNSUPPORTED_SERVER' });
    expect(server.commands.map(([name]) => name!.toLowerCase())).not.toContain('evalsha');
  });

  it.each(['6.2.0', '7.0.15', '10.0.0'])('is not refused: %s', async (version) => {
    server = await startVersion(version);

    await expect(inRedis.open({ url: server.url }).handle.ready()).resolves.toBeUndefined();
  });

  it('is refused also when it is a node of a cluster that nobody speaks to as one', async () => {
    server = await startVersion('7.0.15\r\nredis_mode:cluster');

    await expect(inRedis.open({ url: server.url }).handle.getCounts()).rejects.toMatchObject({
      code: 'LANE_UNSUPPORTED_SERVER',
      message: expect.stringContaining('is "7.0.15 in cluster mode", which cannot be used'),
    });
    await expect(inRedis.open({ url: server.url, prefix: '{bull}' }).handle.ready()).resolves.toBeUndefined();
  });

  it('is told to whoever adds, and to the worker, which closes all the same', async () => {
    server = await startVersion('5.0.14');
    const backend = inRedis.backend({ url: server.url });
    const queue = new Queue('mail', { backend });
    const errors: Error[] = [];
    const worker = new Worker('mail', () => undefined, { backend });
    worker.on('error', (error) => errors.push(error));

    await expect(queue.add('send', {})).rejects.toMatchObject({ code: 'LANE_UNSUPPORTED_SERVER' });
    await waitUntil(() => errors.length > 0, { reason: 'the worker was refused' });

    expect(errors[0]).toMatchObject({ code: 'LANE_UNSUPPORTED_SERVER' });
    await worker.close();
    await queue.close();
  });
});
