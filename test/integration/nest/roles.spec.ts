import { describe, expect, it } from '@jest/globals';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import {
  type Job,
  LaneLifecycle,
  LaneModule,
  type LaneModuleOptions,
  LaneRunner,
  Process,
  Processor,
  type Queue,
} from 'nestjs-lane';
import { memory } from 'nestjs-lane/memory';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { ended, queueOf, RecordingLogger, TestApps } from '../../support/nest-app';
import { waitUntil } from '../../support/wait-until';

const apps = new TestApps();
guardAgainstLeaks();

@Processor('email')
class EmailProcessor {
  @Process()
  handle() {
    return 'email';
  }
}

@Processor('reports')
class ReportProcessor {
  @Process()
  handle() {
    return 'report';
  }
}

@Processor({ queue: 'email', connection: 'archive' })
class ArchiveProcessor {
  @Process()
  handle() {
    return 'archived';
  }
}

/** An application with two queues and a processor for each, and what it logged. */
async function start(options: LaneModuleOptions, providers: unknown[] = [EmailProcessor, ReportProcessor]) {
  const logger = new RecordingLogger();
  const app = await apps.start(
    {
      imports: [
        LaneModule.forRoot({ backend: memory(), ...options }),
        LaneModule.registerQueue('email', 'reports'),
      ],
      providers: providers as never[],
    },
    { logger },
  );
  return { app, logger, email: queueOf(app, 'email'), reports: queueOf(app, 'reports') };
}

/** What a job becomes: its result, or that it waits still when a job of another queue has ended. */
async function resultOf(queue: Queue): Promise<unknown> {
  return (await ended(queue, await queue.add('run', {}))).returnvalue;
}

/** Which queues this process works on, as it says itself. */
function workedOn(logger: RecordingLogger): string[] {
  return logger.messages('log').flatMap((line) => /^Queue "(\w+)": working/.exec(line)?.[1] ?? []);
}

/** Why an application does not start. */
async function problemsOf(options: unknown) {
  const error: unknown = await start(options as LaneModuleOptions).then(
    () => new Error('The application started.'),
    (reason: unknown) => reason,
  );
  return (error as { problems: { code: string; message: string; where: string[]; hint?: string }[] })
    .problems;
}

describe('the role of a process', () => {
  it('NA-2-07 producer: adds jobs, starts no worker, and says so without a warning', async () => {
    const { app, email, logger } = await start({ role: 'producer' });

    const { id } = await email.add('run', {});

    expect(workedOn(logger)).toEqual([]);
    expect(logger.messages('log')).toContain(
      'The default connection has role "producer": this process adds jobs and runs none.',
    );
    expect(logger.messages('warn')).toEqual([]);
    expect(app.get(LaneLifecycle).state).toBe('running');
    await expect(app.get(LaneRunner).start('email')).rejects.toMatchObject({
      code: 'LANE_NO_WORKER',
      message:
        'Queue "email" has no worker in this process, whose role is "producer". Give LaneModule.forRoot() the ' +
        'role "both" or "worker" where jobs are to run.',
    });
    expect(await email.getJobState(id)).toBe('waiting');
  });

  it('producer: needs no processors', async () => {
    const { email, logger } = await start({ role: 'producer' }, []);

    await email.add('run', {});

    expect(logger.messages('warn')).toEqual([]);
    expect(await email.count()).toBe(1);
  });

  it.each(['both', 'worker'] as const)('NA-2-07 %s: starts workers', async (role) => {
    const { email, logger } = await start({ role });

    expect(await resultOf(email)).toBe('email');
    expect(workedOn(logger)).toEqual(['email', 'reports']);
  });

  it('NA-2-08 worker: its handlers can add jobs', async () => {
    @Processor('email')
    class Adding {
      @Process()
      async handle({ name }: Job) {
        const [queue] = added;
        return name === 'run' ? (await queue!.add('next', {})).name : 'last';
      }
    }
    const added: Queue[] = [];
    const { email } = await start({ role: 'worker' }, [Adding]);
    added.push(email);

    expect(await resultOf(email)).toBe('next');
    await waitUntil(async () => (await email.getCompletedCount()) === 2, { reason: 'the added job ran' });
  });

  it('worker: is told that it has nothing to work on', async () => {
    const { logger } = await start({ role: 'worker' }, []);

    expect(logger.messages('warn')).toEqual([
      'The default connection has role "worker", but no processor works on any of its queues in this process.',
    ]);
  });

  it('NA-2-07 may come from an asynchronous factory, and is that of its connection alone', async () => {
    const logger = new RecordingLogger();
    const app = await apps.start(
      {
        imports: [
          LaneModule.forRootAsync({
            useFactory: async () => Promise.resolve({ backend: memory(), role: 'producer' as const }),
          }),
          LaneModule.forRoot('archive', { backend: memory() }),
          LaneModule.registerQueue('email', { name: 'email', connection: 'archive' }),
        ],
        providers: [EmailProcessor, ArchiveProcessor],
      },
      { logger },
    );

    expect(await resultOf(queueOf(app, 'email', 'archive'))).toBe('archived');
    expect(logger.messages('log')).toEqual([
      'The default connection has role "producer": this process adds jobs and runs none.',
      'Queue "email" of connection "archive": working, concurrency 1, jobs: any other',
    ]);
  });

  it('is one of three', async () => {
    expect(await problemsOf({ role: 'producr' })).toMatchObject([
      {
        code: 'LANE_BAD_ROLE',
        message: 'Option "role" is "producr"; it must be "both", "producer" or "worker".',
        where: ['LaneModule.forRoot() in AppModule'],
      },
    ]);
  });
});

describe('the queues that a process works on', () => {
  it.each([
    ['only', { only: ['reports'] }],
    ['except', { except: ['email'] }],
  ] as const)('NA-2-09 are chosen by %s', async (_, queues) => {
    const { app, email, reports, logger } = await start({ queues: queues });
    const { id } = await email.add('run', {});

    expect(await resultOf(reports)).toBe('report');
    expect(workedOn(logger)).toEqual(['reports']);
    expect(await email.getJobState(id)).toBe('waiting');
    await expect(app.get(LaneRunner).start(['reports', 'email'])).rejects.toMatchObject({
      code: 'LANE_NO_WORKER',
      queue: 'email',
      message: expect.stringContaining('option "queues" of LaneModule.forRoot() leaves it out'),
    });
  });

  it('NA-2-10 have to be there', async () => {
    expect(await problemsOf({ queues: { only: ['reprots', 'email'] } })).toMatchObject([
      {
        code: 'LANE_QUEUE_UNKNOWN',
        message:
          'Option "queues" has "reprots" in "only", and the default connection has no such queue. ' +
          'It has: "email", "reports".',
        where: ['queues of LaneModule.forRoot() in AppModule'],
        hint: 'Did you mean "reports"?',
      },
    ]);
    expect(await problemsOf({ queues: { except: ['zzz'] } })).toMatchObject([
      { code: 'LANE_QUEUE_UNKNOWN', message: expect.stringContaining('"zzz" in "except"') },
    ]);
  });

  it.each([
    [5],
    ['email'],
    [{}],
    [{ only: [] }],
    [{ only: 'email' }],
    [{ only: [1] }],
    [{ only: ['email'], except: ['email'] }],
  ])('are named in one way: not %j', async (queues) => {
    expect(await problemsOf({ queues })).toMatchObject([{ code: 'LANE_BAD_QUEUES' }]);
  });

  it('are named by names that are known', async () => {
    expect(await problemsOf({ queues: { onyl: ['email'] } })).toMatchObject([
      { code: 'LANE_UNKNOWN_OPTION', message: expect.stringContaining('Did you mean "only"?') },
      { code: 'LANE_BAD_QUEUES' },
    ]);
  });
});

describe('when workers start', () => {
  it('NA-2-11 manual: not before LaneRunner.start()', async () => {
    const { app, email, reports, logger } = await start({ start: 'manual' });
    const { id } = await email.add('run', {});
    expect(app.get(LaneLifecycle).state).toBe('running');
    expect(workedOn(logger)).toEqual([]);

    await app.get(LaneRunner).start('reports');
    expect(await resultOf(reports)).toBe('report');
    expect(await email.getJobState(id)).toBe('waiting');

    await app.get(LaneRunner).start();
    expect((await ended(email, (await email.getJob(id))!)).returnvalue).toBe('email');
  });

  it('NA-8-02 startWhen: after the last bootstrap hook and once it resolves; the start does not wait for it', async () => {
    const events: string[] = [];
    let warm!: () => void;
    @Injectable()
    class Cache implements OnApplicationBootstrap {
      async onApplicationBootstrap() {
        await Promise.resolve();
        events.push('bootstrap');
      }
    }
    const startWhen = () => {
      events.push('startWhen');
      return new Promise<void>((resolve) => (warm = resolve));
    };
    const { app, email, logger } = await start({ startWhen }, [EmailProcessor, Cache]);
    const { id } = await email.add('run', {});
    expect(events).toEqual(['bootstrap', 'startWhen']);
    expect(workedOn(logger)).toEqual([]);
    expect(app.get(LaneLifecycle).state).toBe('starting');

    warm();

    expect((await ended(email, (await email.getJob(id))!)).returnvalue).toBe('email');
    expect(app.get(LaneLifecycle).state).toBe('running');
  });

  it('startWhen: holds up its own connection only', async () => {
    const app = await apps.start({
      imports: [
        LaneModule.forRoot({ backend: memory(), startWhen: () => new Promise(() => undefined) }),
        LaneModule.forRoot('archive', { backend: memory() }),
        LaneModule.registerQueue('email', { name: 'email', connection: 'archive' }),
      ],
      providers: [EmailProcessor, ArchiveProcessor],
    });

    expect(await resultOf(queueOf(app, 'email', 'archive'))).toBe('archived');
    expect(app.get(LaneLifecycle).state).toBe('starting');
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('no cache'))],
    [
      'throws',
      () => {
        throw new Error('no cache');
      },
    ],
  ])(
    'NA-8-02 startWhen: when it %s, the log says so and no worker starts but by hand',
    async (_, startWhen) => {
      const { app, email, logger } = await start({ startWhen }, [EmailProcessor]);
      await waitUntil(() => app.get(LaneLifecycle).state === 'running', { reason: 'the start is over' });

      expect(logger.messages('error')).toEqual([
        'startWhen of the default connection failed, so its workers have not started; LaneRunner.start() starts them ' +
          'by hand: no cache',
      ]);
      expect(workedOn(logger)).toEqual([]);
      await app.get(LaneRunner).start();
      expect(await resultOf(email)).toBe('email');
    },
  );

  it('startWhen: is not waited for by a close, and starts nothing after it', async () => {
    let warm!: () => void;
    const startWhen = () => new Promise<void>((resolve) => (warm = resolve));
    const { app, logger } = await start({ startWhen }, [EmailProcessor]);

    await app.close();
    warm();
    await new Promise((resolve) => setImmediate(resolve));

    // A worker that ran would be left open, and the leak guard would see it.
    expect(workedOn(logger)).toEqual([]);
    expect(app.get(LaneLifecycle).state).toBe('closed');
  });

  it('is said in one way', async () => {
    expect(await problemsOf({ start: 'later' })).toMatchObject([
      { code: 'LANE_BAD_START', message: 'Option "start" is "later"; it must be "bootstrap" or "manual".' },
    ]);
    expect(await problemsOf({ startWhen: Promise.resolve() })).toMatchObject([{ code: 'LANE_BAD_START' }]);
    expect(await problemsOf({ start: 'manual', startWhen: async () => Promise.resolve() })).toMatchObject([
      { code: 'LANE_BAD_START', message: expect.stringContaining('Both') },
    ]);
  });
});
