import { describe, expect, it } from '@jest/globals';
import { Injectable, Module, type OnModuleDestroy } from '@nestjs/common';
import { LazyModuleLoader } from '@nestjs/core';
import { InjectQueue, LaneModule, Process, Processor, Queue } from 'nestjs-lane';
import { memory } from 'nestjs-lane/memory';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { ended, queueOf, TestApps } from '../../support/nest-app';

const apps = new TestApps();
guardAgainstLeaks();

@Processor('email')
class EmailProcessor {
  @Process('send')
  send() {
    return 'sent';
  }
}

const start = () =>
  apps.start({
    imports: [LaneModule.forRoot({ backend: memory() }), LaneModule.registerQueue('email')],
    providers: [EmailProcessor],
  });

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

  it('LANE_LATE_PROCESSOR: is refused with a processor, whose jobs nobody would take', async () => {
    const app = await start();
    @Processor('reports')
    class ReportProcessor {
      @Process('run')
      run() {}
    }
    @Module({ imports: [LaneModule.registerQueue('reports')], providers: [ReportProcessor] })
    class ReportModule {}

    await expect(app.get(LazyModuleLoader).load(() => ReportModule)).rejects.toMatchObject({
      code: 'LANE_CONFIG',
      problems: [
        {
          code: 'LANE_LATE_PROCESSOR',
          message:
            'ReportProcessor came with a module that was loaded after the start, so its handlers take no jobs.',
          where: ['ReportProcessor (ReportModule)'],
          fix: 'import ReportModule in a module that is there from the start; a module that is loaded later may add jobs.',
        },
      ],
    });
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
