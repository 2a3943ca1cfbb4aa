import { describe, expect, it } from '@jest/globals';
import { Injectable, Module, type ModuleMetadata, type Provider } from '@nestjs/common';
import { LaneModule, OnWorkerEvent, Process, Processor } from 'nestjs-lane';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { ended, queueOf, RecordingLogger, TestApps } from '../../support/nest-app';
import { waitUntil } from '../../support/wait-until';

const apps = new TestApps();
guardAgainstLeaks();

@Injectable()
class Mailer {
  readonly name = 'mailer';
}

@Processor('email')
class EmailProcessor {
  readonly heard: string[] = [];

  constructor(readonly mailer: Mailer) {}

  @Process('send')
  send() {
    return `sent by ${this.mailer.name}`;
  }

  @OnWorkerEvent('completed')
  onCompleted() {
    this.heard.push('completed');
  }
}

class DerivedProcessor extends EmailProcessor {}

/** Starts an application with these providers and runs one job. */
async function resultWith(
  providers: Provider[],
  imports: ModuleMetadata['imports'] = [],
  name = 'send',
): Promise<unknown> {
  const app = await apps.start({
    imports: [LaneModule.forRoot(), LaneModule.registerQueue('email'), ...imports],
    providers: [Mailer, ...providers],
  });
  const queue = queueOf(app, 'email');
  return (await ended(queue, await queue.add(name, {}))).returnvalue;
}

describe('T-N11 a processor is found once, however it is provided', () => {
  const forms: [string, Provider[]][] = [
    ['by class', [EmailProcessor]],
    ['by class, under another token', [{ provide: 'PROCESSOR', useClass: EmailProcessor }]],
    [
      'by a factory',
      [
        {
          provide: 'PROCESSOR',
          useFactory: (mailer: Mailer) => new EmailProcessor(mailer),
          inject: [Mailer],
        },
      ],
    ],
    [
      'by an asynchronous factory',
      [
        {
          provide: EmailProcessor,
          useFactory: async (mailer: Mailer) => new EmailProcessor(mailer),
          inject: [Mailer],
        },
      ],
    ],
    ['as a value', [{ provide: EmailProcessor, useValue: new EmailProcessor(new Mailer()) }]],
    ['with an alias', [EmailProcessor, { provide: 'ALIAS', useExisting: EmailProcessor }]],
    [
      'with a factory that returns the same object',
      [
        EmailProcessor,
        {
          provide: 'SAME',
          useFactory: (processor: EmailProcessor) => processor,
          inject: [EmailProcessor],
        },
      ],
    ],
    ['by a subclass without a decorator', [DerivedProcessor]],
    [
      'by a factory of a subclass',
      [
        {
          provide: EmailProcessor,
          useFactory: (mailer: Mailer) => new DerivedProcessor(mailer),
          inject: [Mailer],
        },
      ],
    ],
  ];

  it.each(forms)('%s', async (_, providers) => {
    expect(await resultWith(providers)).toBe('sent by mailer');
  });

  it('in several modules, as the same object', async () => {
    const processor = new EmailProcessor(new Mailer());
    @Module({ providers: [{ provide: EmailProcessor, useValue: processor }] })
    class FirstModule {}
    @Module({ providers: [{ provide: 'PROCESSOR', useValue: processor }] })
    class SecondModule {}

    expect(await resultWith([], [FirstModule, SecondModule])).toBe('sent by mailer');
    await waitUntil(() => processor.heard.length > 0, { reason: 'the listener was called' });
    expect(processor.heard).toEqual(['completed']);
  });

  it('in a module that is imported by several', async () => {
    @Module({ providers: [Mailer, EmailProcessor], exports: [EmailProcessor] })
    class EmailModule {}
    @Module({ imports: [EmailModule] })
    class OtherModule {}

    expect(await resultWith([], [EmailModule, OtherModule])).toBe('sent by mailer');
  });

  it('NA-4-07 with handlers of its base class, and of the base class of that', async () => {
    abstract class Handlers {
      @Process('send')
      send() {
        return `${this.prefix()} base`;
      }

      abstract prefix(): string;
    }
    abstract class MoreHandlers extends Handlers {
      @Process('resend')
      resend() {
        return 'resent';
      }
    }
    @Processor('email')
    class OwnProcessor extends MoreHandlers {
      override prefix() {
        return 'own';
      }
    }

    expect(await resultWith([OwnProcessor])).toBe('own base');
    expect(await resultWith([OwnProcessor], [], 'resend')).toBe('resent');
  });

  it('with its own handler in place of one it overrides', async () => {
    @Processor('email')
    class OwnProcessor extends EmailProcessor {
      @Process('send')
      override send() {
        return 'overridden';
      }
    }

    expect(await resultWith([OwnProcessor])).toBe('overridden');
  });

  it('NA-4-07 with an override that has no decorator, which is told', async () => {
    @Processor('email')
    class OwnProcessor extends EmailProcessor {
      override send() {
        return 'overridden';
      }
    }
    const logger = new RecordingLogger();
    const app = await apps.start(
      {
        imports: [LaneModule.forRoot(), LaneModule.registerQueue('email')],
        providers: [Mailer, OwnProcessor],
      },
      { logger },
    );
    const queue = queueOf(app, 'email');

    expect((await ended(queue, await queue.add('send', {}))).returnvalue).toBe('overridden');
    expect(logger.messages('warn')).toEqual([
      'OwnProcessor.send overrides a method with @Process and has none itself; it handles the jobs of the method it ' +
        'overrides. Put @Process on it to say so.',
    ]);
  });
});

describe('other providers do no harm', () => {
  const others: [string, Provider][] = [
    ['an object without a prototype', { provide: 'BARE', useValue: Object.create(null) as object }],
    ['a number', { provide: 'NUMBER', useValue: 42 }],
    ['nothing', { provide: 'NOTHING', useValue: null }],
    ['a factory that makes nothing', { provide: 'NOTHING', useFactory: () => undefined }],
    ['a function', { provide: 'FUNCTION', useValue: () => undefined }],
    ['a class as a value', { provide: 'CLASS', useValue: EmailProcessor }],
    ['a frozen object', { provide: 'FROZEN', useValue: Object.freeze({}) }],
    [
      'an object that answers to every name',
      {
        provide: 'MOCK',
        useValue: new Proxy({}, { get: (_, key) => (key === 'then' ? undefined : () => undefined) }),
      },
    ],
    [
      'an object whose properties throw',
      {
        provide: 'THROWING',
        useValue: Object.defineProperty<object>({}, 'broken', {
          enumerable: true,
          get: () => {
            throw new Error('not now');
          },
        }),
      },
    ],
  ];

  it.each(others)('%s', async (_, provider) => {
    expect(await resultWith([EmailProcessor, provider])).toBe('sent by mailer');
  });
});
