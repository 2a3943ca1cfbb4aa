import { describe, expect, it } from '@jest/globals';
import { Injectable, Module, type ModuleMetadata, type OnApplicationBootstrap } from '@nestjs/common';
import { LazyModuleLoader } from '@nestjs/core';
import {
  getBackendToken,
  getConnectionOptionsToken,
  getQueueOptionsToken,
  getWorkerToken,
  InjectWorker,
  LaneModule,
  LaneRegistry,
  LaneRunner,
  Process,
  Processor,
  Queue,
  WorkerHandle,
} from 'nestjs-lane';
import { memory } from 'nestjs-lane/memory';

import { FailingBackend } from '../../support/failing-backend';
import { guardAgainstLeaks } from '../../support/leak-guard';
import { ended, queueOf, RecordingLogger, TestApps } from '../../support/nest-app';
import { waitUntil } from '../../support/wait-until';

const apps = new TestApps();
guardAgainstLeaks();

@Processor('email')
class EmailProcessor {
  @Process()
  handle() {
    return 'sent';
  }
}

const backend = memory();
const everybody = { canActivate: () => true };
const lane: ModuleMetadata = {
  imports: [
    LaneModule.forRoot({ backend, defaults: { job: { attempts: 3 } } }),
    LaneModule.forRoot('reports', {
      backend: memory(),
      role: 'producer',
      strictHandlers: true,
      enhancers: { guards: [everybody], inherit: { pipes: true } },
    }),
    LaneModule.registerQueue('email', { name: 'exports', connection: 'reports' }),
  ],
  providers: [EmailProcessor],
};

/** Why a call was refused. */
async function refusal(call: () => unknown) {
  try {
    await call();
  } catch (error) {
    return error as Error & { code: string; problems?: { code: string }[] };
  }
  throw new Error('The call was not refused.');
}

describe('LaneRegistry', () => {
  it('NA-2-24 lists connections, queues and workers', async () => {
    const app = await apps.start(lane);
    const registry = app.get(LaneRegistry);

    expect(registry.connections).toEqual([
      { name: 'default', backend: 'memory', role: 'both' },
      { name: 'reports', backend: 'memory', role: 'producer' },
    ]);
    expect(registry.queues).toEqual([
      { name: 'email', connection: 'default', queue: queueOf(app, 'email') },
      { name: 'exports', connection: 'reports', queue: queueOf(app, 'exports', 'reports') },
    ]);
    expect(registry.workers.map(({ queue, connection, state }) => ({ queue, connection, state }))).toEqual([
      { queue: 'email', connection: 'default', state: 'running' },
    ]);
  });

  it('NA-2-25 NA-8-16 gives queues that are registered, and makes others, which close with the application', async () => {
    const app = await apps.start(lane);
    const registry = app.get(LaneRegistry);

    expect(registry.queue('email')).toBe(queueOf(app, 'email'));
    expect(registry.queue('exports', { connection: 'reports' })).toBe(queueOf(app, 'exports', 'reports'));
    const made = registry.queue('tenant-1');
    expect(registry.queue('tenant-1')).toBe(made);
    expect(registry.queue('tenant-1', { connection: 'reports' })).not.toBe(made);
    expect((await made.add('welcome', {})).opts.attempts).toBe(3);
    expect(registry.queues.map(({ name }) => name)).toEqual(['email', 'exports', 'tenant-1', 'tenant-1']);
    const withOptions = registry.queue('tenant-2', { defaults: { job: { attempts: 5 } } });
    expect((await withOptions.add('welcome', {})).opts.attempts).toBe(5);

    await app.close();
    await expect(made.add('welcome', {})).rejects.toMatchObject({ code: 'LANE_CLOSED' });
    expect(await refusal(() => registry.queue('tenant-3'))).toMatchObject({ code: 'LANE_CLOSED' });
    expect(registry.queue('tenant-1')).toBe(made);
  });

  it('refuses queues that there cannot be, in words of their own', async () => {
    const registry = (await apps.start(lane)).get(LaneRegistry);
    registry.queue('tenant-1', { defaults: { job: { attempts: 5 } } });

    expect((await refusal(() => registry.queue('tenant-2', { connection: 'nowhere' }))).message).toBe(
      "LaneRegistry.queue('tenant-2') was refused: 1 problem.\n\n" +
        '1. LANE_NO_CONNECTION  Queue "tenant-2" is on connection "nowhere", which no forRoot makes. ' +
        'There is: "default", "reports".\n' +
        "   Where: LaneRegistry.queue('tenant-2')\n" +
        "   Fix: correct the connection, or add LaneModule.forRoot('nowhere') to the imports of the root module.",
    );
    const codes: [() => unknown, string][] = [
      [() => registry.queue('tenant-1', { defaults: { job: { attempts: 4 } } }), 'LANE_QUEUE_CONFLICT'],
      [() => registry.queue('a:b'), 'LANE_BAD_NAME'],
      [() => registry.queue('tenant-3', { defualts: {} } as never), 'LANE_UNKNOWN_OPTION'],
      [() => registry.queue('tenant-3', 5 as never), 'LANE_BAD_OPTIONS'],
      [() => registry.queue('tenant-3', { globalConcurrency: 0 }), 'LANE_BAD_LIMIT'],
    ];
    for (const [call, code] of codes) {
      expect(await refusal(call)).toMatchObject({ code: 'LANE_CONFIG', problems: [{ code }] });
    }
    expect(registry.queue('tenant-1')).toBeInstanceOf(Queue);
    expect(registry.queues.map(({ name }) => name)).toEqual(['email', 'exports', 'tenant-1']);
  });

  it('holds modules that are loaded later to the options of a queue that it made', async () => {
    const app = await apps.start(lane);
    app.get(LaneRegistry).queue('tenant-1', { defaults: { job: { attempts: 5 } } });
    @Module({ imports: [LaneModule.registerQueue('tenant-1')] })
    class TenantModule {}

    expect(await refusal(() => app.get(LazyModuleLoader).load(() => TenantModule))).toMatchObject({
      problems: [{ code: 'LANE_QUEUE_CONFLICT' }],
    });
  });
});

describe('globalConcurrency', () => {
  const withCeiling = (store: ReturnType<typeof memory>, role: 'both' | 'producer' = 'both') => ({
    imports: [
      LaneModule.forRoot({ backend: store, role }),
      LaneModule.registerQueue({ name: 'email', globalConcurrency: 3 }),
    ],
    providers: [EmailProcessor],
  });

  it.each(['both', 'producer'] as const)(
    'NA-2-20 is stored when the application starts as %s',
    async (role) => {
      const store = memory();
      const queue = queueOf(await apps.start(withCeiling(store, role)), 'email');
      expect(await queue.getGlobalConcurrency()).toBe(3);

      await queue.setGlobalConcurrency(9);
      const again = queueOf(await apps.start(withCeiling(store, role)), 'email');
      expect(await again.getGlobalConcurrency()).toBe(3);
    },
  );

  it('is stored only where it differs, and left alone where nobody gives it', async () => {
    const store = new FailingBackend(memory());
    await apps.start(withCeiling(store));
    expect(store.callsOf('setCeiling')).toBe(1);
    await apps.start(withCeiling(store));
    await apps.start({
      imports: [LaneModule.forRoot({ backend: store }), LaneModule.registerQueue('email')],
    });

    expect(store.callsOf('setCeiling')).toBe(1);
  });

  it('is stored for queues that are made at run time, and may come from a factory', async () => {
    const app = await apps.start({
      imports: [
        LaneModule.forRoot({ backend: memory() }),
        LaneModule.registerQueueAsync({ name: 'email', useFactory: () => ({ globalConcurrency: 2 }) }),
      ],
    });
    expect(await queueOf(app, 'email').getGlobalConcurrency()).toBe(2);

    const made = app.get(LaneRegistry).queue('tenant-1', { globalConcurrency: 1 });
    await waitUntil(async () => (await made.getGlobalConcurrency()) === 1, {
      reason: 'the ceiling is stored',
    });
  });

  it('is the same wherever the queue is registered', async () => {
    const start = apps.start({
      imports: [
        LaneModule.forRoot({ backend: memory() }),
        LaneModule.registerQueue({ name: 'email', globalConcurrency: 3 }),
        LaneModule.registerQueue({ name: 'email', globalConcurrency: 4 }),
      ],
    });

    await expect(start).rejects.toMatchObject({ problems: [{ code: 'LANE_QUEUE_CONFLICT' }] });
  });
});

describe('tokens', () => {
  it('NA-12-03 NA-2-16 of backends, workers and options read as that of a queue, and have providers', async () => {
    expect([getBackendToken(), getBackendToken('reports')]).toEqual([
      'LaneBackend("default")',
      'LaneBackend("reports")',
    ]);
    expect(getConnectionOptionsToken('reports')).toBe('LaneConnectionOptions("reports")');
    expect([getQueueOptionsToken('email'), getQueueOptionsToken('exports', 'reports')]).toEqual([
      'LaneQueueOptions("email")',
      'LaneQueueOptions("exports", connection "reports")',
    ]);
    expect([getWorkerToken('email'), getWorkerToken('exports', 'reports')]).toEqual([
      'LaneWorker("email")',
      'LaneWorker("exports", connection "reports")',
    ]);
    const app = await apps.start(lane);
    const get = (token: string): unknown => app.get(token, { strict: false });

    expect(get(getBackendToken())).toBe(backend);
    expect(get(getConnectionOptionsToken('reports'))).toMatchObject({
      role: 'producer',
      start: 'bootstrap',
      requireConnection: true,
      strictHandlers: true,
      enhancers: { guards: [everybody], pipes: [], inherit: { pipes: true, guards: false } },
      shutdown: { drain: 20_000, abort: 4_000, close: 3_000 },
    });
    expect(get(getQueueOptionsToken('exports', 'reports'))).toMatchObject({
      name: 'exports',
      connection: 'reports',
    });
    expect(get(getWorkerToken('email'))).toBeInstanceOf(WorkerHandle);
  });
});

describe('@InjectWorker', () => {
  @Injectable()
  class Throttle implements OnApplicationBootstrap {
    refused: unknown;

    constructor(
      @InjectWorker('email') readonly email: WorkerHandle,
      @InjectWorker('exports', 'reports') readonly exports: WorkerHandle,
    ) {}

    async onApplicationBootstrap() {
      this.refused = [
        await refusal(() => this.email.worker).then(({ code }) => code),
        await refusal(() => this.email.start()).then(({ code }) => code),
        this.email.state,
      ];
    }
  }

  it('NA-4-35 injects the worker of the queue, which is there after the start', async () => {
    const logger = new RecordingLogger();
    const app = await apps.start({ ...lane, providers: [EmailProcessor, Throttle] }, { logger });
    const { refused, email, exports } = app.get(Throttle);

    expect(refused).toEqual(['LANE_NOT_STARTED', 'LANE_NOT_STARTED', 'stopped']);
    expect(email).toMatchObject({ queue: 'email', connection: 'default', state: 'running' });
    email.worker.concurrency = 7;
    expect(email.worker.concurrency).toBe(7);
    await email.pause();
    expect(email.state).toBe('paused');
    await email.resume();
    const queue = queueOf(app, 'email');
    expect((await ended(queue, await queue.add('send', {}))).returnvalue).toBe('sent');

    const first = email.worker;
    await email.stop();
    expect([email.state, email.worker]).toEqual(['stopped', first]);
    await email.start();
    expect(email.state).toBe('running');
    expect(email.worker).not.toBe(first);
    expect(exports.state).toBe('stopped');
    expect((await refusal(() => exports.worker)).message).toContain('whose role is "producer"');
  });

  it('tells of a worker that was not started', async () => {
    const app = await apps.start({
      imports: [
        LaneModule.forRoot({ backend: memory(), start: 'manual' }),
        LaneModule.registerQueue('email'),
      ],
      providers: [EmailProcessor],
    });
    const [handle] = app.get(LaneRegistry).workers;

    expect(await refusal(() => handle!.worker)).toMatchObject({
      code: 'LANE_NO_WORKER',
      message:
        'The worker of queue "email" has not been started yet. It starts when startWhen says so, or by LaneRunner.start().',
    });
    await app.get(LaneRunner).start();
    expect(handle!.worker.name).toBe('email');
  });
});
