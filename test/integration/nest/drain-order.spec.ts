import { describe, expect, it } from '@jest/globals';
import {
  Controller,
  type DynamicModule,
  forwardRef,
  Global,
  Inject,
  Injectable,
  Module,
  type ModuleMetadata,
  type OnModuleDestroy,
  Scope,
  type Type,
} from '@nestjs/common';
import { type Job, LaneModule, OnWorkerEvent, Process, Processor, Queue } from 'nestjs-lane';
import { memory } from 'nestjs-lane/memory';

import { Gate } from '../../support/gate';
import { guardAgainstLeaks } from '../../support/leak-guard';
import { TestApps } from '../../support/nest-app';
import { waitUntil } from '../../support/wait-until';

const apps = new TestApps();
guardAgainstLeaks();

/** What a handler needs to its end, and a destroy hook takes away. */
class Connection {
  disconnects = 0;

  disconnect(): void {
    this.disconnects += 1;
  }
}

/** The parts of an application, which a layout puts together. */
interface Parts {
  /** A provider that disconnects when it is destroyed. */
  readonly Database: Type<OnModuleDestroy>;
  readonly Worker: Type;
  readonly connection: Connection;
  /** `forRoot` and `registerQueue`. */
  readonly lane: DynamicModule[];
}

type Layout = (parts: Parts) => ModuleMetadata | Type;

function moduleOf(metadata: ModuleMetadata): Type {
  @Module(metadata)
  class SomeModule {}
  return SomeModule;
}

function globalModuleOf(metadata: ModuleMetadata): Type {
  @Global()
  @Module(metadata)
  class SomeGlobalModule {}
  return SomeGlobalModule;
}

const layouts: [string, Layout][] = [
  [
    'all in the root module',
    ({ Database, Worker, lane }) => ({ imports: lane, providers: [Database, Worker] }),
  ],
  [
    'in the module of the processor',
    ({ Database, Worker, lane }) => ({
      imports: [moduleOf({ imports: lane, providers: [Database, Worker] })],
    }),
  ],
  [
    'in a module beside it',
    ({ Database, Worker, lane }) => ({
      imports: [moduleOf({ imports: lane, providers: [Worker] }), moduleOf({ providers: [Database] })],
    }),
  ],
  [
    'in a module beside it, imported before it',
    ({ Database, Worker, lane }) => ({
      imports: [moduleOf({ providers: [Database] }), moduleOf({ imports: lane, providers: [Worker] })],
    }),
  ],
  [
    'below: in a module that it imports',
    ({ Database, Worker, lane }) => ({
      imports: [moduleOf({ imports: [...lane, moduleOf({ providers: [Database] })], providers: [Worker] })],
    }),
  ],
  [
    'far below, deeper than anything of ours',
    ({ Database, Worker, lane }) => {
      let below = moduleOf({ providers: [Database] });
      for (let depth = 0; depth < 6; depth += 1) {
        below = moduleOf({ imports: [below] });
      }
      return { imports: [moduleOf({ imports: [...lane, below], providers: [Worker] })] };
    },
  ],
  [
    'above: in a module that imports it',
    ({ Database, Worker, lane }) => ({
      imports: [
        moduleOf({ imports: [moduleOf({ imports: lane, providers: [Worker] })], providers: [Database] }),
      ],
    }),
  ],
  [
    'above: in the root module',
    ({ Database, Worker, lane }) => ({
      imports: [moduleOf({ imports: lane, providers: [Worker] })],
      providers: [Database],
    }),
  ],
  [
    'in an imported module, the processor in the root module',
    ({ Database, Worker, lane }) => ({
      imports: [...lane, moduleOf({ providers: [Database] })],
      providers: [Worker],
    }),
  ],
  [
    'in a global module',
    ({ Database, Worker, lane }) => ({
      imports: [
        globalModuleOf({ providers: [Database], exports: [Database] }),
        moduleOf({ imports: lane, providers: [Worker] }),
      ],
    }),
  ],
  [
    'in a global module that the processor’s module imports',
    ({ Database, Worker, lane }) => ({
      imports: [
        moduleOf({
          imports: [...lane, globalModuleOf({ providers: [Database] })],
          providers: [Worker],
        }),
      ],
    }),
  ],
  [
    'in a module that the processor’s module imports in a circle',
    ({ Database, Worker, lane }) => {
      @Module({ imports: [forwardRef(() => WorkerModule)], providers: [Database] })
      class DatabaseModule {}
      @Module({ imports: [...lane, forwardRef(() => DatabaseModule)], providers: [Worker] })
      class WorkerModule {}
      return { imports: [WorkerModule] };
    },
  ],
  [
    'as the class of a module',
    ({ Database, Worker, lane }) => {
      @Module({})
      class DatabaseModule extends Database {}
      return { imports: [moduleOf({ imports: [...lane, DatabaseModule], providers: [Worker] })] };
    },
  ],
  [
    'as the class of the root module',
    ({ Database, Worker, lane }) => {
      @Module({ imports: lane, providers: [Worker] })
      class AppModule extends Database {}
      return AppModule;
    },
  ],
  [
    'as a controller',
    ({ Database, Worker, lane }) => {
      @Controller()
      class DatabaseController extends Database {}
      return { imports: lane, controllers: [DatabaseController], providers: [Worker] };
    },
  ],
  [
    'made by a factory',
    ({ connection, Worker, lane }) => ({
      imports: lane,
      providers: [
        Worker,
        {
          provide: 'DATABASE',
          useFactory: async () => ({ onModuleDestroy: () => connection.disconnect() }),
        },
      ],
    }),
  ],
  [
    'given as a value, in two modules, with an alias',
    ({ connection, Worker, lane }) => {
      let isOpen = true;
      const database = {
        onModuleDestroy: async () => {
          if (isOpen) {
            isOpen = false;
            connection.disconnect();
          }
        },
      };
      return {
        imports: [...lane, moduleOf({ providers: [{ provide: 'DATABASE', useValue: database }] })],
        providers: [
          Worker,
          { provide: 'DATABASE', useValue: database },
          { provide: 'ALIAS', useExisting: 'DATABASE' },
        ],
      };
    },
  ],
  [
    'transient',
    ({ connection, Worker, lane }) => {
      @Injectable({ scope: Scope.TRANSIENT })
      class TransientDatabase implements OnModuleDestroy {
        onModuleDestroy() {
          connection.disconnect();
        }
      }
      @Injectable()
      class Repository {
        constructor(@Inject(TransientDatabase) readonly database: TransientDatabase) {}
      }
      return { imports: lane, providers: [TransientDatabase, Repository, Worker] };
    },
  ],
];

describe('workers drain before any provider is destroyed, wherever that is', () => {
  it.each(layouts)('NA-8-09 %s', async (_, layout) => {
    const connection = new Connection();
    const gate = new Gate();
    const backend = memory();
    let wasConnected: boolean | undefined;
    let isClosing = false;

    class Database implements OnModuleDestroy {
      onModuleDestroy() {
        connection.disconnect();
      }
    }
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      async send(job: Job) {
        await gate.enter(job);
        wasConnected = connection.disconnects === 0;
      }

      @OnWorkerEvent('closing')
      onClosing() {
        isClosing = true;
      }
    }
    const app = await apps.start(
      layout({
        Database,
        Worker: EmailProcessor,
        connection,
        lane: [LaneModule.forRoot({ backend }), LaneModule.registerQueue('email')],
      }),
    );
    const queue = new Queue('email', { backend });
    const { id } = await queue.add('send', {});
    await waitUntil(() => gate.running === 1, { reason: 'the handler runs' });

    const closed = app.close();
    await waitUntil(() => isClosing, { reason: 'the workers stop' });
    expect(connection.disconnects).toBe(0);
    gate.open();
    await closed;

    expect(wasConnected).toBe(true);
    expect(connection.disconnects).toBe(1);
    expect(await queue.getJobState(id)).toBe('completed');
    await queue.close();
  });
});
