import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import {
  discard,
  type Job,
  LaneEvents,
  LaneModule,
  OnJobExhausted,
  OnWorkerEvent,
  Process,
  Processor,
  UnrecoverableError,
} from 'nestjs-lane';
import { memory } from 'nestjs-lane/memory';
import { LaneHarness, LaneTestingModule } from 'nestjs-lane/testing';

import { Gate } from '../../support/gate';
import { guardAgainstLeaks } from '../../support/leak-guard';
import { ended, queueOf, RecordingLogger, TestApps } from '../../support/nest-app';
import { waitUntil } from '../../support/wait-until';

const apps = new TestApps();
guardAgainstLeaks();

@Injectable()
class Alerts {
  readonly opened: unknown[] = [];
}

@Processor('email')
class EmailProcessor {
  constructor(readonly alerts: Alerts) {}

  @Process('send')
  send() {
    throw new Error('no server');
  }

  @Process('refuse')
  refuse() {
    throw new UnrecoverableError('no address');
  }

  @Process('drop')
  drop() {
    return discard('nobody wants it');
  }

  @Process('fine')
  fine() {}

  @OnJobExhausted()
  gaveUp({ name, attemptsMade }: Job, { message }: Error) {
    this.alerts.opened.push([name, message, attemptsMade]);
  }
}

const imports = () => [LaneModule.forRoot(), LaneModule.registerQueue('email')];

describe('@OnJobExhausted', () => {
  it('NA-4-24 is called once, with the last of the attempts or a final error, on the processor with what it injects', async () => {
    const app = await apps.start({ imports: imports(), providers: [Alerts, EmailProcessor] });
    const queue = queueOf(app, 'email');

    for (const name of ['send', 'refuse', 'drop', 'fine']) {
      await ended(queue, await queue.add(name, {}, { attempts: 3 }));
    }
    const cancelled = await queue.add('send', {}, { delay: '1h' });
    await queue.cancel(cancelled.id);

    expect(app.get(Alerts).opened).toEqual([
      ['send', 'no server', 2],
      ['refuse', 'no address', 0],
    ]);
  });

  it('NA-4-24 with a name is called for jobs of that name, in a class of its own too', async () => {
    const called: string[] = [];
    @Processor('email')
    class Others {
      @Process('other')
      other() {
        throw new UnrecoverableError('broken');
      }

      @OnJobExhausted('send')
      onSend({ name }: Job) {
        called.push(name);
      }
    }
    const app = await apps.start({ imports: imports(), providers: [Alerts, EmailProcessor, Others] });
    const queue = queueOf(app, 'email');

    await ended(queue, await queue.add('other', {}));
    await ended(queue, await queue.add('send', {}));

    expect(called).toEqual(['send']);
    expect(app.get(Alerts).opened).toHaveLength(2);
  });

  it('NA-4-24 has ended before the failure is written or told', async () => {
    const gate = new Gate();
    const order: string[] = [];
    @Processor('email')
    class SlowProcessor {
      @Process()
      handle() {
        throw new Error('broken');
      }

      @OnJobExhausted()
      async gaveUp(job: Job) {
        await gate.enter(job);
        order.push('gave up');
      }

      @OnWorkerEvent('failed')
      onFailed() {
        order.push('failed');
      }
    }
    const app = await apps.start({ imports: imports(), providers: [SlowProcessor] });
    const queue = queueOf(app, 'email');
    queue.events$.subscribe(({ type }) => type === 'failed' && order.push('told'));

    const job = await queue.add('send', {});
    await waitUntil(() => gate.running === 1, { reason: 'the listener runs' });
    expect(await job.getState()).toBe('active');
    gate.open();
    await ended(queue, job);
    await waitUntil(() => order.length === 3, { reason: 'everybody was told' });

    expect(order[0]).toBe('gave up');
  });

  it('NA-4-24 changes nothing by what it throws, which is logged and counted', async () => {
    @Processor('email')
    class BrokenProcessor extends EmailProcessor {
      @OnJobExhausted()
      override gaveUp() {
        throw new Error('no alerts');
      }

      @OnJobExhausted()
      async rejects() {
        throw new Error('none either');
      }
    }
    const logger = new RecordingLogger();
    const app = await apps.start({ imports: imports(), providers: [Alerts, BrokenProcessor] }, { logger });
    const queue = queueOf(app, 'email');

    const job = await ended(queue, await queue.add('send', {}));

    expect(job.failedReason).toBe('no server');
    expect(logger.messages('error')).toEqual([
      'Queue "email": listener BrokenProcessor.gaveUp of "exhausted" failed: no alerts',
      'Queue "email": listener BrokenProcessor.rejects of "exhausted" failed: none either',
    ]);
    expect(app.get(LaneEvents).listenerFailures).toMatchObject([
      { listener: 'BrokenProcessor.gaveUp', event: 'exhausted', count: 1 },
      { listener: 'BrokenProcessor.rejects', event: 'exhausted', count: 1 },
    ]);
  });

  it('NA-4-24 is waited for 5 seconds at most, by the clock of the queue', async () => {
    const gate = new Gate();
    @Processor('email')
    class StuckProcessor {
      @Process()
      handle() {
        throw new Error('broken');
      }

      @OnJobExhausted()
      async gaveUp(job: Job) {
        await gate.enter(job);
      }
    }
    const logger = new RecordingLogger();
    const app = await apps.start(
      { imports: [LaneTestingModule.register({ mode: 'auto' }), ...imports()], providers: [StuckProcessor] },
      { logger },
    );
    const { clock } = app.get(LaneHarness);
    const queue = queueOf(app, 'email');
    const job = await queue.add('send', {});
    await waitUntil(() => gate.running === 1, { reason: 'the listener runs' });

    expect(await job.getState()).toBe('active');
    await clock.advance('5s');
    await ended(queue, job);
    gate.open();

    expect(await job.getState()).toBe('failed');
    expect(logger.messages('error')).toEqual([
      'Queue "email": listener StuckProcessor.gaveUp of "exhausted" failed: it takes longer than 5 s, and is not waited for any more',
    ]);
  });

  it('that has not ended when the application closes leaves its job failed, not handed back', async () => {
    const backend = memory();
    const gate = new Gate();
    @Processor('email')
    class StuckProcessor {
      @Process()
      handle() {
        throw new Error('broken');
      }

      @OnJobExhausted()
      async gaveUp(job: Job) {
        await gate.enter(job);
      }
    }
    const shutdown = { drain: 20, abort: 20, close: 20 };
    const app = await apps.start({
      imports: [LaneModule.forRoot({ backend, shutdown }), LaneModule.registerQueue('email')],
      providers: [StuckProcessor],
    });
    const { id } = await queueOf(app, 'email').add('send', {});
    await waitUntil(() => gate.running === 1, { reason: 'the listener runs' });

    await app.close();
    gate.open();
    const other = await apps.start({
      imports: [LaneModule.forRoot({ backend }), LaneModule.registerQueue('email')],
    });

    expect((await queueOf(other, 'email').getJob(id))?.failedReason).toBe('broken');
  });

  it('with a name that is no name of a job, or outside a processor, stops the start', async () => {
    class Lost {
      @OnJobExhausted('')
      gaveUp() {}
    }
    @Processor('email')
    class Misnamed extends EmailProcessor {
      @OnJobExhausted('')
      misnamed() {}
    }

    await expect(
      apps.start({ imports: imports(), providers: [Alerts, Lost, Misnamed] }),
    ).rejects.toMatchObject({
      problems: [
        { code: 'LANE_NO_PROCESSOR', where: ['Lost.gaveUp', 'Lost (AppModule)'] },
        { code: 'LANE_BAD_JOB_NAME', where: ["@OnJobExhausted('') on Misnamed.misnamed"] },
      ],
    });
  });
});
