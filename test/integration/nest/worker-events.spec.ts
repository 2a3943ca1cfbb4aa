import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Job, LaneModule, OnWorkerEvent, Process, Processor } from 'nestjs-lane';
import { memory } from 'nestjs-lane/memory';

import { FailingBackend } from '../../support/failing-backend';
import { guardAgainstLeaks } from '../../support/leak-guard';
import { ended, queueOf, RecordingLogger, TestApps } from '../../support/nest-app';
import { waitUntil } from '../../support/wait-until';

const apps = new TestApps();
guardAgainstLeaks();

describe('@OnWorkerEvent', () => {
  it('NA-4-18 hears what the worker does, on the processor object, with what the event carries', async () => {
    const heard: unknown[] = [];
    @Processor('email')
    class EmailProcessor {
      readonly #heard = heard;

      @Process('send')
      send() {
        return 'sent';
      }

      @Process('fail')
      fail() {
        throw new Error('no server');
      }

      @OnWorkerEvent('completed')
      onCompleted(job: Job, result: unknown) {
        this.#heard.push(['completed', job.name, result]);
      }

      @OnWorkerEvent('failed')
      @OnWorkerEvent('active')
      onOthers(job: Job, what: unknown) {
        this.#heard.push([job.name, what instanceof Error ? what.message : what]);
      }
    }
    const app = await apps.start({
      imports: [LaneModule.forRoot(), LaneModule.registerQueue('email')],
      providers: [EmailProcessor],
    });
    const queue = queueOf(app, 'email');

    await ended(queue, await queue.add('send', {}));
    await ended(queue, await queue.add('fail', {}));
    await waitUntil(() => heard.length >= 4, { reason: 'all listeners were called' });

    expect(heard).toEqual([
      ['send', 'waiting'],
      ['completed', 'send', 'sent'],
      ['fail', 'waiting'],
      ['fail', 'no server'],
    ]);
  });

  it('hears, in every processor class of the queue, from the start of the worker to its end', async () => {
    const heard: string[] = [];
    @Processor('email')
    class FirstProcessor {
      @Process('send')
      send() {}

      @OnWorkerEvent('ready')
      @OnWorkerEvent('closing')
      @OnWorkerEvent('closed')
      onFirst() {
        heard.push('first');
      }
    }
    @Processor('email')
    class SecondProcessor {
      @Process('resend')
      resend() {}

      @OnWorkerEvent('ready')
      @OnWorkerEvent('closing')
      @OnWorkerEvent('closed')
      onSecond() {
        heard.push('second');
      }
    }
    const app = await apps.start({
      imports: [LaneModule.forRoot(), LaneModule.registerQueue('email')],
      providers: [FirstProcessor, SecondProcessor],
    });

    expect(heard).toEqual(['first', 'second']);
    await app.close();
    expect(heard).toEqual(['first', 'second', 'first', 'second', 'first', 'second']);
  });

  it('hears of errors that the worker survives, which are logged as well', async () => {
    const heard: string[] = [];
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      send() {}

      @OnWorkerEvent('error')
      onError({ message }: Error) {
        heard.push(message);
      }
    }
    const backend = new FailingBackend(memory());
    backend.plan('claimJobs', 'lose-request');
    const logger = new RecordingLogger();
    await apps.start(
      {
        imports: [LaneModule.forRoot({ backend }), LaneModule.registerQueue('email')],
        providers: [EmailProcessor],
      },
      { logger },
    );

    await waitUntil(() => heard.length > 0, { reason: 'the listener was called' });

    expect(heard).toHaveLength(1);
    expect(logger.messages('error')).toEqual([`Queue "email": ${heard[0]}`]);
    // A store that is out of service is one line.
    expect(logger.lines.filter(({ level, stack }) => level === 'error' && stack !== undefined)).toEqual([]);
  });
});

describe('T-B54 a listener that throws', () => {
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
  let collectGarbage: () => void;

  beforeAll(() => {
    process.on('unhandledRejection', onUnhandled);
    setFlagsFromString('--expose-gc');
    collectGarbage = runInNewContext('gc') as () => void;
  });

  afterAll(() => {
    process.off('unhandledRejection', onUnhandled);
  });

  it('touches no job, is reported, and leaves nothing behind', async () => {
    const broken = new Error('broken listener');
    @Processor('email', { concurrency: 50, removeOnComplete: 10 })
    class EmailProcessor {
      @Process('send')
      send() {}

      @OnWorkerEvent('completed')
      onCompleted() {
        throw broken;
      }

      @OnWorkerEvent('completed')
      async onCompletedLater() {
        throw broken;
      }
    }
    const reports = new Map<string, number>();
    const logger = new RecordingLogger();
    logger.error = (message: unknown) => {
      reports.set(String(message), (reports.get(String(message)) ?? 0) + 1);
    };
    const app = await apps.start(
      {
        imports: [LaneModule.forRoot({ backend: memory() }), LaneModule.registerQueue('email')],
        providers: [EmailProcessor],
      },
      { logger },
    );
    const queue = queueOf(app, 'email');
    const runJobs = async (count: number): Promise<void> => {
      for (let left = count; left > 0; left -= 1_000) {
        await queue.addBulk(Array.from({ length: 1_000 }, () => ({ name: 'send', data: {} })));
        await waitUntil(async () => (await queue.getJobCountByTypes('waiting', 'active')) === 0, {
          reason: 'all jobs have ended',
        });
      }
      collectGarbage();
    };

    // The event log of the store fills up to its bound first.
    await runJobs(3_000);
    const before = process.memoryUsage().heapUsed;
    await runJobs(10_000);
    const growth = process.memoryUsage().heapUsed - before;

    expect(await queue.getJobCounts('failed', 'completed')).toEqual({ failed: 0, completed: 10 });
    expect([...reports]).toEqual([
      ['Queue "email": listener EmailProcessor.onCompleted of "completed" failed: broken listener', 13_000],
      [
        'Queue "email": listener EmailProcessor.onCompletedLater of "completed" failed: broken listener',
        13_000,
      ],
    ]);
    expect(unhandled).toEqual([]);
    expect(growth).toBeLessThan(2 * 1024 * 1024);
  }, 30_000);
});
