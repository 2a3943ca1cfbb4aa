import { describe, expect, it } from '@jest/globals';
import { Inject, Injectable, Module, type ModuleMetadata } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  InjectQueue,
  type Job,
  LaneModule,
  type LaneModuleOptions,
  type LaneQueueOptionsFactory,
  Process,
  Processor,
  type ProcessorOptions,
  Queue,
  type QueueDefaults,
  getQueueToken,
} from 'nestjs-lane';
import type { LaneBackend, OpenQueueRequest, QueueBackend } from 'nestjs-lane/contract';
import { memory } from 'nestjs-lane/memory';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { ended, queueOf, TestApps } from '../../support/nest-app';

const apps = new TestApps();
guardAgainstLeaks();

describe('LaneModule.registerQueue', () => {
  it('makes queues injectable, by name and by connection', async () => {
    @Injectable()
    class Mailer {
      @InjectQueue('thumbs', 'media')
      readonly thumbs!: Queue;

      constructor(@InjectQueue('email') readonly email: Queue) {}
    }
    @Module({
      imports: [LaneModule.registerQueue('email', { name: 'thumbs', connection: 'media' })],
      providers: [Mailer],
    })
    class MailModule {}

    const app = await apps.start({
      imports: [LaneModule.forRoot(), LaneModule.forRoot('media'), MailModule],
    });

    const { email, thumbs } = app.get(Mailer, { strict: false });
    expect(email).toBe(queueOf(app, 'email'));
    expect(email.name).toBe('email');
    expect(thumbs).toBe(queueOf(app, 'thumbs', 'media'));
    expect(thumbs.name).toBe('thumbs');
  });

  it('exports its queues through a module that exports it', async () => {
    const email = LaneModule.registerQueue('email');
    @Module({ imports: [email], exports: [LaneModule] })
    class MailModule {}
    @Injectable()
    class SignUp {
      constructor(@InjectQueue('email') readonly email: Queue) {}
    }
    @Module({ imports: [MailModule], providers: [SignUp] })
    class SignUpModule {}

    const app = await apps.start({ imports: [LaneModule.forRoot(), SignUpModule] });

    expect(app.get(SignUp, { strict: false }).email).toBe(queueOf(app, 'email'));
  });

  it('NA-2-23 NA-12-04 keeps queues from modules that do not import it, in words that name the queue', async () => {
    @Module({ imports: [LaneModule.registerQueue('email')] })
    class MailModule {}
    @Injectable()
    class SignUp {
      constructor(@InjectQueue('email') readonly email: Queue) {}
    }
    @Module({ imports: [MailModule], providers: [SignUp] })
    class SignUpModule {}

    await expect(apps.start({ imports: [LaneModule.forRoot(), SignUpModule] })).rejects.toThrow(
      /LaneQueue\("email"\)/,
    );
  });

  it('NA-2-21 gives one queue to all modules that register it', async () => {
    @Injectable()
    class Sender {
      constructor(@InjectQueue('email') readonly email: Queue) {}
    }
    @Injectable()
    class Reader {
      constructor(@Inject(getQueueToken('email')) readonly email: Queue) {}
    }
    @Module({ imports: [LaneModule.registerQueue('email')], providers: [Sender] })
    class SendingModule {}
    @Module({ imports: [LaneModule.registerQueue('email', 'other')], providers: [Reader] })
    class ReadingModule {}

    const app = await apps.start({ imports: [LaneModule.forRoot(), SendingModule, ReadingModule] });

    expect(app.get(Sender, { strict: false }).email).toBe(app.get(Reader, { strict: false }).email);
  });

  it('may be replaced in a test, and the handlers of the queue still work', async () => {
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      send() {
        return 'sent';
      }
    }
    @Injectable()
    class Mailer {
      constructor(@InjectQueue('email') readonly email: Queue) {}
    }
    const backend = memory();
    const double = { add: () => 'added' };
    const app = await Test.createTestingModule({
      imports: [LaneModule.forRoot({ backend }), LaneModule.registerQueue('email')],
      providers: [EmailProcessor, Mailer],
    })
      .overrideProvider(getQueueToken('email'))
      .useValue(double)
      .compile();
    await apps.track(app).init();
    const queue = new Queue('email', { backend });

    expect(app.get(Mailer).email).toBe(double);
    expect((await ended(queue, await queue.add('send', {}))).returnvalue).toBe('sent');
    await queue.close();
  });

  it('NA-12-01 has readable tokens', () => {
    expect(getQueueToken('email')).toBe('LaneQueue("email")');
    expect(getQueueToken('email', 'reports')).toBe('LaneQueue("email", connection "reports")');
  });
});

describe('LaneModule.registerQueueAsync', () => {
  @Injectable()
  class Plan {
    readonly defaults: QueueDefaults = { job: { attempts: 7 } };
  }

  @Module({ providers: [Plan], exports: [Plan] })
  class PlanModule {}

  @Injectable()
  class QueueMaker implements LaneQueueOptionsFactory {
    createLaneQueueOptions() {
      return { defaults: { job: { attempts: 7 } } };
    }
  }

  @Module({ providers: [QueueMaker], exports: [QueueMaker] })
  class QueueMakerModule {}

  const forms: [string, Parameters<typeof LaneModule.registerQueueAsync>[0]][] = [
    [
      'a factory with dependencies from other modules',
      {
        name: 'exports',
        imports: [PlanModule],
        inject: [Plan],
        useFactory: async ({ defaults }: Plan) => ({ defaults }),
      },
    ],
    [
      'a factory with dependencies of its own',
      {
        name: 'exports',
        extraProviders: [Plan],
        inject: [Plan],
        useFactory: ({ defaults }: Plan) => ({ defaults }),
      },
    ],
    ['a class', { name: 'exports', useClass: QueueMaker }],
    ['a provider', { name: 'exports', imports: [QueueMakerModule], useExisting: QueueMaker }],
  ];

  it.each(forms)('takes %s', async (_, options) => {
    const app = await apps.start({ imports: [LaneModule.forRoot(), LaneModule.registerQueueAsync(options)] });

    const job = await queueOf(app, 'exports').add('run', {});

    expect(job.opts.attempts).toBe(7);
  });

  it('NA-2-19 takes the connection beside the factory', async () => {
    const app = await apps.start({
      imports: [
        LaneModule.forRoot('reports'),
        LaneModule.registerQueueAsync({ name: 'exports', connection: 'reports', useFactory: () => ({}) }),
      ],
    });

    expect(await queueOf(app, 'exports', 'reports').count()).toBe(0);
  });

  it('agrees with a registration that says the same at once', async () => {
    const defaults = { job: { delay: 1_000 } };
    const app = await apps.start({
      imports: [
        LaneModule.forRoot(),
        LaneModule.registerQueueAsync({
          name: 'exports',
          useFactory: () => ({ defaults: { job: { delay: '1s' } } }),
        }),
        LaneModule.registerQueue({ name: 'exports', defaults }),
      ],
    });

    expect((await queueOf(app, 'exports').add('run', {})).opts.delay).toBe(1_000);
  });
});

/** A store that notes with what retention jobs end. */
class RetentionSpy implements LaneBackend {
  readonly #inner = memory();
  readonly kind = this.#inner.kind;
  readonly capabilities = this.#inner.capabilities;
  readonly retentions: Record<string, unknown> = {};

  openQueue(request: OpenQueueRequest): QueueBackend {
    const handle = this.#inner.openQueue(request);
    const settleJobs = handle.settleJobs.bind(handle);
    handle.settleJobs = (settled, call) => {
      for (const outcome of settled.outcomes) {
        if (outcome.kind === 'completed' || outcome.kind === 'failed') {
          this.retentions[outcome.kind] = outcome.retention;
        }
      }
      return settleJobs(settled, call);
    };
    return handle;
  }
}

describe('defaults', () => {
  async function startWith(
    connection: LaneModuleOptions,
    queue: QueueDefaults,
    processor: ProcessorOptions,
  ): Promise<Queue> {
    @Processor('email', processor)
    class EmailProcessor {
      @Process()
      handle(job: Job) {
        if (job.name === 'fail') {
          throw new Error('no server');
        }
      }
    }
    const root: ModuleMetadata = {
      imports: [
        LaneModule.forRoot({ backend: memory(), ...connection }),
        LaneModule.registerQueue({ name: 'email', defaults: queue }),
      ],
      providers: [EmailProcessor],
    };
    return queueOf(await apps.start(root), 'email');
  }

  it('NA-2-05 for jobs: the job wins over the queue, the queue over the connection, option by option', async () => {
    const queue = await startWith(
      { defaults: { job: { attempts: 2, backoff: '1h', delay: '1h' } } },
      { job: { attempts: 3, backoff: '2h' } },
      {},
    );

    const { opts } = await queue.add('send', {}, { attempts: 4 });

    expect(opts).toEqual({
      attempts: 4,
      backoff: { type: 'fixed', delay: 7_200_000 },
      delay: 3_600_000,
    });
  });

  it('NA-2-05 for workers: @Processor wins over the queue, the queue over the connection, option by option', async () => {
    const queue = await startWith(
      { defaults: { worker: { name: 'connection', removeOnComplete: true } } },
      { worker: { name: 'queue', removeOnComplete: false } },
      { name: 'processor' },
    );

    const job = await ended(queue, await queue.add('send', {}));

    expect(job.processedBy).toBe('processor');
  });

  const oneDay = 86_400_000;

  it('keep 1,000 completed jobs, none longer than a day, and 10,000 failed ones, none longer than seven', async () => {
    const backend = new RetentionSpy();
    const queue = await startWith({ backend }, {}, {});

    await ended(queue, await queue.add('send', {}));
    await ended(queue, await queue.add('fail', {}));

    expect(backend.retentions).toEqual({
      completed: { count: 1_000, age: oneDay, limit: 1_000 },
      failed: { count: 10_000, age: 7 * oneDay, limit: 1_000 },
    });
  });

  const levels: [string, LaneModuleOptions, QueueDefaults, ProcessorOptions, object][] = [
    ['the connection for jobs', { defaults: { job: { removeOnComplete: 5 } } }, {}, {}, {}],
    ['the connection for workers', { defaults: { worker: { removeOnComplete: 5 } } }, {}, {}, {}],
    ['the queue for jobs', {}, { job: { removeOnComplete: 5 } }, {}, {}],
    ['the queue for workers', {}, { worker: { removeOnComplete: 5 } }, {}, {}],
    ['the processor', {}, {}, { removeOnComplete: 5 }, {}],
    ['the job', {}, {}, {}, { removeOnComplete: 5 }],
  ];

  it.each(levels)('keep what %s says', async (_, connection, ofQueue, processor, ofJob) => {
    const backend = new RetentionSpy();
    const queue = await startWith({ backend, ...connection }, ofQueue, processor);

    await ended(queue, await queue.add('send', {}, ofJob));

    expect(backend.retentions).toEqual({ completed: { count: 5, age: null, limit: 1_000 } });
  });

  it('keep all where false says so', async () => {
    const backend = new RetentionSpy();
    const queue = await startWith({ backend, defaults: { job: { removeOnFail: false } } }, {}, {});

    await ended(queue, await queue.add('fail', {}));

    expect(backend.retentions).toEqual({ failed: { count: -1, age: null, limit: 1_000 } });
  });
});
