import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import {
  defineQueue,
  getQueueToken,
  getWorkerToken,
  InjectQueue,
  InjectWorker,
  job,
  type JobOf,
  type LaneConfigError,
  LaneModule,
  type LaneModuleOptions,
  LaneRegistry,
  LaneRunner,
  OnQueueEvent,
  Process,
  Processor,
  Queue,
  QueueEventsListener,
  type QueueOf,
  type StandardSchema,
  WorkerHandle,
} from 'nestjs-lane';
import { memory } from 'nestjs-lane/memory';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { ended, queueOf, RecordingLogger, rootModule, TestApps } from '../../support/nest-app';
import { waitUntil } from '../../support/wait-until';

const apps = new TestApps();
guardAgainstLeaks();

interface Letter {
  to: string;
}

/** Takes letters, and trims whom they are to. */
const LetterSchema: StandardSchema<Letter> = {
  '~standard': {
    version: 1,
    vendor: 'hand',
    validate: (value) => {
      const { to } = value as { to?: unknown };
      return typeof to === 'string'
        ? { value: { to: to.trim() } }
        : { issues: [{ message: 'must be a text', path: ['to'] }] };
    },
  },
};

const Email = defineQueue('email', {
  send: job<Letter, string>({ schema: LetterSchema, attempts: 3 }),
  digest: job<{ userId: string }, number>(),
});

@Processor(Email)
class EmailProcessor {
  @Process(Email.jobs.send)
  send({ data }: JobOf<typeof Email, 'send'>): string {
    return `sent to ${data.to}`;
  }

  @Process(Email.jobs.digest, { concurrency: 1 })
  digest(): Promise<number> {
    return Promise.resolve(7);
  }
}

@Processor(Email)
class SendOnly {
  @Process(Email.jobs.send)
  send(): string {
    return 'sent';
  }
}

describe('A queue of a definition in an application', () => {
  async function problemsOf(
    providers: (new () => object)[],
    queues: Parameters<typeof LaneModule.registerQueue>,
    options: LaneModuleOptions = {},
  ): Promise<LaneConfigError['problems']> {
    const started = apps.start(
      rootModule({
        imports: [LaneModule.forRoot({ backend: memory(), ...options }), LaneModule.registerQueue(...queues)],
        providers,
      }),
    );
    return started.then(
      () => [],
      (error: unknown) => (error as LaneConfigError).problems,
    );
  }

  it('NA-2-18 NA-3-02 is registered, injected and worked on by its definition', async () => {
    @Injectable()
    class Producer {
      constructor(
        @InjectQueue(Email) readonly email: QueueOf<typeof Email>,
        @InjectQueue('plain') readonly plain: Queue,
        @InjectQueue('other') readonly other: Queue,
      ) {}
    }
    const app = await apps.start(
      rootModule({
        imports: [
          LaneModule.forRoot({ backend: memory() }),
          LaneModule.registerQueue('plain', Email, { name: 'other' }),
        ],
        providers: [EmailProcessor, Producer],
      }),
    );
    const { email, plain, other } = app.get(Producer);

    await expect(email.run('send', { to: ' ann ' })).resolves.toBe('sent to ann');
    await expect(email.run('digest', { userId: 'u1' })).resolves.toBe(7);
    await expect(email.add('send', {} as Letter)).rejects.toMatchObject({ code: 'LANE_INVALID_DATA' });
    expect([plain.name, other.name]).toEqual(['plain', 'other']);
    expect(app.get(getQueueToken(Email), { strict: false })).toBe(email);
  });

  it('NA-3-02 is listened to, looked up and chosen by its definition', async () => {
    @QueueEventsListener(Email)
    class EmailEvents {
      readonly completed: string[] = [];

      @OnQueueEvent('completed')
      onCompleted({ jobId }: { jobId: string }) {
        this.completed.push(jobId);
      }
    }
    @Injectable()
    class Throttle {
      constructor(@InjectWorker(Email) readonly worker: WorkerHandle) {}
    }
    const app = await apps.start(
      rootModule({
        imports: [LaneModule.forRoot({ backend: memory() }), LaneModule.registerQueue(Email)],
        providers: [EmailProcessor, EmailEvents, Throttle],
      }),
    );
    const { worker } = app.get(Throttle);
    const runner = app.get(LaneRunner);
    const states: string[] = [];
    for (const [call, chosen] of [
      ['stop', Email],
      ['start', [Email]],
      ['pause', { queue: Email }],
      ['resume', [{ queue: Email, connection: 'default' }]],
    ] as const) {
      await runner[call](chosen);
      states.push(worker.state);
    }

    expect(states).toEqual(['stopped', 'running', 'paused', 'running']);
    expect(app.get(getWorkerToken(Email), { strict: false })).toBe(worker);
    const email = app.get(LaneRegistry).queue(Email);
    expect(email).toBe(queueOf(app, 'email'));
    const { id } = await email.add('send', { to: 'ann' });
    await waitUntil(() => app.get(EmailEvents).completed.length > 0, { reason: 'the event was heard' });
    expect(app.get(EmailEvents).completed).toEqual([id]);
  });

  it('NA-3-05 refuses a handler of a job at compile time that returns something else than its result', async () => {
    // All forms of handlers are in test/types.
    @Processor(Email)
    class Wrong {
      // @ts-expect-error -- the result is a text
      @Process(Email.jobs.send)
      send(): Promise<number> {
        return Promise.resolve(1);
      }

      @Process(Email.jobs.digest)
      digest(): number {
        return 7;
      }
    }

    expect(await problemsOf([Wrong], [Email])).toEqual([]);
  });

  it('NA-3-03 refuses names, data and options at compile time that do not belong together', async () => {
    const email: QueueOf<typeof Email> = new Queue(Email, { backend: memory() });

    // @ts-expect-error -- the data of another name
    await expect(email.add('send', { userId: 'u1' })).rejects.toThrow('is invalid');
    // @ts-expect-error -- no such name
    await expect(email.addBulk([{ name: 'sned', data: { to: 'ann' } }])).rejects.toThrow('"send"');
    // @ts-expect-error -- no such option
    await expect(email.add('send', { to: 'ann' }, { attemps: 1 })).rejects.toThrow('"attempts"');
    await email.close();
  });

  it('NA-3-06 leaves queues and handlers that are given by name unchecked', async () => {
    @Processor('plain')
    class PlainProcessor {
      @Process('send')
      send(): number {
        return 1;
      }
    }
    const app = await apps.start({
      imports: [LaneModule.forRoot({ backend: memory() }), LaneModule.registerQueue('plain')],
      providers: [PlainProcessor],
    });
    const plain: Queue = queueOf(app, 'plain');

    await expect(plain.run('send', { whatever: 1 })).resolves.toBe(1);
  });

  it('NA-12-02 has the token of its name', () => {
    expect(getQueueToken(Email)).toBe(getQueueToken('email'));
    expect(getQueueToken(Email, 'reports')).toBe('LaneQueue("email", connection "reports")');
  });

  it('validates what others have added before its handler runs, and fails it for good', async () => {
    const backend = memory();
    const plain = new Queue('email', { backend });
    const app = await apps.start(
      rootModule({
        imports: [LaneModule.forRoot({ backend }), LaneModule.registerQueue({ name: Email })],
        providers: [EmailProcessor],
      }),
    );

    const bad = await ended(queueOf(app, 'email'), await plain.add('send', { to: 7 }, { attempts: 3 }));
    const good = await ended(queueOf(app, 'email'), await plain.add('send', { to: ' bob ' }));
    await plain.close();

    expect(bad).toMatchObject({ failedCode: 'invalid', attemptsMade: 1 });
    expect(bad.failedReason).toContain('to: must be a text');
    expect(good.returnvalue).toBe('sent to bob');
  });

  it('NA-3-17 stops the start when definitions of one queue differ', async () => {
    const Other = defineQueue('email', { send: job() });

    for (const queues of [[Email, Other], [Email, 'email'], [Other], ['email']] as const) {
      const problems = await problemsOf([EmailProcessor], [...queues]);
      expect(problems.map(({ code }) => code)).toContain('LANE_QUEUE_CONFLICT');
    }
    expect(await problemsOf([EmailProcessor], [Email, Email])).toEqual([]);
  });

  it('NA-3-17 stops the start when a handler is given a job of another definition', async () => {
    const Other = defineQueue('email', { send: job<Letter, string>() });
    @Processor('email')
    class OfOther {
      @Process(Other.jobs.send)
      send(): string {
        return '';
      }
    }

    const problems = await problemsOf([OfOther], [Email]);

    expect(problems.map(({ code }) => code)).toContain('LANE_QUEUE_CONFLICT');
  });

  it('stops the start when a handler is given a job of another queue', async () => {
    const Reports = defineQueue('reports', { make: job<void, string>() });
    @Processor(Email)
    class Mixed {
      @Process(Reports.jobs.make)
      make(): string {
        return '';
      }

      @Process()
      other(): void {}
    }

    const problems = await problemsOf([Mixed], [Email]);

    expect(problems).toMatchObject([
      {
        code: 'LANE_OTHER_QUEUE',
        message: expect.stringContaining('"reports"'),
        where: [expect.stringContaining('Mixed.make')],
      },
    ]);
  });

  it.each([
    [{}, 1],
    [{ role: 'producer' }, 0],
    [{ queues: { except: ['email'] } }, 0],
  ] as const)(
    'NA-3-15 NA-11-09 warns of names without a handler where it works on the queue: %j',
    async (work, count) => {
      const logger = new RecordingLogger();
      await apps.start(
        rootModule({
          imports: [LaneModule.forRoot({ backend: memory(), ...work }), LaneModule.registerQueue(Email)],
          providers: [SendOnly],
        }),
        { logger },
      );

      const warnings = logger.messages('warn').filter((text) => text.includes('LANE_HANDLER_MISSING'));

      expect(warnings).toHaveLength(count);
      expect(warnings.every((text) => text.includes('"digest"') && !text.includes('"send"'))).toBe(true);
    },
  );

  it('NA-2-17 NA-11-09 stops the start for names without a handler with strictHandlers', async () => {
    expect(await problemsOf([SendOnly], [Email], { strictHandlers: true })).toMatchObject([
      { code: 'LANE_HANDLER_MISSING', message: expect.stringContaining('"digest"') },
    ]);
    expect(await problemsOf([EmailProcessor], [Email], { strictHandlers: true })).toEqual([]);
    expect(await problemsOf([], [Email], { strictHandlers: true })).toEqual([]);
    expect(await problemsOf([], [Email], { strictHandlers: 1 as never })).toMatchObject([
      { code: 'LANE_BAD_FLAG' },
    ]);
  });
});
