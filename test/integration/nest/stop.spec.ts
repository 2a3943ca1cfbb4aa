import { describe, expect, it } from '@jest/globals';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  InjectQueue,
  type Job,
  LaneEvents,
  LaneLifecycle,
  LaneModule,
  OnWorkerEvent,
  Process,
  Processor,
  type ProcessorOptions,
  Queue,
  type ShutdownOptions,
} from 'nestjs-lane';
import { memory } from 'nestjs-lane/memory';
import { type Observable, Subject } from 'rxjs';

import { FailingBackend } from '../../support/failing-backend';
import { Gate } from '../../support/gate';
import { guardAgainstLeaks } from '../../support/leak-guard';
import { queueOf, RecordingLogger, TestApps } from '../../support/nest-app';
import { waitUntil } from '../../support/wait-until';

const apps = new TestApps();
guardAgainstLeaks();

/** An application whose handler waits at a gate, with a job at it. */
async function startBusy({
  shutdown = {},
  providers = [],
  backend = memory(),
  worker = {},
}: {
  shutdown?: ShutdownOptions;
  worker?: ProcessorOptions;
  providers?: (new (...args: never[]) => object)[];
  backend?: ReturnType<typeof memory>;
} = {}) {
  const gate = new Gate();
  const events: string[] = [];
  @Processor('email', worker)
  class EmailProcessor {
    constructor(@InjectQueue('email') readonly queue: Queue) {}

    @Process('send')
    async send(job: Job) {
      await gate.enter(job);
      await this.queue.add('receipt', {}, { delay: '1h' });
    }

    @OnWorkerEvent('closing')
    onClosing() {
      events.push('closing');
    }
  }
  const logger = new RecordingLogger();
  const app = await apps.start(
    {
      imports: [LaneModule.forRoot({ backend, shutdown }), LaneModule.registerQueue('email')],
      providers: [EmailProcessor, ...providers],
    },
    { logger },
  );
  const queue = new Queue('email', { backend });
  const { id } = await queue.add('send', {}, { attempts: 2 });
  await waitUntil(() => gate.running === 1, { reason: 'the handler runs' });
  return { app, backend, events, gate, id, logger, queue };
}

describe('app.close()', () => {
  it('NA-8-05 takes no job any more, and waits for those that run', async () => {
    const { app, events, gate, id, queue } = await startBusy();
    let isClosed = false;
    const closed = app.close().then(() => (isClosed = true));
    await waitUntil(() => events.length > 0, { reason: 'the workers stop' });

    await queue.add('send', {});
    gate.letOneOut();
    await closed;

    expect(isClosed).toBe(true);
    expect(await queue.getJobState(id)).toBe('completed');
    expect(gate.started).toEqual([id]);
    expect(await queue.getJobCounts('active', 'waiting')).toEqual({ active: 0, waiting: 1 });
    await queue.close();
  });

  it('NA-8-10 keeps queues open for handlers that end, and for hooks until the last phase', async () => {
    const added: string[] = [];
    @Injectable()
    class Reporter implements OnModuleDestroy, BeforeApplicationShutdown {
      constructor(@InjectQueue('email') readonly queue: Queue) {}

      async onModuleDestroy() {
        added.push((await this.queue.add('destroyed', {}, { delay: '1h' })).name);
      }

      async beforeApplicationShutdown() {
        added.push((await this.queue.add('before-shutdown', {}, { delay: '1h' })).name);
      }
    }
    const { app, gate, queue } = await startBusy({ providers: [Reporter] });
    const ofApp = queueOf(app, 'email');

    gate.open();
    await app.close();

    expect(added).toEqual(['destroyed', 'before-shutdown']);
    expect((await queue.getDelayed()).map(({ name }) => name).sort()).toEqual([
      'before-shutdown',
      'destroyed',
      'receipt',
    ]);
    await expect(ofApp.add('late', {})).rejects.toMatchObject({ code: 'LANE_CLOSED' });
    await queue.close();
  });

  it('NA-8-08 closes queues, events and connections in the last phase, in which all streams complete', async () => {
    const store = memory();
    const open: string[] = [];
    const backend: typeof store = Object.assign(Object.create(store) as typeof store, {
      openQueue(request: Parameters<typeof store.openQueue>[0]) {
        const handle = store.openQueue(request);
        const close = handle.close.bind(handle);
        open.push(request.role);
        handle.close = () => {
          open.splice(open.indexOf(request.role), 1);
          return close();
        };
        return handle;
      },
    });
    const complete: string[] = [];
    const seen: unknown[] = [];
    const look = (phase: string) => seen.push([phase, [...open].sort(), [...complete]]);
    @Injectable()
    class Observer implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
      constructor(
        @InjectQueue('email') private readonly queue: Queue,
        private readonly events: LaneEvents,
        private readonly lifecycle: LaneLifecycle,
      ) {}

      async onApplicationBootstrap() {
        const job = await this.queue.add('later', {}, { delay: '1h' });
        const streams: Record<string, Observable<unknown>> = {
          'queue.events$': this.queue.events$,
          'queue.events()': this.queue.events('start'),
          'queue.counts$': this.queue.counts$(),
          'queue.ingest': this.queue.ingest(new Subject<never>()),
          'job.progress$': job.progress$,
          'LaneEvents.events$': this.events.events$,
          'lifecycle.state$': this.lifecycle.state$,
        };
        for (const [name, stream] of Object.entries(streams)) {
          stream.subscribe({ complete: () => complete.push(name) });
        }
      }

      onModuleDestroy() {
        look('destroy');
      }

      beforeApplicationShutdown() {
        look('before shutdown');
      }
    }
    const { app, gate, queue } = await startBusy({ backend, providers: [Observer] });
    await queue.close();

    look('running');
    gate.open();
    await app.close();
    look('closed');

    expect(seen.slice(0, -1)).toEqual([
      ['running', ['events', 'producer', 'worker'], []],
      ['destroy', ['events', 'producer'], []],
      ['before shutdown', ['events', 'producer'], []],
    ]);
    expect(open).toEqual([]);
    expect(complete.sort()).toEqual([
      'LaneEvents.events$',
      'job.progress$',
      'lifecycle.state$',
      'queue.counts$',
      'queue.events$',
      'queue.events()',
      'queue.ingest',
    ]);
  });

  it('NA-8-07 ends within its bounds when a handler does not, and hands the job back', async () => {
    const { app, id, queue, gate, logger } = await startBusy({
      shutdown: { drain: 20, abort: 20, close: 20 },
    });

    await app.close();

    expect(logger.messages('warn')).toEqual([
      `Queue "email": handed back 1 job that had not ended, at no cost of an attempt: ${id}`,
    ]);

    const job = (await queue.getJob(id))!;
    expect(await job.getState()).toBe('waiting');
    expect(job).toMatchObject({ attemptsMade: 0, stalledCounter: 0 });
    gate.open();
    await queue.close();
  });

  it('ends within its bounds when the store does not answer, be it without its last outcomes', async () => {
    const backend = new FailingBackend(memory());
    const destroyed: string[] = [];
    @Injectable()
    class Database implements OnModuleDestroy {
      onModuleDestroy() {
        destroyed.push('database');
      }
    }
    const { app, gate, logger, queue } = await startBusy({
      backend,
      shutdown: { drain: 20, abort: 20, close: 20 },
      providers: [Database],
    });
    backend.plan('settleJobs', 'hold', Infinity);
    gate.open();
    await waitUntil(() => backend.heldCalls > 0, { reason: 'the outcome is on its way' });

    await app.close();

    expect(destroyed).toEqual(['database']);
    expect(logger.messages('error')).toEqual([]);
    backend.release();
    await queue.close();
  });

  it('ends though the worker does not, and says so', async () => {
    const backend = new FailingBackend(memory());
    const { app, gate, logger, queue } = await startBusy({
      backend,
      shutdown: { drain: 20, abort: 20, close: 20 },
    });
    backend.plan('close', 'hold');

    await app.close();

    expect(logger.messages('error')).toContain(
      'Queue "email": the worker did not stop in time; its jobs will be taken up when their leases end',
    );
    gate.open();
    backend.release();
    await queue.close();
  });

  it('NA-8-11 settles jobs before a destroy hook that throws, and destroys nothing twice', async () => {
    const destroyed: string[] = [];
    @Injectable()
    class Broken implements OnModuleDestroy {
      onModuleDestroy() {
        destroyed.push('broken');
        throw new Error('broken hook');
      }
    }
    const { app, gate, id, queue } = await startBusy({ providers: [Broken] });

    // Nest 10 and 11 give the close up, Nest 12 goes on.
    const closed = app.close().catch(({ message }: Error) => message);
    gate.open();

    expect([undefined, 'broken hook']).toContain(await closed);
    expect(destroyed).toEqual(['broken']);
    expect(await queue.getJobState(id)).toBe('completed');
    await Promise.all([queue.close(), queueOf(app, 'email').close()]);
  });

  it('leaves objects that outlive the application as they were', async () => {
    class Shared implements OnModuleDestroy {
      destroyed = 0;

      onModuleDestroy() {
        this.destroyed += 1;
      }
    }
    const shared = new Shared();
    const root = {
      imports: [LaneModule.forRoot({ backend: memory() }), LaneModule.registerQueue('email')],
      providers: [HandlingProcessor, { provide: Shared, useValue: shared }],
    };

    for (let round = 1; round <= 3; round += 1) {
      await (await apps.start(root)).close();
      expect(shared.destroyed).toBe(round);
    }

    expect(Object.keys(Object.getOwnPropertyDescriptors(shared))).toEqual(['destroyed']);
  });

  it.each([
    ['first', 0],
    ['second', 1],
  ])(
    'leaves the workers of another application alone that has an object with it: the %s',
    async (_, place) => {
      class Shared implements OnModuleDestroy {
        destroyed = 0;

        onModuleDestroy() {
          this.destroyed += 1;
        }
      }
      const shared = new Shared();
      const logger = new RecordingLogger();
      const startOne = () =>
        apps.start(
          {
            imports: [LaneModule.forRoot({ backend: memory() }), LaneModule.registerQueue('email')],
            providers: [HandlingProcessor, { provide: Shared, useValue: shared }],
          },
          { logger },
        );
      const both = [await startOne(), await startOne()];
      expect(logger.messages('warn')).toContain(
        'onModuleDestroy of Shared may run before jobs have ended: another application has the object too.',
      );

      const [closed] = both.splice(place, 1);
      await closed!.close();

      expect(shared.destroyed).toBe(1);
      expect(both[0]!.get(LaneLifecycle).state).toBe('running');
      await both[0]!.close();
      expect(Object.keys(Object.getOwnPropertyDescriptors(shared))).toEqual(['destroyed']);
    },
  );

  it('NA-8-14 NA-11-19 LANE_NO_SHUTDOWN_HOOKS: an application with workers is told once when nobody listens to SIGTERM', async () => {
    const listeners = process.listeners('SIGTERM');
    process.removeAllListeners('SIGTERM');
    const root = {
      imports: [LaneModule.forRoot({ backend: memory() }), LaneModule.registerQueue('email')],
      providers: [HandlingProcessor],
    };
    const [told, producer] = [new RecordingLogger(), new RecordingLogger()];
    await apps.start({ ...root, providers: [] }, { logger: producer });
    await apps.start(root, { logger: told });
    await waitUntil(() => told.messages('warn').length > 0, { reason: 'the log tells of it' });

    expect(told.messages('warn')).toEqual([
      'LANE_NO_SHUTDOWN_HOOKS  Nobody listens to SIGTERM in this process: told to end, it ends at once, and its running ' +
        'jobs run again elsewhere when their leases are over. Fix: call app.enableShutdownHooks() in main.ts.',
    ]);
    expect(producer.messages('warn')).toEqual([]);
    listeners.forEach((listener) => process.on('SIGTERM', listener));
  });

  it('warns of an object that cannot be made to wait', async () => {
    class Frozen implements OnModuleDestroy {
      onModuleDestroy() {}
    }
    const logger = new RecordingLogger();
    await apps.start(
      {
        imports: [LaneModule.forRoot({ backend: memory() }), LaneModule.registerQueue('email')],
        providers: [HandlingProcessor, { provide: Frozen, useValue: Object.freeze(new Frozen()) }],
      },
      { logger },
    );

    expect(logger.messages('warn')).toEqual([
      'onModuleDestroy of Frozen may run before jobs have ended: the object cannot be changed.',
    ]);
  });
});

@Processor('email')
class HandlingProcessor {
  @Process()
  handle() {}
}

@Module({
  imports: [LaneModule.forRoot({ backend: 'memory:' }), LaneModule.registerQueue('email')],
  providers: [HandlingProcessor],
})
class SmallModule {}

describe('T-B05 an application that is closed', () => {
  it('NA-8-15 right after it was made ends, without a start', async () => {
    const app = await Test.createTestingModule({ imports: [SmallModule] }).compile();

    await app.close();

    await expect(queueOf(app, 'email').add('send', {})).rejects.toMatchObject({ code: 'LANE_CLOSED' });
  });

  it('right after its start ends', async () => {
    const app = await apps.start(SmallModule);

    await app.close();

    await expect(queueOf(app, 'email').add('send', {})).rejects.toMatchObject({ code: 'LANE_CLOSED' });
  });

  it('NA-8-15 twice, at once and one after the other, ends', async () => {
    const app = await apps.start(SmallModule);

    await Promise.all([app.close(), app.close()]);
    await app.close();

    await expect(queueOf(app, 'email').add('send', {})).rejects.toMatchObject({ code: 'LANE_CLOSED' });
  });

  it('before it starts takes no job when it starts after all', async () => {
    const app = await Test.createTestingModule({ imports: [SmallModule] }).compile();
    const queue = new Queue('email', { backend: 'memory:' });
    await queue.add('send', {});

    await app.close();
    await app.init();

    // A worker that ran would be left open, and the leak guard would see it.
    expect(await queue.count()).toBe(1);
    await queue.close();
  });

  it('NA-8-15 while it starts ends', async () => {
    @Injectable()
    class Slow implements OnApplicationBootstrap {
      async onApplicationBootstrap() {
        const end = performance.now() + 50;
        await waitUntil(() => performance.now() > end, { reason: 'a while has passed' });
      }
    }
    const app = await Test.createTestingModule({ imports: [SmallModule], providers: [Slow] }).compile();

    await Promise.all([app.init(), app.close()]);

    await expect(queueOf(app, 'email').add('send', {})).rejects.toMatchObject({ code: 'LANE_CLOSED' });
  });

  it('after its start failed ends', async () => {
    @Injectable()
    class Broken implements OnModuleInit {
      onModuleInit() {
        throw new Error('no start');
      }
    }
    const app = await Test.createTestingModule({ imports: [SmallModule], providers: [Broken] }).compile();
    await expect(app.init()).rejects.toThrow('no start');

    // Nest 10 and 11 give the same error again, Nest 12 closes.
    const closed = await app.close().catch(({ message }: Error) => message);
    expect([undefined, 'no start']).toContain(closed);
    await queueOf(app, 'email').close();
  });

  it('after our own check stopped its start has closed its queues', async () => {
    const app = await Test.createTestingModule({
      imports: [LaneModule.forRoot(), LaneModule.registerQueue('email')],
      providers: [{ provide: 'NOT_REGISTERED', useClass: ElsewhereProcessor }],
    }).compile();
    await expect(app.init()).rejects.toMatchObject({ code: 'LANE_CONFIG' });

    await expect(queueOf(app, 'email').add('send', {})).rejects.toMatchObject({ code: 'LANE_CLOSED' });
    await app.close().catch(() => undefined);
  });

  it('has seen its shutdown hooks in Nest’s order, ours among them', async () => {
    const hooks: string[] = [];
    @Injectable()
    class Observer implements OnModuleDestroy, BeforeApplicationShutdown, OnApplicationShutdown {
      onModuleDestroy() {
        hooks.push('onModuleDestroy');
      }

      beforeApplicationShutdown() {
        hooks.push('beforeApplicationShutdown');
      }

      onApplicationShutdown() {
        hooks.push('onApplicationShutdown');
      }
    }
    const app = await apps.start({ imports: [SmallModule], providers: [Observer] });

    await app.close();

    expect(hooks).toEqual(['onModuleDestroy', 'beforeApplicationShutdown', 'onApplicationShutdown']);
  });
});

@Processor('elsewhere')
class ElsewhereProcessor {
  @Process()
  handle() {}
}
