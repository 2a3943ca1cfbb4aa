import { describe, expect, it } from '@jest/globals';
import {
  forwardRef,
  Global,
  Inject,
  Injectable,
  Module,
  type ModuleMetadata,
  type OnApplicationBootstrap,
  type OnModuleInit,
  Scope,
} from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { LaneModule, OnWorkerEvent, Process, Processor, Queue } from 'nestjs-lane';
import { OPERATIONS, type OperationName } from 'nestjs-lane/contract';
import { memory } from 'nestjs-lane/memory';

import { FailingBackend } from '../../support/failing-backend';
import { guardAgainstLeaks } from '../../support/leak-guard';
import { ended, queueOf, RecordingLogger, rootModule, TestApps } from '../../support/nest-app';
import { waitUntil } from '../../support/wait-until';

const apps = new TestApps();
guardAgainstLeaks();

const operations = Object.keys(OPERATIONS) as OperationName[];

/** Time in which a worker that runs would have taken a job many times over. */
async function aWhile(): Promise<void> {
  const end = performance.now() + 100;
  await waitUntil(() => performance.now() > end, { reason: 'a while has passed' });
}

/** Notes what happens, in order. */
class Diary {
  readonly entries: string[] = [];

  /** A hook that takes a while. */
  async slowly(entry: string): Promise<void> {
    await aWhile();
    this.entries.push(entry);
  }
}

/** The part of an application that works, with a job that waits from before its start. */
async function waitingJob(diary: Diary): Promise<{ imports: ModuleMetadata['imports']; queue: Queue }> {
  const backend = memory();
  const queue = new Queue('email', { backend });
  await queue.add('send', {});

  @Processor('email')
  class EmailProcessor {
    @Process('send')
    send() {
      diary.entries.push('job');
    }
  }
  @Module({
    imports: [LaneModule.forRoot({ backend }), LaneModule.registerQueue('email')],
    providers: [EmailProcessor],
  })
  class EmailModule {}
  return { imports: [EmailModule], queue };
}

describe('T-N03 no job is taken', () => {
  it('before a module that needs time to initialise is ready', async () => {
    const diary = new Diary();
    const { imports, queue } = await waitingJob(diary);
    @Injectable()
    class Cache implements OnModuleInit {
      onModuleInit() {
        return diary.slowly('init');
      }
    }
    @Module({ providers: [Cache] })
    class CacheModule {}

    await apps.start({ imports: [...imports!, CacheModule] });
    await waitUntil(() => diary.entries.includes('job'), { reason: 'the job ran' });

    expect(diary.entries).toEqual(['init', 'job']);
    await queue.close();
  });

  type Layout = (diary: Diary, lane: ModuleMetadata['imports']) => ModuleMetadata | (new () => object);

  function provider(diary: Diary): new () => OnApplicationBootstrap {
    @Injectable()
    class Cache implements OnApplicationBootstrap {
      onApplicationBootstrap() {
        return diary.slowly('bootstrap');
      }
    }
    return Cache;
  }

  const layouts: [string, Layout][] = [
    ['a provider of the root module', (diary, lane) => ({ imports: lane, providers: [provider(diary)] })],
    [
      'the root module itself',
      (diary, lane) => {
        @Module({ imports: lane })
        class AppModule implements OnApplicationBootstrap {
          readonly #diary = diary;

          onApplicationBootstrap() {
            return this.#diary.slowly('bootstrap');
          }
        }
        return AppModule;
      },
    ],
    [
      'the root module itself, whose hook is a property',
      (diary, lane) => {
        @Module({ imports: lane })
        class AppModule {
          readonly onApplicationBootstrap = () => diary.slowly('bootstrap');
        }
        return AppModule;
      },
    ],
    [
      'a module beside it',
      (diary, lane) => {
        @Module({ providers: [provider(diary)] })
        class CacheModule {}
        return { imports: [...lane!, CacheModule] };
      },
    ],
    [
      'a module that imports it',
      (diary, lane) => {
        @Module({ imports: lane, providers: [provider(diary)] })
        class CacheModule {}
        return { imports: [CacheModule] };
      },
    ],
    [
      'a global module',
      (diary, lane) => {
        @Global()
        @Module({ providers: [provider(diary)] })
        class CacheModule {}
        return { imports: [CacheModule, ...lane!] };
      },
    ],
    [
      'a module that imports the root module back',
      (diary, lane) => {
        @Module({ imports: [forwardRef(() => AppModule)], providers: [provider(diary)] })
        class CacheModule {}
        @Module({ imports: [...lane!, CacheModule] })
        class AppModule {}
        return AppModule;
      },
    ],
  ];

  it.each(layouts)('NA-8-01 before the last bootstrap hook has ended: %s', async (_, layout) => {
    const diary = new Diary();
    const { imports, queue } = await waitingJob(diary);

    await apps.start(layout(diary, imports));
    await waitUntil(() => diary.entries.includes('job'), { reason: 'the job ran' });

    expect(diary.entries).toEqual(['bootstrap', 'job']);
    await queue.close();
  });

  it('and no call is made to the store before that', async () => {
    const backend = new FailingBackend(memory());
    const calls = (): number => operations.reduce((sum, operation) => sum + backend.callsOf(operation), 0);
    let callsBefore: number | undefined;
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      send() {}
    }
    @Injectable()
    class Observer implements OnApplicationBootstrap {
      async onApplicationBootstrap() {
        await aWhile();
        callsBefore = calls();
      }
    }
    await apps.start({
      imports: [LaneModule.forRoot({ backend }), LaneModule.registerQueue('email')],
      providers: [EmailProcessor, Observer],
    });
    await waitUntil(() => calls() > 0, { reason: 'the worker asks for jobs' });

    expect(callsBefore).toBe(0);
  });

  it('when a bootstrap hook fails', async () => {
    const diary = new Diary();
    const { imports, queue } = await waitingJob(diary);
    @Injectable()
    class Cache implements OnApplicationBootstrap {
      onApplicationBootstrap() {
        throw new Error('no cache');
      }
    }

    await expect(apps.start({ imports, providers: [Cache] })).rejects.toThrow('no cache');
    await aWhile();

    expect(diary.entries).toEqual([]);
    expect(await queue.count()).toBe(1);
    await queue.close();
  });

  it('by an application that is made but not started', async () => {
    const diary = new Diary();
    const { imports, queue } = await waitingJob(diary);
    const app = apps.track(await Test.createTestingModule({ imports }).compile());

    await queueOf(app, 'email').add('send', {});
    await aWhile();

    expect(await queue.count()).toBe(2);
    expect(diary.entries).toEqual([]);
    await queue.close();
  });
});

describe('an application that has started', () => {
  it('works when its root module depends on something request-scoped', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class PerRequest {}
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      send() {
        return 'sent';
      }
    }
    @Module({
      imports: [LaneModule.forRoot(), LaneModule.registerQueue('email')],
      providers: [PerRequest, EmailProcessor],
    })
    class AppModule {
      constructor(@Inject(PerRequest) readonly perRequest: PerRequest) {}
    }
    const app = await apps.start(AppModule);
    const queue = queueOf(app, 'email');

    expect((await ended(queue, await queue.add('send', {}))).returnvalue).toBe('sent');
  });

  it('has called the root module’s own hook once, and left the object as it was', async () => {
    let calls = 0;
    @Module({ imports: [LaneModule.forRoot(), LaneModule.registerQueue('email')] })
    class AppModule {
      onApplicationBootstrap() {
        calls += 1;
      }
    }
    const app = await apps.start(AppModule);

    expect(calls).toBe(1);
    expect(Object.keys(Object.getOwnPropertyDescriptors(app.get(AppModule)))).toEqual([]);
  });

  it('has one worker though it is initialised twice, and says what it works on', async () => {
    const ready: string[] = [];
    @Processor('email', { concurrency: 5 })
    class EmailProcessor {
      @Process('send')
      send() {}

      @Process()
      other() {}

      @OnWorkerEvent('ready')
      onReady() {
        ready.push('ready');
      }
    }
    const logger = new RecordingLogger();
    const app = await apps.start(
      rootModule({
        imports: [LaneModule.forRoot({ backend: memory() }), LaneModule.registerQueue('email')],
        providers: [EmailProcessor],
      }),
      { logger },
    );
    await app.init();

    expect(ready).toEqual(['ready']);
    expect(logger.messages('log')).toEqual(['Queue "email": working, concurrency 5, jobs: send, any other']);
  });
});
