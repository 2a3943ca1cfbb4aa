import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import {
  LaneModule,
  type LaneModuleOptions,
  type LaneOptionsFactory,
  Process,
  Processor,
  Queue,
  getQueueToken,
} from 'nestjs-lane';
import { memory } from 'nestjs-lane/memory';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { ended, queueOf, RecordingLogger, TestApps } from '../../support/nest-app';

const apps = new TestApps();
guardAgainstLeaks();

@Processor('email')
class EmailProcessor {
  @Process()
  handle() {
    return 'handled';
  }
}

const email = LaneModule.registerQueue('email');

/** Adds a job through the application and reads it in a store. */
async function isStoredIn(backend: LaneModuleOptions['backend'], queue: Queue): Promise<boolean> {
  const { id } = await queue.add('send', {});
  const reader = new Queue(queue.name, { backend: backend! });
  const job = await reader.getJob(id);
  await reader.close();
  return job !== undefined;
}

describe('LaneModule.forRoot', () => {
  it('NA-2-01 keeps jobs in memory when no backend is given, and says so once', async () => {
    const logger = new RecordingLogger();
    const app = await apps.start(
      {
        imports: [LaneModule.forRoot(), email, LaneModule.registerQueue('thumbs')],
        providers: [EmailProcessor],
      },
      { logger },
    );
    const queue = queueOf(app, 'email');

    expect((await ended(queue, await queue.add('send', {}))).returnvalue).toBe('handled');
    expect(logger.messages('log').filter((line) => line.includes('backend'))).toEqual([
      'The default connection has no backend: its jobs are kept in memory and end with the process.',
    ]);
  });

  it('makes that store anew for every connection and application', async () => {
    const root = {
      imports: [
        LaneModule.forRoot(),
        LaneModule.forRoot('reports'),
        email,
        LaneModule.registerQueue({ name: 'email', connection: 'reports' }),
      ],
    };
    const first = await apps.start(root);
    const second = await apps.start(root);

    await queueOf(first, 'email').add('send', {});

    const counts = [queueOf(first, 'email', 'reports'), queueOf(second, 'email')].map((queue) =>
      queue.count(),
    );
    expect(await Promise.all(counts)).toEqual([0, 0]);
  });

  it('NA-2-03 takes a backend as a value', async () => {
    const backend = memory();
    const app = await apps.start({ imports: [LaneModule.forRoot({ backend }), email] });

    expect(await isStoredIn(backend, queueOf(app, 'email'))).toBe(true);
  });

  it('NA-2-03 takes a backend as a URL, whose store ends with its last user', async () => {
    const backend = 'memory:connections-spec';
    const root = { imports: [LaneModule.forRoot({ backend }), email] };
    const first = await apps.start(root);
    const second = await apps.start(root);

    expect(await isStoredIn(backend, queueOf(first, 'email'))).toBe(true);
    expect(await queueOf(second, 'email').count()).toBe(1);

    await apps.closeAll();

    const third = await apps.start(root);
    expect(await queueOf(third, 'email').count()).toBe(0);
  });

  it('NA-2-04 with a name makes a connection for the queues that name it', async () => {
    const [main, reports] = [memory(), memory()];
    @Processor({ queue: 'email', connection: 'reports' })
    class ReportProcessor {
      @Process()
      handle() {
        return 'reported';
      }
    }
    const app = await apps.start({
      imports: [
        LaneModule.forRoot({ backend: main }),
        LaneModule.forRoot('reports', { backend: reports }),
        email,
        LaneModule.registerQueue({ name: 'email', connection: 'reports' }),
      ],
      providers: [EmailProcessor, ReportProcessor],
    });
    const [first, second] = [queueOf(app, 'email'), queueOf(app, 'email', 'reports')];

    expect(first).not.toBe(second);
    expect(await isStoredIn(reports, second)).toBe(true);
    expect((await ended(first, await first.add('send', {}))).returnvalue).toBe('handled');
    expect((await ended(second, await second.add('send', {}))).returnvalue).toBe('reported');
  });

  it('takes the name "default" for the connection without a name', async () => {
    const app = await apps.start({ imports: [LaneModule.forRoot('default'), email] });

    expect(getQueueToken('email', 'default')).toBe(getQueueToken('email'));
    expect(queueOf(app, 'email')).toBeInstanceOf(Queue);
  });

  it('NA-2-23 serves queues of every module, wherever it is imported', async () => {
    @Module({ imports: [email] })
    class EmailModule {}
    @Module({ imports: [LaneModule.forRoot()] })
    class StorageModule {}

    const app = await apps.start({ imports: [EmailModule, StorageModule] });

    expect(await queueOf(app, 'email').count()).toBe(0);
  });
});

describe('LaneModule.forRootAsync', () => {
  @Injectable()
  class Settings {
    readonly backend = memory();
  }

  @Module({ providers: [Settings], exports: [Settings] })
  class SettingsModule {}

  @Injectable()
  class OptionsMaker implements LaneOptionsFactory {
    readonly backend = memory();

    async createLaneOptions(): Promise<LaneModuleOptions> {
      return { backend: this.backend };
    }
  }

  @Module({ providers: [OptionsMaker], exports: [OptionsMaker] })
  class OptionsModule {}

  it('NA-2-06 takes a factory with dependencies from other modules', async () => {
    const app = await apps.start({
      imports: [
        LaneModule.forRootAsync({
          imports: [SettingsModule],
          inject: [Settings],
          useFactory: async ({ backend }: Settings) => ({ backend }),
        }),
        email,
      ],
    });

    expect(await isStoredIn(app.get(Settings, { strict: false }).backend, queueOf(app, 'email'))).toBe(true);
  });

  it('NA-2-06 takes a factory with dependencies of its own', async () => {
    const backend = memory();
    const app = await apps.start({
      imports: [
        LaneModule.forRootAsync({
          extraProviders: [{ provide: 'STORE', useValue: backend }],
          inject: ['STORE', { token: 'MISSING', optional: true }],
          useFactory: (store: LaneModuleOptions['backend'], missing: unknown) => ({
            backend: missing === undefined ? store : 'memory:wrong',
          }),
        }),
        email,
      ],
    });

    expect(await isStoredIn(backend, queueOf(app, 'email'))).toBe(true);
  });

  it('NA-2-06 takes a class', async () => {
    const app = await apps.start({ imports: [LaneModule.forRootAsync({ useClass: OptionsMaker }), email] });

    const { backend } = app.get(OptionsMaker, { strict: false });
    expect(await isStoredIn(backend, queueOf(app, 'email'))).toBe(true);
  });

  it('NA-2-06 takes a provider that is there already', async () => {
    const app = await apps.start({
      imports: [
        OptionsModule,
        LaneModule.forRootAsync({ imports: [OptionsModule], useExisting: OptionsMaker }),
        email,
      ],
    });

    const { backend } = app.get(OptionsMaker, { strict: false });
    expect(await isStoredIn(backend, queueOf(app, 'email'))).toBe(true);
  });

  it('takes a name before the options', async () => {
    const backend = memory();
    const app = await apps.start({
      imports: [
        LaneModule.forRootAsync('reports', { useFactory: () => ({ backend }) }),
        LaneModule.registerQueue({ name: 'exports', connection: 'reports' }),
      ],
    });

    expect(await isStoredIn(backend, queueOf(app, 'exports', 'reports'))).toBe(true);
  });
});

describe('with NODE_ENV=production', () => {
  const { NODE_ENV } = process.env;

  afterEach(() => {
    process.env.NODE_ENV = NODE_ENV;
  });

  it('NA-2-02 starts with a backend, be it memory, that is asked for', async () => {
    process.env.NODE_ENV = 'production';
    const logger = new RecordingLogger();

    const app = await apps.start(
      {
        imports: [
          LaneModule.forRoot({ backend: memory() }),
          LaneModule.forRootAsync('reports', { useFactory: () => ({ backend: 'memory:' }) }),
          email,
          LaneModule.registerQueue({ name: 'email', connection: 'reports' }),
        ],
      },
      { logger },
    );

    expect(await queueOf(app, 'email').count()).toBe(0);
    expect(logger.messages('log')).toEqual([]);
  });

  it('NA-2-02 does not start without one', async () => {
    process.env.NODE_ENV = 'production';

    await expect(apps.start({ imports: [LaneModule.forRoot(), email] })).rejects.toMatchObject({
      problems: [{ code: 'LANE_BACKEND_REQUIRED' }],
    });
    await expect(
      apps.start({ imports: [LaneModule.forRootAsync({ useFactory: () => ({}) }), email] }),
    ).rejects.toMatchObject({ problems: [{ code: 'LANE_BACKEND_REQUIRED' }] });
  });
});
