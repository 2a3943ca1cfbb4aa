import { describe, expect, it } from '@jest/globals';
import {
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type Provider,
} from '@nestjs/common';
import {
  LaneEvents,
  LaneModule,
  OnQueueEvent,
  OnWorkerEvent,
  Process,
  Processor,
  Queue,
  type QueueEventOf,
  QueueEventsHost,
  QueueEventsListener,
  QueueEventsProducer,
  QueueEventsUnavailableError,
} from 'nestjs-lane';
import { memory } from 'nestjs-lane/memory';

import { AlteredBackend } from '../../support/altered-backend';
import { FailingBackend } from '../../support/failing-backend';
import { guardAgainstLeaks } from '../../support/leak-guard';
import { ended, queueOf, RecordingLogger, TestApps } from '../../support/nest-app';
import { waitUntil } from '../../support/wait-until';

const apps = new TestApps();
guardAgainstLeaks();

@Injectable()
class Heard {
  readonly events: unknown[] = [];
}

@Processor('email')
class EmailProcessor {
  @Process('send')
  send() {
    return { messageId: 'm1' };
  }

  @Process('fail')
  fail() {
    throw new Error('no server');
  }
}

@QueueEventsListener('email')
class EmailEvents {
  constructor(readonly heard: Heard) {}

  @OnQueueEvent('completed')
  onCompleted({ type, jobId, returnvalue }: QueueEventOf<'email', 'completed'>, id: string) {
    this.heard.events.push([type, jobId, returnvalue, id.includes('-')]);
  }
}

class DerivedEvents extends EmailEvents {}

describe('@QueueEventsListener', () => {
  it('NA-4-19 hears the events of the queue in a process without workers, of what others add and run', async () => {
    const backend = memory();
    const imports = [LaneModule.forRoot({ backend }), LaneModule.registerQueue('email')];
    @QueueEventsListener('email')
    class AllEvents {
      readonly heard: unknown[] = [];

      @OnQueueEvent('added')
      onAdded({ name }: QueueEventOf<'email', 'added'>) {
        this.heard.push(['added', name]);
      }

      @OnQueueEvent('completed')
      @OnQueueEvent('failed')
      onEnd(event: QueueEventOf<'email', 'completed' | 'failed'>, id: string) {
        this.heard.push(event.type === 'completed' ? event.returnvalue : event.failedReason, id === event.id);
      }
    }
    const listening = await apps.start({ imports, providers: [AllEvents] });
    const working = await apps.start({
      imports: [LaneModule.forRoot({ backend }), LaneModule.registerQueue('email')],
      providers: [EmailProcessor],
    });
    const queue = queueOf(working, 'email');

    await ended(queue, await queue.add('send', {}));
    await ended(queue, await queue.add('fail', {}));
    const { heard } = listening.get(AllEvents);
    await waitUntil(() => heard.length === 6, { reason: 'both jobs were heard of' });

    expect(heard).toEqual([
      ['added', 'send'],
      { messageId: 'm1' },
      true,
      ['added', 'fail'],
      'no server',
      true,
    ]);
  });

  it.each<[string, Provider[]]>([
    ['by class', [EmailEvents]],
    ['by class, under another token', [{ provide: 'EVENTS', useClass: EmailEvents }]],
    [
      'by an asynchronous factory',
      [{ provide: 'EVENTS', useFactory: async (heard: Heard) => new EmailEvents(heard), inject: [Heard] }],
    ],
    ['by a subclass without a decorator', [DerivedEvents]],
    ['with an alias', [EmailEvents, { provide: 'ALIAS', useExisting: EmailEvents }]],
  ])('NA-4-19 is found once, provided %s', async (_, providers) => {
    const app = await apps.start({
      imports: [LaneModule.forRoot(), LaneModule.registerQueue('email')],
      providers: [Heard, EmailProcessor, ...providers],
    });
    const queue = queueOf(app, 'email');

    const job = await ended(queue, await queue.add('send', {}));
    await app.close();

    expect(app.get(Heard).events).toEqual([['completed', job.id, { messageId: 'm1' }, true]]);
  });

  it('NA-4-19 may be a processor too, and hear a queue of another connection', async () => {
    @Processor('email')
    @QueueEventsListener({ queue: 'reports', connection: 'other' })
    class Both {
      readonly heard: string[] = [];

      @Process()
      handle() {}

      @OnQueueEvent('waiting')
      onWaiting() {
        this.heard.push('waiting');
      }
    }
    const app = await apps.start({
      imports: [
        LaneModule.forRoot(),
        LaneModule.forRoot('other'),
        LaneModule.registerQueue('email', { name: 'reports', connection: 'other' }),
      ],
      providers: [Both],
    });

    const email = queueOf(app, 'email');
    await ended(email, await email.add('send', {}));
    await queueOf(app, 'reports', 'other').add('make', {});
    await app.close();

    expect(app.get(Both).heard).toEqual(['waiting']);
  });

  it('hears what becomes of jobs that waited when the application starts', async () => {
    const backend = memory();
    const before = new Queue('email', { backend });
    const { id } = await before.add('send', {});
    await before.close();

    const app = await apps.start({
      imports: [LaneModule.forRoot({ backend }), LaneModule.registerQueue('email')],
      providers: [Heard, EmailProcessor, EmailEvents],
    });
    const { events } = app.get(Heard);
    await waitUntil(() => events.length > 0, { reason: 'the end of the job was heard' });

    expect(events).toEqual([['completed', id, { messageId: 'm1' }, true]]);
  });

  it('NA-7-09 hears gaps, and events of an application by their type', async () => {
    const backend = new AlteredBackend(memory());
    let hasGap = false;
    backend.alter('readEvents', (read) => async (request) => {
      const page = await read(request);
      return { ...page, hasGap: hasGap && page.events.length > 0 };
    });
    @QueueEventsListener('email')
    class OddEvents {
      readonly heard: unknown[] = [];

      @OnQueueEvent('gap')
      onGap(gap: QueueEventOf<'email', 'gap'>) {
        this.heard.push(gap);
      }

      @OnQueueEvent('custom')
      onCustom({ id, name, payload }: QueueEventOf<'email', 'custom'>) {
        this.heard.push({ id, name, payload });
      }
    }
    const app = await apps.start({
      imports: [LaneModule.forRoot({ backend }), LaneModule.registerQueue('email')],
      providers: [OddEvents],
    });
    const producer = new QueueEventsProducer('email', { backend });
    const { heard } = app.get(OddEvents);

    hasGap = true;
    await producer.publishEvent({ eventName: 'bounced', address: 'a@example.com' });
    await waitUntil(() => heard.length === 2, { reason: 'gap and event were heard' });
    await producer.close();

    const [gap, custom] = heard as [{ to: string }, { id: string }];
    expect(gap).toEqual({ type: 'gap', from: '0-0', to: custom.id });
    expect(custom).toEqual({ id: custom.id, name: 'bounced', payload: { address: 'a@example.com' } });
  });

  it('NA-7-09 goes on without loss when the store was away', async () => {
    const backend = new FailingBackend(memory(), { durable: false, server: true });
    const app = await apps.start({
      imports: [LaneModule.forRoot({ backend }), LaneModule.registerQueue('email')],
      providers: [Heard, EmailProcessor, EmailEvents],
    });
    const queue = queueOf(app, 'email');

    backend.plan('readEvents', 'lose-reply', 2);
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      ids.push((await ended(queue, await queue.add('send', {}))).id);
    }
    const { events } = app.get(Heard);
    await waitUntil(() => events.length === 5, { reason: 'all ends were heard' });

    expect(events).toEqual(ids.map((id) => ['completed', id, { messageId: 'm1' }, true]));
  }, 15_000);

  it('hears how the last jobs end when the application closes, and has ended before destroy hooks run', async () => {
    const order: string[] = [];
    @Processor('email')
    class SlowProcessor {
      started = false;

      @Process()
      async handle() {
        this.started = true;
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    @QueueEventsListener('email')
    class SlowEvents {
      @OnQueueEvent('completed')
      async onCompleted() {
        order.push('begins');
        await new Promise((resolve) => setImmediate(resolve));
        order.push('has ended');
      }
    }
    @Injectable()
    class Database implements OnModuleDestroy {
      onModuleDestroy() {
        order.push('destroyed');
      }
    }
    const app = await apps.start({
      imports: [LaneModule.forRoot(), LaneModule.registerQueue('email')],
      providers: [SlowProcessor, SlowEvents, Database],
    });

    await queueOf(app, 'email').add('send', {});
    await waitUntil(() => app.get(SlowProcessor).started, { reason: 'the job runs' });
    await app.close();

    expect(order).toEqual(['begins', 'has ended', 'destroyed']);
  });

  it('NA-4-23 listeners and observables share one reader a queue', async () => {
    const opened: string[] = [];
    const store = memory();
    const backend = new Proxy(store, {
      get: (target, key) =>
        key === 'openQueue'
          ? (request: Parameters<typeof store.openQueue>[0]) => {
              opened.push(`${request.queueName} ${request.role}`);
              return target.openQueue(request);
            }
          : (Reflect.get(target, key) as unknown),
    });
    @QueueEventsListener('email')
    class MoreEvents extends QueueEventsHost {
      readonly heard: string[] = [];

      @OnQueueEvent('completed')
      onCompleted() {
        this.heard.push('completed');
      }
    }
    const app = await apps.start({
      imports: [LaneModule.forRoot({ backend }), LaneModule.registerQueue('email')],
      providers: [Heard, EmailProcessor, EmailEvents, MoreEvents],
    });
    const queue = queueOf(app, 'email');
    const more = app.get(MoreEvents);
    const streamed: string[] = [];
    queue.events$.subscribe(({ type }) => streamed.push(type));
    app.get(LaneEvents).events$.subscribe(({ type }) => streamed.push(type));
    more.queueEvents.on('completed', () => more.heard.push('emitted'));

    const job = await queue.add('send', {});
    await Promise.all([job.finished(), job.waitUntilFinished(more.queueEvents)]);
    await app.close();

    expect(more.heard).toEqual(['completed', 'emitted']);
    expect(streamed.filter((type) => type === 'completed')).toHaveLength(2);
    expect(opened.filter((use) => use.endsWith('events'))).toEqual(['email events']);
  });
});

describe('listeners that fail', () => {
  it('NA-4-22 are logged with queue and event, counted, and harm neither jobs nor each other', async () => {
    @QueueEventsListener('email')
    class BrokenEvents {
      heard = 0;

      @OnQueueEvent('completed')
      throws() {
        throw new Error('broken');
      }

      @OnQueueEvent('completed')
      async rejects() {
        throw 'no error'; // eslint-disable-line @typescript-eslint/only-throw-error -- what people do
      }

      @OnQueueEvent('completed')
      works() {
        this.heard += 1;
      }
    }
    @Processor('email')
    class BrokenProcessor extends EmailProcessor {
      @OnWorkerEvent('completed')
      onCompleted() {
        throw new Error('broken here');
      }
    }
    const logger = new RecordingLogger();
    const app = await apps.start(
      {
        imports: [LaneModule.forRoot(), LaneModule.registerQueue('email')],
        providers: [BrokenEvents, BrokenProcessor],
      },
      { logger },
    );
    const queue = queueOf(app, 'email');

    await ended(queue, await queue.add('send', {}));
    await ended(queue, await queue.add('send', {}));
    await waitUntil(() => app.get(BrokenEvents).heard === 2, { reason: 'both ends were heard' });
    expect(await queue.getJobCounts('failed')).toEqual({ failed: 0 });
    const { listenerFailures } = app.get(LaneEvents);
    await app.close();

    const of = { queue: 'email', connection: 'default', event: 'completed', count: 2 };
    expect(listenerFailures).toHaveLength(3);
    expect(listenerFailures).toEqual(
      expect.arrayContaining([
        { ...of, listener: 'BrokenEvents.throws' },
        { ...of, listener: 'BrokenEvents.rejects' },
        { ...of, listener: 'BrokenProcessor.onCompleted' },
      ]),
    );
    const messages = logger.messages('error');
    expect(messages).toHaveLength(6);
    expect(new Set(messages)).toEqual(
      new Set([
        'Queue "email": listener BrokenEvents.throws of "completed" failed: broken',
        'Queue "email": listener BrokenEvents.rejects of "completed" failed: no error',
        'Queue "email": listener BrokenProcessor.onCompleted of "completed" failed: broken here',
      ]),
    );
  });

  it('NA-4-22 harm nobody where the logger fails too', async () => {
    const logger = new RecordingLogger();
    logger.error = () => {
      throw new Error('the disk is full');
    };
    @QueueEventsListener('email')
    class BrokenEvents {
      @OnQueueEvent('completed')
      async rejects() {
        throw new Error('broken');
      }
    }
    const app = await apps.start(
      {
        imports: [LaneModule.forRoot(), LaneModule.registerQueue('email')],
        providers: [BrokenEvents, EmailProcessor],
      },
      { logger },
    );
    const queue = queueOf(app, 'email');

    await ended(queue, await queue.add('send', {}));
    const events = app.get(LaneEvents);
    await waitUntil(() => events.listenerFailures.length > 0, { reason: 'the failure was counted' });

    expect(events.listenerFailures[0]).toMatchObject({ listener: 'BrokenEvents.rejects', count: 1 });
  });
});

describe('QueueEventsHost', () => {
  it('NA-4-21 has queueEvents from the bootstrap hooks on, which hears and ends with the listeners', async () => {
    const heard: unknown[] = [];
    let early: unknown;
    @QueueEventsListener('email')
    class MovedEvents extends QueueEventsHost implements OnApplicationBootstrap {
      constructor() {
        super();
        try {
          void this.queueEvents;
        } catch (error) {
          early = error;
        }
      }

      onApplicationBootstrap() {
        this.queueEvents.on('completed', ({ jobId, returnvalue }) => {
          heard.push([jobId, returnvalue]);
          throw new Error('broken');
        });
      }
    }
    const app = await apps.start({
      imports: [LaneModule.forRoot(), LaneModule.registerQueue('email')],
      providers: [EmailProcessor, MovedEvents],
    });
    const queue = queueOf(app, 'email');
    const { queueEvents } = app.get(MovedEvents);

    await queueEvents.waitUntilReady();
    await expect(queueEvents.run()).rejects.toMatchObject({ code: 'LANE_ALREADY_RUNNING' });
    const job = await queue.add('send', {});
    expect(await job.waitUntilFinished(queueEvents)).toEqual({ messageId: 'm1' });
    await waitUntil(() => heard.length > 0, { reason: 'the end was heard' });

    expect(heard).toEqual([[job.id, { messageId: 'm1' }]]);
    expect(app.get(LaneEvents).listenerFailures).toEqual([
      { listener: 'MovedEvents.queueEvents', event: '*', queue: 'email', connection: 'default', count: 1 },
    ]);
    expect(early).toBeInstanceOf(QueueEventsUnavailableError);
    expect((early as QueueEventsUnavailableError).code).toBe('LANE_NO_QUEUE_EVENTS');
  });
});

describe('what is wrong with listeners', () => {
  async function problemsWith(
    providers: Provider[],
    controllers: (typeof EmailEvents)[] = [],
  ): Promise<unknown[]> {
    const starting = apps.start({
      imports: [LaneModule.forRoot(), LaneModule.registerQueue('email')],
      providers: [Heard, ...providers],
      controllers,
    });
    const error: unknown = await starting.catch((thrown: unknown) => thrown);
    return (error as { problems: unknown[] }).problems;
  }

  it('NA-4-19 is told at the start, all of it', async () => {
    @QueueEventsListener('emial')
    class Misspelt {
      @OnQueueEvent('complete' as 'completed')
      onCompleted() {}
    }
    @QueueEventsListener('email')
    class Empty {}
    class Undecorated {
      @OnQueueEvent('failed')
      onFailed() {}
    }

    expect(await problemsWith([Misspelt, Empty, Undecorated], [EmailEvents])).toEqual([
      {
        code: 'LANE_UNKNOWN_EVENT',
        message: expect.stringContaining('"complete" is no event of a queue. There is: "added", "waiting"'),
        where: ["@OnQueueEvent('complete') on Misspelt.onCompleted"],
        hint: 'Did you mean "completed"?',
        fix: 'correct the name.',
      },
      {
        code: 'LANE_NO_LISTENER',
        message: 'Empty has @QueueEventsListener, but no method with @OnQueueEvent.',
        where: ["@QueueEventsListener('email') on Empty (AppModule)"],
        fix: "add @OnQueueEvent('completed'), or another event, to a method.",
      },
      {
        code: 'LANE_NO_QUEUE',
        message: 'Undecorated has methods with @OnQueueEvent, but nothing says of which queue.',
        where: ['Undecorated.onFailed', 'Undecorated (AppModule)'],
        fix: "add @QueueEventsListener('name of the queue') to the class.",
      },
      {
        code: 'LANE_NOT_A_PROVIDER',
        message: 'EmailEvents is listed in "controllers"; listeners are found among providers.',
        where: ["@QueueEventsListener('email') on EmailEvents (AppModule)"],
        fix: 'move it from "controllers" to "providers".',
      },
      {
        code: 'LANE_QUEUE_UNKNOWN',
        message: 'Misspelt listens to queue "emial", which is not registered.',
        where: ["@QueueEventsListener('emial') on Misspelt (AppModule)"],
        hint: 'Did you mean "email" (registered in AppModule)?',
        fix: "correct the name, or add LaneModule.registerQueue('emial') to AppModule.",
      },
    ]);
  });

  it('so is a class that two modules provide', async () => {
    @QueueEventsListener('email')
    class Twice {
      @OnQueueEvent('failed')
      onFailed() {}
    }
    @Module({ providers: [Twice] })
    class OtherModule {}

    const starting = apps.start({
      imports: [LaneModule.forRoot(), LaneModule.registerQueue('email'), OtherModule],
      providers: [Twice],
    });

    await expect(starting).rejects.toMatchObject({
      problems: [
        {
          code: 'LANE_DUPLICATE_HANDLER',
          message: 'Twice is provided twice, so there are two of it, each with the same listeners.',
        },
      ],
    });
  });
});
