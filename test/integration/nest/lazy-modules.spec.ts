import { describe, expect, it } from '@jest/globals';
import { Injectable, Module, type OnModuleDestroy } from '@nestjs/common';
import { LazyModuleLoader, ModuleRef } from '@nestjs/core';
import {
  InjectQueue,
  type Job,
  LaneLifecycle,
  LaneModule,
  type LaneModuleOptions,
  LaneRegistry,
  LaneRunner,
  OnQueueEvent,
  OnWorkerEvent,
  Process,
  Processor,
  type ProcessorOptions,
  Queue,
  type QueueEventOf,
  QueueEventsHost,
  QueueEventsListener,
} from 'nestjs-lane';
import { memory } from 'nestjs-lane/memory';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { ended, queueOf, RecordingLogger, TestApps } from '../../support/nest-app';
import { waitUntil } from '../../support/wait-until';

const apps = new TestApps();
guardAgainstLeaks();

@Processor('email')
class EmailProcessor {
  @Process('send')
  send() {
    return 'sent';
  }
}

const start = (options: LaneModuleOptions = {}, logger = new RecordingLogger()) =>
  apps.start(
    {
      imports: [LaneModule.forRoot({ backend: memory(), ...options }), LaneModule.registerQueue('email')],
      providers: [EmailProcessor],
    },
    { logger },
  );

describe('a module that is loaded after the start', () => {
  it('may add jobs, to queues that are there already and to its own, which close with the application', async () => {
    const app = await start();
    @Injectable()
    class Mailer {
      constructor(
        @InjectQueue('email') readonly email: Queue,
        @InjectQueue('reports') readonly reports: Queue,
      ) {}
    }
    @Module({ imports: [LaneModule.registerQueue('email', 'reports')], providers: [Mailer] })
    class MailModule {}

    const moduleRef = await app.get(LazyModuleLoader).load(() => MailModule);

    const { email, reports } = moduleRef.get(Mailer);
    expect(email).toBe(queueOf(app, 'email'));
    expect((await ended(email, await email.add('send', {}))).returnvalue).toBe('sent');
    expect(await reports.add('run', {})).toMatchObject({ name: 'run' });
    await app.close();
    await expect(reports.add('run', {})).rejects.toMatchObject({ code: 'LANE_CLOSED' });
  });

  it('may import modules that are there already, with their processors', async () => {
    @Module({
      imports: [LaneModule.registerQueue('email')],
      providers: [EmailProcessor],
      exports: [LaneModule],
    })
    class EmailModule {}
    const app = await apps.start({
      imports: [LaneModule.forRoot({ backend: memory() }), EmailModule],
    });
    @Injectable()
    class Mailer {
      constructor(@InjectQueue('email') readonly email: Queue) {}
    }
    @Module({ imports: [EmailModule], providers: [Mailer] })
    class MailModule {}

    const { email } = (await app.get(LazyModuleLoader).load(() => MailModule)).get(Mailer);

    expect((await ended(email, await email.add('send', {}))).returnvalue).toBe('sent');
  });

  /** A module with a queue of its own, whose processor handles jobs of both queues. */
  function reportModule(options?: ProcessorOptions) {
    const events: string[] = [];
    @Processor('reports')
    class ReportProcessor {
      @Process('run')
      run() {
        return 'ran';
      }
    }
    @Processor('email', options)
    class LateEmailProcessor {
      @Process('late')
      late() {
        return 'late';
      }

      @OnWorkerEvent('completed')
      onCompleted({ name }: Job) {
        events.push(name);
      }
    }
    @Module({
      imports: [LaneModule.registerQueue('reports', 'email')],
      providers: [ReportProcessor, LateEmailProcessor],
    })
    class ReportModule {}
    return { ReportModule, events };
  }

  it('NA-8-04 has its processors started by LaneRunner.register(), those of queues too that have a worker', async () => {
    const app = await start();
    const runner = app.get(LaneRunner);
    const { ReportModule, events } = reportModule();

    const moduleRef = await app.get(LazyModuleLoader).load(() => ReportModule);
    await runner.register(moduleRef);
    await runner.register(moduleRef);

    const [email, reports] = [queueOf(app, 'email'), app.get(LaneRegistry).queue('reports')];
    expect((await ended(reports, await reports.add('run', {}))).returnvalue).toBe('ran');
    expect((await ended(email, await email.add('late', {}))).returnvalue).toBe('late');
    expect((await ended(email, await email.add('send', {}))).returnvalue).toBe('sent');
    await waitUntil(() => events.length === 2, { reason: 'the late listener heard' });
    expect(events).toEqual(['late', 'send']);
    expect(app.get(LaneRegistry).workers.map(({ queue }) => queue)).toEqual(['email', 'reports']);
    await app.close();
  });

  it('NA-8-04 has its listeners to the events of a queue started by LaneRunner.register(), once', async () => {
    const logger = new RecordingLogger();
    const app = await start({}, logger);
    const heard: string[] = [];
    @QueueEventsListener('email')
    class LateEvents extends QueueEventsHost {
      @OnQueueEvent('completed')
      onCompleted({ jobId }: QueueEventOf<'email', 'completed'>) {
        heard.push(jobId);
      }
    }
    @Module({ providers: [LateEvents] })
    class EventsModule {}
    const email = queueOf(app, 'email');

    const moduleRef = await app.get(LazyModuleLoader).load(() => EventsModule);
    await app.get(LaneRunner).register(moduleRef);
    await app.get(LaneRunner).register(moduleRef);
    moduleRef.get(LateEvents).queueEvents.on('completed', ({ jobId }) => heard.push(`host ${jobId}`));
    await email.waitUntilReady();
    const { id } = await ended(email, await email.add('send', {}));
    await waitUntil(() => heard.length === 2, { reason: 'both have heard' });
    await app.close();

    expect([...heard].sort()).toEqual([id, `host ${id}`]);
    expect(logger.messages('warn').filter((line) => line.includes('LateEvents'))).toEqual([]);
  });

  it('LANE_LATE_PROCESSOR: listeners that nobody registers are told of in the log', async () => {
    const logger = new RecordingLogger();
    const app = await start({}, logger);
    @QueueEventsListener('email')
    class LateEvents {
      @OnQueueEvent('completed')
      onCompleted() {}
    }
    @Module({ imports: [LaneModule.registerQueue('email')], providers: [LateEvents] })
    class EventsModule {}

    await app.get(LazyModuleLoader).load(() => EventsModule);
    const warning = await waitUntil(
      () => logger.messages('warn').find((line) => line.includes('LateEvents')),
      { reason: 'the log tells of it' },
    );

    expect(warning).toContain(
      'LANE_LATE_PROCESSOR  LateEvents (EventsModule) came with a module that was loaded after the start, so its ' +
        'listeners hear nothing yet.',
    );
  });

  it('keeps its handlers when the worker is stopped and started', async () => {
    const app = await start({ start: 'manual' });
    const runner = app.get(LaneRunner);
    const { ReportModule } = reportModule();
    await runner.register(await app.get(LazyModuleLoader).load(() => ReportModule));
    expect(app.get(LaneRegistry).workers.map(({ state }) => state)).toEqual(['stopped', 'stopped']);

    await runner.start();
    await runner.stop();
    await runner.start();

    const email = queueOf(app, 'email');
    expect((await ended(email, await email.add('late', {}))).returnvalue).toBe('late');
  });

  it('LANE_LATE_PROCESSOR: is told of in the log when nobody registers it', async () => {
    const logger = new RecordingLogger();
    const app = await start({}, logger);
    const { ReportModule } = reportModule();

    await app.get(LazyModuleLoader).load(() => ReportModule);
    await waitUntil(() => logger.messages('warn').some((line) => line.includes('ReportProcessor')), {
      reason: 'the log tells of it',
    });

    expect(logger.messages('warn')).toContain(
      'LANE_LATE_PROCESSOR  ReportProcessor (ReportModule) came with a module that was loaded after the start, so its ' +
        'handlers take no jobs yet. Fix: call LaneRunner.register() with what LazyModuleLoader.load() resolved with.',
    );
  });

  it('is refused when it asks for other options than a worker has that is there already', async () => {
    const app = await start();
    const { ReportModule } = reportModule({ concurrency: 5 });
    const moduleRef = await app.get(LazyModuleLoader).load(() => ReportModule);

    await expect(app.get(LaneRunner).register(moduleRef)).rejects.toMatchObject({
      code: 'LANE_CONFIG',
      message: expect.stringContaining('LaneRunner.register() was refused'),
      problems: [
        {
          code: 'LANE_QUEUE_CONFLICT',
          message:
            'LateEmailProcessor asks for another "concurrency" than the worker of queue "email" has, which is there already.',
        },
      ],
    });
    expect(app.get(LaneRegistry).workers.map(({ queue }) => queue)).toEqual(['email']);
  });

  it('is refused when one of its handlers takes a name that another one takes', async () => {
    const app = await start();
    @Processor('email')
    class Again {
      @Process('send')
      send() {}
    }
    @Module({ providers: [Again] })
    class AgainModule {}
    const moduleRef = await app.get(LazyModuleLoader).load(() => AgainModule);

    await expect(app.get(LaneRunner).register(moduleRef)).rejects.toMatchObject({
      problems: [{ code: 'LANE_DUPLICATE_HANDLER' }],
    });
  });

  it('is registered by its ModuleRef, while the application runs', async () => {
    const app = await start();
    const runner = app.get(LaneRunner);
    for (const value of [undefined, {}, (await start()).get(ModuleRef)]) {
      await expect(runner.register(value as ModuleRef)).rejects.toMatchObject({
        code: 'LANE_BAD_MODULE_REF',
      });
    }
    const moduleRef = await app.get(LazyModuleLoader).load(() => reportModule().ReportModule);
    await app.get(LaneLifecycle).drain();
    await expect(runner.register(moduleRef)).rejects.toMatchObject({ code: 'LANE_DRAINING' });
  });

  it('is refused with what would have stopped the start', async () => {
    const app = await start();
    @Module({
      imports: [LaneModule.registerQueue({ name: 'email', defaults: { job: { attempts: 3 } } })],
    })
    class MailModule {}

    await expect(app.get(LazyModuleLoader).load(() => MailModule)).rejects.toMatchObject({
      code: 'LANE_CONFIG',
      problems: [{ code: 'LANE_QUEUE_CONFLICT' }],
    });
  });

  it('leaves the workers and the close of the application alone', async () => {
    const app = await start();
    const destroyed: string[] = [];
    @Injectable()
    class Database implements OnModuleDestroy {
      onModuleDestroy() {
        destroyed.push('database');
      }
    }
    @Module({ providers: [Database] })
    class DatabaseModule {}
    await app.get(LazyModuleLoader).load(() => DatabaseModule);
    const queue = queueOf(app, 'email');

    expect((await ended(queue, await queue.add('send', {}))).returnvalue).toBe('sent');
    await app.close();
    // Nest calls no hooks of modules that are loaded later.
    expect(destroyed).toEqual([]);
  });
});
