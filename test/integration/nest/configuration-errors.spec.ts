import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Injectable, Module, type ModuleMetadata } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  InjectQueue,
  type Job,
  LaneConfigError,
  LaneModule,
  LaneRegistry,
  OnWorkerEvent,
  Process,
  Processor,
  Queue,
  UnknownOptionError,
} from 'nestjs-lane';
import { memory } from 'nestjs-lane/memory';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { queueOf, TestApps } from '../../support/nest-app';

const apps = new TestApps();
guardAgainstLeaks();

/** What the start says. */
async function refusal(root: ModuleMetadata): Promise<LaneConfigError> {
  const error: unknown = await apps.start(root).then(
    () => new Error('The application started.'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof LaneConfigError)) {
    throw error;
  }
  return error;
}

/** The text of one problem. */
async function problem(root: ModuleMetadata): Promise<string> {
  const error = await refusal(root);
  expect(error.problems.map(({ code }) => code)).toHaveLength(1);
  const [heading, text] = error.message.split('\n\n1. ');
  expect(heading).toBe('Lane could not start: 1 problem.');
  return text!;
}

const lane = LaneModule.forRoot({ backend: memory() });
const email = LaneModule.registerQueue('email');

@Processor('email')
class EmailProcessor {
  @Process('send')
  send() {}
}

/** Loosely typed, as options that come from JSON or JavaScript are. */
function anything<T>(value: unknown): T {
  return value as T;
}

describe('connections', () => {
  it('NA-11-02 LANE_NO_ROOT: a queue without forRoot', async () => {
    expect(await problem({ imports: [email] })).toBe(
      `LANE_NO_ROOT  Queue "email" is registered, but no module imports LaneModule.forRoot().
   Where: LaneModule.registerQueue('email') in AppModule
   Fix: add LaneModule.forRoot() to the imports of the root module.`,
    );
  });

  it('T-N09 NA-11-03 LANE_NO_CONNECTION: names the queue, the connection and those that there are', async () => {
    const reports = LaneModule.registerQueue({ name: 'exports', connection: 'reprots' });

    expect(await problem({ imports: [lane, LaneModule.forRoot('reports'), reports] })).toBe(
      `LANE_NO_CONNECTION  Queue "exports" is on connection "reprots", which no forRoot makes. There is: "default", "reports".
   Where: LaneModule.registerQueue({ name: 'exports', connection: 'reprots' }) in AppModule
   Did you mean "reports"?
   Fix: correct the connection, or add LaneModule.forRoot('reprots') to the imports of the root module.`,
    );
    expect(await problem({ imports: [LaneModule.forRoot('reports'), email] })).toBe(
      `LANE_NO_CONNECTION  Queue "email" is on the default connection, which no forRoot makes. There is: "reports".
   Where: LaneModule.registerQueue('email') in AppModule
   Fix: correct the connection, or add LaneModule.forRoot() to the imports of the root module.`,
    );
  });

  it('LANE_CONNECTION_CONFLICT: two that do not agree', async () => {
    @Module({ imports: [LaneModule.forRoot({ backend: memory() })] })
    class StorageModule {}

    const { problems } = await refusal({ imports: [lane, StorageModule, email] });

    expect(problems).toMatchObject([
      {
        code: 'LANE_CONNECTION_CONFLICT',
        message: 'The default connection is made twice with different options.',
        fix: 'make it once, in the root module, or give one of the two a name of its own.',
      },
    ]);
    expect([...problems[0]!.where].sort()).toEqual([
      'LaneModule.forRoot() in AppModule',
      'LaneModule.forRoot() in StorageModule',
    ]);
    const twice = [{}, { shutdown: { drain: '5s' } } as const].map((options) =>
      LaneModule.forRoot('reports', options),
    );
    expect(await problem({ imports: twice })).toMatch(
      /^LANE_CONNECTION_CONFLICT {2}Connection "reports" is made twice/,
    );
  });

  it('LANE_BAD_NAME: a name that is none', async () => {
    expect(await problem({ imports: [LaneModule.forRoot(' ', {})] })).toBe(
      `LANE_BAD_NAME  A connection is called " "; its name must be a text that is not blank.
   Where: LaneModule.forRoot(' ') in AppModule
   Fix: give a name such as "reports", or leave it out for the connection without a name; if this one comes from a variable, that is not set.`,
    );
  });

  it('NA-11-10 LANE_BAD_NAME: one that came from a variable that is not set', async () => {
    const { UNSET_CONNECTION: unset } = process.env;

    expect(await problem({ imports: [LaneModule.forRoot(anything(unset), {})] })).toBe(
      `LANE_BAD_NAME  A connection is called undefined; that is what comes of a variable that is not set.
   Where: LaneModule.forRoot(undefined) in AppModule
   Fix: check the variable that the name comes from: it is not set.`,
    );
    expect(await problem({ imports: [LaneModule.forRoot(`${unset}`)] })).toMatch(
      /^LANE_BAD_NAME {2}A connection is called "undefined"; that is what comes of a variable/,
    );
  });
});

describe('backends', () => {
  const { NODE_ENV } = process.env;

  afterEach(() => {
    process.env.NODE_ENV = NODE_ENV;
  });

  it('LANE_BACKEND_REQUIRED: none in production', async () => {
    process.env.NODE_ENV = 'production';

    expect(await problem({ imports: [LaneModule.forRoot(), email] })).toBe(
      `LANE_BACKEND_REQUIRED  NODE_ENV is "production" and the default connection has no backend: its jobs would be kept in memory and lost with the process.
   Where: LaneModule.forRoot() in AppModule
   Fix: give the backend of this environment, or backend: memory() to keep jobs in memory on purpose.`,
    );
  });

  it('NA-11-14 LANE_BACKEND_OPTION: BullMQ’s way to name a server', async () => {
    const bullmq = LaneModule.forRoot(anything({ connection: { host: 'localhost' } }));
    const queue = LaneModule.registerQueue(anything({ name: 'email', connection: { host: 'localhost' } }));

    expect(await problem({ imports: [bullmq] })).toBe(
      `LANE_BACKEND_OPTION  forRoot was given "connection", which is how BullMQ names a Redis server.
   Where: LaneModule.forRoot() in AppModule
   Fix: give the store as "backend": LaneModule.forRoot({ backend: redis({ connection: { … } }) }), with redis() imported from nestjs-lane/redis.`,
    );
    expect(await problem({ imports: [lane, queue] })).toBe(
      `LANE_BACKEND_OPTION  A queue was given a "connection" that is not a text.
   Where: LaneModule.registerQueue({ name: 'email', connection }) in AppModule
   Fix: name the connection, as in { name: 'email', connection: 'reports' }, and say where it is in LaneModule.forRoot('reports', { backend }).`,
    );
  });

  it('LANE_BACKEND_OPTION: something that is no backend', async () => {
    expect(await problem({ imports: [LaneModule.forRoot(anything({ backend: memory }))] })).toBe(
      `LANE_BACKEND_OPTION  Option "backend" is a function; it must be a value made by redis(), memory() and the like, or a URL.
   Where: LaneModule.forRoot() in AppModule
   Fix: give backend: redis({ url }), imported from nestjs-lane/redis, or backend: 'redis://…'.`,
    );
  });

  it('LANE_BACKEND_URL: a URL that no backend has', async () => {
    expect(await problem({ imports: [LaneModule.forRoot({ backend: 'memroy:' }), email] })).toMatch(
      /^LANE_BACKEND_URL {2}.*"memroy:".*\n {3}Where: backend of LaneModule\.forRoot\(\) in AppModule$/,
    );
    expect(await problem({ imports: [LaneModule.forRoot({ backend: '' })] })).toMatch(/^LANE_BACKEND_URL/);
  });
});

describe('options', () => {
  it('NA-11-20 LANE_UNKNOWN_OPTION: each name that is not known, at every level, with the nearest one', async () => {
    const { problems } = await refusal({
      imports: [
        LaneModule.forRoot(
          anything({
            bakend: 'memory:',
            defaults: {
              jobs: {},
              job: { attemps: 1, jobId: 'x' },
              worker: { concurency: 1, autorun: false },
            },
            shutdown: { drian: 1 },
          }),
        ),
        LaneModule.registerQueue(anything({ name: 'email', defaultJobOptions: {}, default: {} })),
      ],
    });

    expect(problems.map(({ code }) => code)).toEqual(Array(9).fill('LANE_UNKNOWN_OPTION'));
    expect(problems.map(({ message, where }) => [where[0], message.split(' Known options:')[0]])).toEqual([
      [
        'LaneModule.forRoot() in AppModule',
        'Option "bakend" of LaneModule.forRoot() is unknown. Did you mean "backend"?',
      ],
      [
        'defaults of LaneModule.forRoot() in AppModule',
        'Option "jobs" of defaults of LaneModule.forRoot() is unknown. Did you mean "job"?',
      ],
      [
        'defaults.job of LaneModule.forRoot() in AppModule',
        'Option "attemps" of defaults.job of LaneModule.forRoot() is unknown. Did you mean "attempts"?',
      ],
      [
        'defaults.job of LaneModule.forRoot() in AppModule',
        'Option "jobId" of defaults.job of LaneModule.forRoot() is unknown.',
      ],
      [
        'defaults.worker of LaneModule.forRoot() in AppModule',
        'Option "concurency" of defaults.worker of LaneModule.forRoot() is unknown. Did you mean "concurrency"?',
      ],
      [
        'defaults.worker of LaneModule.forRoot() in AppModule',
        'Option "autorun" of defaults.worker of LaneModule.forRoot() is unknown.',
      ],
      [
        'shutdown of LaneModule.forRoot() in AppModule',
        'Option "drian" of shutdown of LaneModule.forRoot() is unknown. Did you mean "drain"?',
      ],
      [
        `LaneModule.registerQueue({ name: 'email', defaultJobOptions, default }) in AppModule`,
        `Option "defaultJobOptions" of LaneModule.registerQueue({ name: 'email', defaultJobOptions, default }) is unknown.`,
      ],
      [
        `LaneModule.registerQueue({ name: 'email', defaultJobOptions, default }) in AppModule`,
        `Option "default" of LaneModule.registerQueue({ name: 'email', defaultJobOptions, default }) is unknown. Did you mean "defaults"?`,
      ],
    ]);
    expect(problems[0]!.cause).toBeInstanceOf(UnknownOptionError);
  });

  it('LANE_UNKNOWN_OPTION: names from the module for BullMQ, with what stands in their place', async () => {
    const { problems } = await refusal({
      imports: [
        LaneModule.forRoot(anything({ prefix: 'shop', defaultJobOptions: {} })),
        LaneModule.registerQueue(anything({ name: 'email', defaultJobOptions: {} })),
      ],
    });

    expect(problems.map(({ fix }) => fix)).toEqual([
      'give it to the backend: redis({ url, prefix }).',
      'give them as defaults: { job: { … } }.',
      'give them as defaults: { job: { … } }.',
    ]);
  });

  it('LANE_BAD_…: each value that breaks its rule', async () => {
    const { problems } = await refusal({
      imports: [
        LaneModule.forRoot(
          anything({
            defaults: { job: { attempts: 0, delay: -1, backoff: 'soon' }, worker: { concurrency: 0 } },
            shutdown: { drain: 'long', abort: -1 },
          }),
        ),
        LaneModule.registerQueue({ name: 'email', defaults: { job: { priority: 0.5 } } }),
      ],
    });

    expect(problems.map(({ code, where }) => `${code} ${where[0]}`)).toEqual([
      'LANE_BAD_ATTEMPTS defaults.job of LaneModule.forRoot() in AppModule',
      'LANE_BAD_DELAY defaults.job of LaneModule.forRoot() in AppModule',
      'LANE_BAD_BACKOFF defaults.job of LaneModule.forRoot() in AppModule',
      'LANE_BAD_WORKER_OPTION defaults.worker of LaneModule.forRoot() in AppModule',
      'LANE_BAD_DURATION shutdown of LaneModule.forRoot() in AppModule',
      'LANE_BAD_DURATION shutdown of LaneModule.forRoot() in AppModule',
      `LANE_BAD_PRIORITY defaults.job of LaneModule.registerQueue({ name: 'email', defaults }) in AppModule`,
    ]);
  });

  it('NA-11-11 LANE_BAD_DURATION: the value, where it is, and an example', async () => {
    const shutdown = { drain: anything<number>('20 seconds') };

    expect(await problem({ imports: [LaneModule.forRoot({ backend: memory(), shutdown })] })).toBe(
      `LANE_BAD_DURATION  Option "shutdown.drain" is "20 seconds"; it must be a number of milliseconds of at least 0, or a text such as "250ms", "30s", "5m", "2h" or "1d". Correct the value.
   Where: shutdown of LaneModule.forRoot() in AppModule`,
    );
  });

  it.each([5, null, [], 'memory'])('LANE_BAD_OPTIONS: %j in place of an object', async (value) => {
    const calls = [
      LaneModule.forRoot('a', anything({ defaults: value })),
      LaneModule.forRoot('b', anything({ defaults: { job: value, worker: value } })),
      LaneModule.forRoot('c', anything({ shutdown: value })),
      LaneModule.forRoot('d', anything(value)),
    ];

    const { problems } = await refusal({ imports: calls });

    expect(problems.map(({ code, where }) => `${code} ${where[0]}`)).toEqual([
      `LANE_BAD_OPTIONS defaults of LaneModule.forRoot('a') in AppModule`,
      `LANE_BAD_OPTIONS defaults.job of LaneModule.forRoot('b') in AppModule`,
      `LANE_BAD_OPTIONS defaults.worker of LaneModule.forRoot('b') in AppModule`,
      `LANE_BAD_OPTIONS shutdown of LaneModule.forRoot('c') in AppModule`,
      `LANE_BAD_OPTIONS LaneModule.forRoot('d') in AppModule`,
    ]);
  });

  it('take undefined for what is not given', async () => {
    const app = await apps.start({
      imports: [
        LaneModule.forRoot({ backend: undefined, defaults: undefined, shutdown: { drain: undefined } }),
        LaneModule.registerQueue({ name: 'email', connection: undefined, defaults: { job: undefined } }),
      ],
    });

    expect(await queueOf(app, 'email').count()).toBe(0);
  });
});

describe('asynchronous options', () => {
  it('T-N09 NA-11-20 LANE_UNKNOWN_OPTION: name and connection inside the factory', async () => {
    const queue = LaneModule.registerQueueAsync({
      name: 'email',
      useFactory: () => anything({ name: 'email', connection: 'reports' }),
    });

    const { problems } = await refusal({ imports: [lane, queue] });

    expect(problems).toMatchObject([
      {
        code: 'LANE_UNKNOWN_OPTION',
        message:
          'The factory of registerQueueAsync made "name", which decides what is injected where and has to be known ' +
          'before any factory runs.',
        where: [`LaneModule.registerQueueAsync({ name: 'email' }) in AppModule`],
        fix: 'put "name" beside the factory: LaneModule.registerQueueAsync({ name: …, useFactory: … }).',
      },
      { code: 'LANE_UNKNOWN_OPTION', fix: expect.stringContaining('put "connection" beside the factory') },
    ]);
  });

  it('LANE_ASYNC_OPTIONS: no way to make them, or several', async () => {
    const none = LaneModule.registerQueueAsync(anything({ name: 'email', usefactory: () => ({}) }));
    const both = LaneModule.forRootAsync({ useFactory: () => ({}), useExisting: EmailProcessor });

    const { problems } = await refusal({ imports: [both, none] });

    expect(problems).toMatchObject([
      {
        code: 'LANE_ASYNC_OPTIONS',
        message: '2 of useFactory, useClass and useExisting are given; it must be one.',
        where: ['LaneModule.forRootAsync() in AppModule'],
        fix: 'keep one of them.',
      },
      { code: 'LANE_UNKNOWN_OPTION', message: expect.stringContaining('Did you mean "useFactory"?') },
      {
        code: 'LANE_ASYNC_OPTIONS',
        message: 'None of useFactory, useClass and useExisting are given; it must be one.',
        fix: 'add useFactory: () => ({ … }).',
      },
    ]);
  });

  it('LANE_ASYNC_OPTIONS: a class that cannot make them', async () => {
    const options = LaneModule.forRootAsync({ useClass: EmailProcessor as never });

    expect((await refusal({ imports: [options] })).problems).toMatchObject([
      {
        code: 'LANE_ASYNC_OPTIONS',
        message: 'EmailProcessor was given to make options, but has no method createLaneOptions().',
        fix: 'add createLaneOptions() to the class, or use useFactory.',
      },
      // A class whose methods handle jobs is told of, too.
      { code: 'LANE_QUEUE_UNKNOWN' },
    ]);
  });

  it('LANE_BAD_OPTIONS: a factory that makes nothing', async () => {
    const { problems } = await refusal({
      imports: [
        LaneModule.forRootAsync({ useFactory: () => anything(undefined) }),
        LaneModule.registerQueueAsync({ name: 'email', useFactory: async () => anything(undefined) }),
      ],
    });

    expect(problems.map(({ code }) => code)).toEqual(['LANE_BAD_OPTIONS', 'LANE_BAD_OPTIONS']);
  });
});

describe('queues', () => {
  it.each([
    ['', `''`],
    ['  ', `'  '`],
    ['a:b', `'a:b'`],
    [undefined, 'undefined'],
    [5, '5'],
  ])('LANE_BAD_NAME: %j', async (name, written) => {
    expect(await problem({ imports: [lane, LaneModule.registerQueue(anything(name))] })).toMatch(
      new RegExp(`^LANE_BAD_NAME {2}.*\n {3}Where: LaneModule\\.registerQueue\\(${written}\\) in AppModule$`),
    );
  });

  it('NA-11-10 LANE_BAD_NAME: one that came from a variable that is not set', async () => {
    const { UNSET_QUEUE: unset } = process.env;
    @Processor(`${unset}`)
    class UnsetProcessor {
      @Process()
      run() {}
    }
    const { problems } = await refusal({
      imports: [lane, LaneModule.registerQueue(anything(unset), `${unset}`, 'null', '')],
      providers: [UnsetProcessor],
    });

    expect(problems.map(({ code, message }) => [code, message])).toEqual([
      [
        'LANE_BAD_NAME',
        'Queue name undefined cannot be used: it must be a text that is not blank and holds no ":", which separates ' +
          'the parts of stored keys. Check the variable that the name comes from: it is not set.',
      ],
      ...['"undefined"', '"null"'].map((name) => [
        'LANE_BAD_NAME',
        `Queue name ${name} cannot be used: it is what a variable that is not set becomes in a text. Check the ` +
          'variable that the name comes from: it is not set.',
      ]),
      [
        'LANE_BAD_NAME',
        expect.stringMatching(
          /Give a name such as "email"; if this one comes from a variable, that is not set\.$/,
        ),
      ],
      ['LANE_BAD_NAME', expect.stringMatching(/^Queue name "undefined" cannot be used/)],
    ]);
    expect(problems.at(-1)!.where).toEqual(["@Processor('undefined') on UnsetProcessor (AppModule)"]);
  });

  it('LANE_BAD_NAME: none at all', async () => {
    expect(await problem({ imports: [lane, LaneModule.registerQueue()] })).toMatch(/^LANE_BAD_NAME/);
  });

  it('NA-2-22 NA-11-05 LANE_QUEUE_CONFLICT: two registrations with different options', async () => {
    const options = { name: 'email', defaults: { job: { attempts: 3 } } };
    @Module({ imports: [LaneModule.registerQueue(options)] })
    class MailModule {}

    const { problems } = await refusal({ imports: [lane, MailModule, email] });

    expect(problems).toMatchObject([
      {
        code: 'LANE_QUEUE_CONFLICT',
        message: 'Queue "email" is registered with different options in two places.',
        fix: 'give the same options in both, or register it in one module, export that registration and import the module.',
      },
    ]);
    expect([...problems[0]!.where].sort()).toEqual([
      "LaneModule.registerQueue('email') in AppModule",
      "LaneModule.registerQueue({ name: 'email', defaults }) in MailModule",
    ]);
  });
});

describe('processors', () => {
  it('NA-11-04 LANE_QUEUE_UNKNOWN: a queue that is not registered', async () => {
    @Processor('emial')
    class MistypedProcessor {
      @Process('send')
      send() {}
    }
    @Module({ imports: [email], providers: [MistypedProcessor] })
    class EmailModule {}

    expect(await problem({ imports: [lane, EmailModule] })).toBe(
      `LANE_QUEUE_UNKNOWN  MistypedProcessor works on queue "emial", which is not registered.
   Where: @Processor('emial') on MistypedProcessor (EmailModule)
   Did you mean "email" (registered in EmailModule)?
   Fix: correct the name, or add LaneModule.registerQueue('emial') to EmailModule.`,
    );
  });

  it('LANE_QUEUE_UNKNOWN: a queue that is registered on another connection', async () => {
    @Processor({ queue: 'email', connection: 'reports' })
    class MistypedProcessor {
      @Process('send')
      send() {}
    }

    expect(await problem({ imports: [lane, email], providers: [MistypedProcessor] })).toBe(
      `LANE_QUEUE_UNKNOWN  MistypedProcessor works on queue "email" of connection "reports", which is not registered.
   Where: @Processor({ queue: 'email', connection: 'reports' }) on MistypedProcessor (AppModule)
   Did you mean queue "email" of the default connection (registered in AppModule)?
   Fix: correct the name, or add LaneModule.registerQueue({ name: 'email', connection: 'reports' }) to AppModule.`,
    );
  });

  it('NA-11-06 LANE_DUPLICATE_HANDLER: two for a name, or for every other name', async () => {
    @Processor('email')
    class LegacyProcessor {
      @Process('send')
      handle() {}

      @Process()
      first() {}

      @Process()
      second() {}
    }

    const { message } = await refusal({
      imports: [lane, email],
      providers: [EmailProcessor, LegacyProcessor],
    });

    expect(message).toBe(`Lane could not start: 2 problems.

1. LANE_DUPLICATE_HANDLER  Two handlers for job "send" on queue "email".
   Where: EmailProcessor.send, LegacyProcessor.handle
   Fix: keep one, or give one of them another name.

2. LANE_DUPLICATE_HANDLER  Two handlers for every other job name on queue "email".
   Where: LegacyProcessor.first, LegacyProcessor.second
   Fix: keep one @Process() without a name, and give the other one a name.`);
  });

  it('LANE_DUPLICATE_HANDLER: a class that is provided twice', async () => {
    @Module({ providers: [EmailProcessor] })
    class OtherModule {}

    expect(await problem({ imports: [lane, email, OtherModule], providers: [EmailProcessor] })).toBe(
      `LANE_DUPLICATE_HANDLER  EmailProcessor is provided twice, so there are two of it, each with the same handlers.
   Where: @Processor('email') on EmailProcessor (AppModule), @Processor('email') on EmailProcessor (OtherModule)
   Fix: provide it once; where another module needs it, export it from its module and import that.`,
    );
  });

  it('LANE_QUEUE_CONFLICT: two classes that ask for different worker options', async () => {
    @Processor('email', { concurrency: 5, lockDuration: '1m' })
    class FastProcessor {
      @Process('fast')
      fast() {}
    }
    @Processor('email', { concurrency: 1, lockDuration: 60_000 })
    class SlowProcessor {
      @Process('slow')
      slow() {}
    }

    expect(await problem({ imports: [lane, email], providers: [FastProcessor, SlowProcessor] })).toBe(
      `LANE_QUEUE_CONFLICT  Two processor classes of queue "email" ask for different "concurrency", and a queue has one worker in a process.
   Where: @Processor('email') on FastProcessor (AppModule), @Processor('email') on SlowProcessor (AppModule)
   Fix: give the option in one of them, or in the defaults.worker of the queue.`,
    );
  });

  it('NA-11-12 LANE_BAD_WORKER_OPTION: a lease shorter than its renewal, wherever the two are given', async () => {
    @Processor('email', { lockDuration: '10s', lockRenewTime: '20s' })
    class ShortLease {
      @Process()
      run() {}
    }
    @Processor('email', { lockRenewTime: '20s' })
    class LateRenewal {
      @Process()
      run() {}
    }
    const options = { worker: { lockDuration: '10s' } } as const;
    const message = (name: string) =>
      `LANE_BAD_WORKER_OPTION  Option "lockRenewTime" is "20s"; it must be less than lockDuration, 10000 ms. Half of it at most leaves time for a second try. Use skipLockRenewal for no renewals.
   Where: @Processor('email') on ${name} (AppModule)`;

    expect(await problem({ imports: [lane, email], providers: [ShortLease] })).toBe(message('ShortLease'));
    for (const imports of [
      [LaneModule.forRoot({ backend: memory(), defaults: options }), email],
      [lane, LaneModule.registerQueue({ name: 'email', defaults: options })],
    ]) {
      expect(await problem({ imports, providers: [LateRenewal] })).toBe(message('LateRenewal'));
    }
  });

  it('hold a renewal against the lease that the worker has, not against the one that it would have', async () => {
    @Processor('email', { lockRenewTime: '1m' })
    class SlowRenewal {
      @Process()
      run() {}
    }
    const defaults = { worker: { lockDuration: '3m' } } as const;
    const app = await apps.start({
      imports: [lane, LaneModule.registerQueue({ name: 'email', defaults })],
      providers: [SlowRenewal],
    });

    expect(app.get(LaneRegistry).workers[0]!.state).toBe('running');
  });

  it('NA-4-06 NA-11-08 LANE_NOT_A_PROVIDER: a class in controllers', async () => {
    @Processor('email')
    @Controller()
    class EmailController {
      @Process('send')
      send() {}
    }

    expect(await problem({ imports: [lane, email], controllers: [EmailController] })).toBe(
      `LANE_NOT_A_PROVIDER  EmailController is listed in "controllers"; job handlers are found among providers.
   Where: @Processor('email') on EmailController (AppModule)
   Fix: move it from "controllers" to "providers".`,
    );
  });

  it('LANE_NO_PROCESSOR: handlers of a class that is no processor', async () => {
    @Injectable()
    class Mailer {
      @Process('send')
      send() {}

      @OnWorkerEvent('completed')
      onCompleted() {}
    }

    expect(await problem({ imports: [lane, email], providers: [Mailer] })).toBe(
      `LANE_NO_PROCESSOR  Mailer has job handlers or listeners, but nothing says for which queue.
   Where: Mailer.send, Mailer.onCompleted, Mailer (AppModule)
   Fix: add @Processor('name of the queue') to the class.`,
    );
  });

  it('LANE_NO_HANDLER: a processor without handlers', async () => {
    @Processor('email')
    class IdleProcessor {
      @OnWorkerEvent('completed')
      onCompleted() {}
    }

    expect(await problem({ imports: [lane, email], providers: [IdleProcessor] })).toBe(
      `LANE_NO_HANDLER  IdleProcessor has @Processor, but no method with @Process.
   Where: @Processor('email') on IdleProcessor (AppModule)
   Fix: add @Process('name of the job') to a method, or @Process() for every job name.`,
    );
  });

  it('NA-11-08 LANE_NOT_A_PROVIDER: a class of which there is no object', async () => {
    expect(
      await problem({
        imports: [lane, email],
        providers: [{ provide: EmailProcessor, useFactory: () => undefined }],
      }),
    ).toBe(
      `LANE_NOT_A_PROVIDER  EmailProcessor has no object whose methods could be called: what provides it has made none.
   Where: @Processor('email') on EmailProcessor (AppModule)
   Fix: have its factory return an object, or list the class itself in "providers".`,
    );
  });

  it('names and options of decorators that break their rules', async () => {
    @Processor(anything({ name: 'email' }), anything({ concurency: 5, concurrency: 0 }))
    class BadProcessor {
      @Process(anything(5), anything({ concurency: 1 }))
      first() {}

      @Process('', { concurrency: 0 })
      second() {}

      @Process({ concurrency: 1.5, timeout: 0, emissions: anything<'ignore'>('output') })
      third() {}

      @OnWorkerEvent(anything('complete'))
      onComplete() {}
    }

    const { problems } = await refusal({ imports: [lane, email], providers: [BadProcessor] });

    const place = `@Processor({ name: 'email' }) on BadProcessor (AppModule)`;
    expect(problems.map(({ code, where }) => `${code} ${where[0]}`)).toEqual([
      `LANE_UNKNOWN_OPTION ${place}`,
      `LANE_BAD_NAME ${place}`,
      `LANE_UNKNOWN_OPTION ${place}`,
      `LANE_BAD_WORKER_OPTION ${place}`,
      'LANE_BAD_JOB_NAME @Process(5) on BadProcessor.first',
      'LANE_UNKNOWN_OPTION @Process(5) on BadProcessor.first',
      `LANE_BAD_JOB_NAME @Process('') on BadProcessor.second`,
      `LANE_BAD_WORKER_OPTION @Process('') on BadProcessor.second`,
      'LANE_BAD_WORKER_OPTION @Process() on BadProcessor.third',
      'LANE_BAD_TIMEOUT @Process() on BadProcessor.third',
      'LANE_BAD_WORKER_OPTION @Process() on BadProcessor.third',
      `LANE_UNKNOWN_EVENT @OnWorkerEvent('complete') on BadProcessor.onComplete`,
    ]);
    expect(problems.at(-1)).toMatchObject({
      message: expect.stringMatching(
        /^"complete" is no event of a worker\. There is: "active", "completed", /,
      ),
      hint: 'Did you mean "completed"?',
      fix: 'correct the name.',
    });
  });
});

describe('credentials', () => {
  const url = 'redis://user:sesame@queue.example';

  it('are not shown, wherever an address was given in place of something else', async () => {
    @Processor(url)
    class OnUrl {
      @Process()
      run() {}
    }

    @Processor(anything({ queue: 'email', connection: url, password: 'sesame', url }))
    class OnOptions {
      @Process()
      run() {}

      @OnWorkerEvent(anything(url))
      onUrl() {}
    }

    const error = await refusal({
      imports: [
        lane,
        LaneModule.forRoot(url, anything({ backend: memory(), url, password: 'sesame' })),
        LaneModule.registerQueue(
          anything({ name: 'email', connection: 'redis://:sesame@other.example', url }),
        ),
        LaneModule.registerQueue(anything({ name: url, password: 'sesame' })),
      ],
      providers: [OnUrl, OnOptions],
    });

    expect(JSON.stringify([error.message, error.problems])).not.toContain('sesame');
    expect(error.problems.flatMap(({ where }) => where)).toEqual(
      expect.arrayContaining([
        "LaneModule.forRoot('redis://…@queue.example') in AppModule",
        "@Processor('redis://…@queue.example') on OnUrl (AppModule)",
        "@Processor({ queue: 'email', connection: 'redis://…@queue.example', password, url }) on OnOptions (AppModule)",
      ]),
    );
  });
});

describe('all problems of an application', () => {
  const root: ModuleMetadata = {
    imports: [
      LaneModule.forRoot(anything({ bakend: 'memory:' })),
      LaneModule.registerQueue('a:b'),
      LaneModule.registerQueue({ name: 'exports', connection: 'reports' }),
      email,
    ],
    controllers: [EmailProcessor],
  };

  it('NA-11-01 are told at once, with a code, places and what led to them', async () => {
    const error = await refusal(root);

    expect(error.code).toBe('LANE_CONFIG');
    expect(error.name).toBe('LaneConfigError');
    expect(error.message).toMatch(/^Lane could not start: 4 problems\.\n\n1\. .*(\n {3}.*)*\n\n2\. /);
    expect(error.problems.map(({ code }) => code)).toEqual([
      'LANE_UNKNOWN_OPTION',
      'LANE_BAD_NAME',
      'LANE_NO_CONNECTION',
      'LANE_NOT_A_PROVIDER',
    ]);
    expect(error.cause).toBeInstanceOf(UnknownOptionError);
  });

  it('stop no constructor from holding its queue, and every call of that queue meets them', async () => {
    @Injectable()
    class Mailer {
      constructor(@InjectQueue('email') readonly queue: Queue) {
        queue.on('waiting', (job: Job) => job);
      }
    }
    const app = apps.track(await Test.createTestingModule({ ...root, providers: [Mailer] }).compile());
    const { queue } = app.get(Mailer);

    await expect(queue.add('send', {})).rejects.toBeInstanceOf(LaneConfigError);
    await expect(queue.count()).rejects.toMatchObject({ problems: [{ code: 'LANE_UNKNOWN_OPTION' }] });
    await expect(queueOf(app, 'exports', 'reports').add('run', {})).rejects.toMatchObject({
      code: 'LANE_CONFIG',
    });
    await expect(queueOf(app, 'a:b').add('run', {})).rejects.toMatchObject({
      problems: [{ code: 'LANE_BAD_NAME' }],
    });
  });
});
