import { createServer, type AddressInfo } from 'node:net';

import { afterEach, describe, expect, it, jest } from '@jest/globals';
import {
  Injectable,
  type ModuleMetadata,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { Cluster } from 'ioredis';
import { InjectQueue, LaneConfigError, LaneModule, Process, Processor, type Queue } from 'nestjs-lane';
import { memory } from 'nestjs-lane/memory';
import { redis } from 'nestjs-lane/redis';

import { FailingBackend } from '../../support/failing-backend';
import { guardAgainstLeaks } from '../../support/leak-guard';
import { ended, queueOf, RecordingLogger, TestApps } from '../../support/nest-app';
import { FakeRedisServer } from '../../support/redis/fake-server';
import { waitUntil } from '../../support/wait-until';

const apps = new TestApps();
guardAgainstLeaks();

/** A store in memory that counts as a server. */
function server(): FailingBackend {
  return new FailingBackend(memory(), { durable: false, server: true });
}

/** A server that is away for as long as it is not healed. */
function serverAway(): FailingBackend {
  const backend = server();
  backend.plan('ready', 'lose-request', Infinity);
  return backend;
}

async function closedPort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => listener.once('listening', resolve));
  const { port } = listener.address() as AddressInfo;
  await new Promise((resolve) => listener.close(resolve));
  return port;
}

@Processor('email')
class EmailProcessor {
  @Process()
  handle() {
    return 'handled';
  }
}

const email = LaneModule.registerQueue('email');
const exportsQueue = LaneModule.registerQueue({ name: 'exports', connection: 'reports' });

/** What the start is refused with. */
async function refusal(root: ModuleMetadata): Promise<unknown> {
  return apps.start(root).then(
    () => 'The application started.',
    (error: unknown) => error,
  );
}

describe('the start of an application', () => {
  it('NA-2-12 asks the server of each connection that has queues, once, before a job is taken', async () => {
    const backends = [server(), server(), server()] as const;
    const [main, reports, unused] = backends;
    main.plan('ready', 'hold');
    const starting = apps.start({
      imports: [
        LaneModule.forRoot({ backend: main }),
        LaneModule.forRoot('reports', { backend: reports, requireConnection: true }),
        LaneModule.forRoot('unused', { backend: unused }),
        email,
        LaneModule.registerQueue('thumbs'),
        exportsQueue,
      ],
      providers: [EmailProcessor],
    });
    await waitUntil(() => main.heldCalls > 0, { reason: 'the server is asked' });
    await waitUntil(() => reports.callsOf('ready') > 0, {
      reason: 'the other one is asked at the same time',
    });
    expect(main.callsOf('claimJobs')).toBe(0);
    main.release();
    const queue = queueOf(await starting, 'email');

    expect((await ended(queue, await queue.add('send', {}))).returnvalue).toBe('handled');
    expect(backends.map((backend) => backend.callsOf('ready'))).toEqual([1, 1, 0]);
  });

  it('asks nothing where the store is embedded', async () => {
    const backend = new FailingBackend(memory());
    await apps.start({ imports: [LaneModule.forRoot({ backend }), email] });

    expect(backend.callsOf('ready')).toBe(0);
  });

  it('fails when a server is away, says which and why, and closes what it has opened', async () => {
    const backend = serverAway();
    const error = await refusal({
      imports: [LaneModule.forRoot({ backend }), email, LaneModule.registerQueue('thumbs')],
      providers: [EmailProcessor],
    });

    expect(error).toMatchObject({
      name: 'LaneConnectionError',
      code: 'LANE_CONNECTION_REQUIRED',
      failures: [{ connection: 'default', error: { code: 'LANE_CONNECTION_LOST' } }],
      cause: { code: 'LANE_CONNECTION_LOST' },
      message: `Lane could not start: a connection cannot be used.

1. "default": The store could not be reached. Check that it runs and that the address is right.

To start without it and connect later, set requireConnection: false.`,
    });
    expect(backend.callsOf('claimJobs')).toBe(0);
    expect(backend.openHandles).toBe(0);
  });

  it('tells all servers that are away, and waits for all of them together', async () => {
    const silent = server();
    silent.plan('ready', 'hold', Infinity);
    const alsoSilent = server();
    alsoSilent.plan('ready', 'hold', Infinity);
    const since = performance.now();
    const error = await refusal({
      imports: [
        LaneModule.forRootAsync({ useFactory: () => ({ backend: silent }) }),
        LaneModule.forRoot('reports', { backend: alsoSilent }),
        email,
        exportsQueue,
      ],
    });

    expect(performance.now() - since).toBeLessThan(7_000);
    expect(error).toMatchObject({
      message: `Lane could not start: 2 connections cannot be used.

1. "default": The memory server, which did not answer for 5 s, could not be reached. Check that it runs and that the address is right.

2. "reports": The memory server, which did not answer for 5 s, could not be reached. Check that it runs and that the address is right.

To start without it and connect later, set requireConnection: false.`,
    });
    [silent, alsoSilent].forEach((backend) => backend.release());
    expect([silent.openHandles, alsoSilent.openHandles]).toEqual([0, 0]);
  }, 15_000);

  it('NA-2-13 warns and goes on where the connection is not required, and works when the server is there', async () => {
    const backend = serverAway();
    backend.plan('claimJobs', 'lose-request', Infinity);
    const logger = new RecordingLogger();
    const app = await apps.start(
      {
        imports: [LaneModule.forRoot({ backend, requireConnection: false }), email],
        providers: [EmailProcessor],
      },
      { logger },
    );
    const queue = queueOf(app, 'email');

    expect(logger.messages('warn')).toEqual([
      'The default connection cannot be used now, and the application starts without it: The store could not be ' +
        'reached. Check that it runs and that the address is right.',
    ]);
    const job = await queue.add('send', {});
    backend.heal();
    expect((await ended(queue, job)).returnvalue).toBe('handled');
  });
});

describe('the option requireConnection', () => {
  it.each([
    ['a value', memory()],
    ['a URL', 'memory:require-connection-spec'],
  ])(
    'NA-11-13 LANE_UNSUPPORTED: is refused for a backend without a server, with those that have one: %s',
    async (_, backend) => {
      const error = await refusal({
        imports: [
          LaneModule.forRootAsync({ useFactory: () => ({ backend, requireConnection: false }) }),
          email,
        ],
      });

      expect(error).toBeInstanceOf(LaneConfigError);
      expect((error as Error).message).toContain(
        `LANE_UNSUPPORTED  Option "requireConnection" is given, but the backend is memory, which has no server that could be away.
   Where: LaneModule.forRootAsync() in AppModule
   Fix: leave it out, or give a backend that has a server, such as redis().`,
      );
    },
  );

  it('is refused when no backend is given', async () => {
    expect(
      await refusal({ imports: [LaneModule.forRoot({ requireConnection: true }), email] }),
    ).toMatchObject({
      problems: [{ code: 'LANE_UNSUPPORTED' }],
    });
  });

  it('is true or false', async () => {
    const options = { backend: server(), requireConnection: 'no' as never };

    expect(await refusal({ imports: [LaneModule.forRoot(options), email] })).toMatchObject({
      problems: [
        {
          code: 'LANE_BAD_FLAG',
          message: 'Option "requireConnection" is "no"; it must be true or false. Correct the value.',
        },
      ],
    });
  });

  it('is the same wherever the connection is made', async () => {
    const backend = server();
    const imports = [
      LaneModule.forRoot({ backend }),
      LaneModule.forRoot({ backend, requireConnection: false }),
      email,
    ];

    expect(await refusal({ imports })).toMatchObject({ problems: [{ code: 'LANE_CONNECTION_CONFLICT' }] });
  });
});

describe('whatever else ends a start or a close early, the queues are closed', () => {
  @Injectable()
  class Adding {
    constructor(@InjectQueue('email') readonly queue: Queue) {}
  }
  @Injectable()
  class FailingInit extends Adding implements OnModuleInit {
    async onModuleInit() {
      await this.queue.add('send', {});
      throw new Error('broken hook');
    }
  }
  @Injectable()
  class FailingBootstrap extends Adding implements OnApplicationBootstrap {
    async onApplicationBootstrap() {
      await this.queue.add('send', {});
      throw new Error('broken hook');
    }
  }
  @Injectable()
  class FailingDestroy implements OnModuleDestroy {
    onModuleDestroy() {
      throw new Error('broken hook');
    }
  }

  it.each([FailingInit, FailingBootstrap])('by the hook of a provider: %p', async (provider) => {
    const backend = server();
    const error = await refusal({
      imports: [LaneModule.forRoot({ backend }), email],
      providers: [EmailProcessor, provider],
    });

    expect(error).toMatchObject({ message: 'broken hook' });
    expect(backend.callsOf('addJobs')).toBe(1);
    expect(backend.openHandles).toBe(0);
  });

  it('by a destroy hook, after which Nest 10 and 11 do not go on', async () => {
    const backend = server();
    const app = await apps.start({
      imports: [LaneModule.forRoot({ backend }), email],
      providers: [FailingDestroy],
    });
    expect(backend.openHandles).toBe(1);

    await app.close().catch(() => undefined);

    await waitUntil(() => backend.openHandles === 0, { reason: 'the queues are closed' });
  });

  it('and objects whose hooks were not called are left as they were', async () => {
    class Shared implements OnModuleInit, OnApplicationBootstrap {
      onModuleInit() {}
      onApplicationBootstrap() {}
    }
    const shared = new Shared();
    const root = {
      imports: [LaneModule.forRoot({ backend: server() }), email],
      providers: [{ provide: Shared, useValue: shared }],
    };
    await apps.start(root);
    await refusal({ ...root, providers: [...root.providers, FailingInit] });

    expect(Object.keys(Object.getOwnPropertyDescriptors(shared))).toEqual([]);
  });
});

describe('on a Redis server that is not there', () => {
  it('the start fails with its address, and without its password', async () => {
    const port = await closedPort();
    const url = `redis://lane:pa55word@127.0.0.1:${port}/0`;
    for (const backend of [url, redis({ url })]) {
      const error = await refusal({ imports: [LaneModule.forRoot({ backend }), email] });

      expect(error).toMatchObject({ code: 'LANE_CONNECTION_REQUIRED' });
      expect((error as Error).message).toContain(
        `1. "default": Redis at 127.0.0.1:${port} could not be reached.`,
      );
      expect((error as Error).message).not.toContain('pa55word');
    }
  });

  it('T-B06 NA-8-15 an application that does not require it comes up, adds fail in their time, and it closes at once', async () => {
    const logger = new RecordingLogger();
    const app = await apps.start(
      {
        imports: [
          LaneModule.forRoot({
            backend: redis(`redis://127.0.0.1:${await closedPort()}`),
            requireConnection: false,
            defaults: { addTimeout: '500ms' },
          }),
          email,
        ],
        providers: [EmailProcessor],
      },
      { logger },
    );
    const since = performance.now();

    await expect(queueOf(app, 'email').add('send', {})).rejects.toMatchObject({
      code: 'LANE_CONNECTION_LOST',
    });
    expect(performance.now() - since).toBeLessThan(1_000);

    const closing = performance.now();
    await app.close();
    expect(performance.now() - closing).toBeLessThan(1_000);
    // One line an outage, and not one a call.
    expect(logger.messages('error')).toHaveLength(1);
  });
});

describe('on a Redis server that is not as it has to be', () => {
  let server: FakeRedisServer | undefined;
  const emitWarning = jest.spyOn(process, 'emitWarning');

  afterEach(async () => {
    emitWarning.mockReset();
    await apps.closeAll();
    await server?.stop();
    server = undefined;
  });

  function startWith(info: string): Promise<FakeRedisServer> {
    return FakeRedisServer.start({ info: `${info}\r\nloading:0\r\n` });
  }

  it('NA-11-16 LANE_EVICTION_POLICY: the process is warned of one that drops keys', async () => {
    emitWarning.mockImplementation(() => undefined);
    server = await startWith('redis_version:7.2.0\r\nmaxmemory_policy:allkeys-lru');
    await apps.start({ imports: [LaneModule.forRoot({ backend: server.url }), email] });

    expect(emitWarning.mock.calls).toEqual([
      [
        expect.stringMatching(
          /^Redis at .* has the eviction policy "allkeys-lru".* Set maxmemory-policy to noeviction\.$/,
        ),
        { type: 'LaneWarning', code: 'LANE_EVICTION_POLICY' },
      ],
    ]);
  });

  it('NA-11-16 LANE_UNSUPPORTED_SERVER: the start fails on one that is too old', async () => {
    server = await startWith('redis_version:6.0.16');

    expect(await refusal({ imports: [LaneModule.forRoot({ backend: server.url }), email] })).toMatchObject({
      code: 'LANE_CONNECTION_REQUIRED',
      cause: { code: 'LANE_UNSUPPORTED_SERVER' },
      message: expect.stringContaining(
        'is "6.0.16", which cannot be used: Redis 6.2 or newer, or Valkey, is needed.',
      ),
    });
  });

  it('NA-11-16 LANE_BAD_REDIS_OPTION: a cluster, and a prefix without a hash tag', async () => {
    const client = new Cluster([{ host: '127.0.0.1', port: 1 }], { lazyConnect: true });
    const error = await refusal({ imports: [LaneModule.forRoot({ backend: redis({ client }) }), email] });

    expect((error as Error).message).toBe(
      `Lane could not start: 1 problem.

1. LANE_BAD_REDIS_OPTION  Option "prefix" is "bull"; it must be one with a hash tag, as a cluster keeps all keys of a queue together only by that. Write "{bull}", and give it to all clients of the queue.
   Where: LaneModule.registerQueue('email') in AppModule`,
    );
    client.disconnect();
  });
});
