import { describe, expect, it } from '@jest/globals';
import {
  complete,
  discard,
  type Job,
  type JobContext,
  LaneModule,
  OnWorkerEvent,
  Process,
  Processor,
  Queue,
  RateLimited,
  snooze,
} from 'nestjs-lane';
import { memory } from 'nestjs-lane/memory';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { ended, TestApps } from '../../support/nest-app';
import { waitUntil } from '../../support/wait-until';

const apps = new TestApps();
guardAgainstLeaks();

async function startWith(processor: new () => object): Promise<Queue> {
  const backend = memory();
  const app = await apps.start({
    imports: [LaneModule.forRoot({ backend }), LaneModule.registerQueue('email')],
    providers: [processor],
  });
  const queue = new Queue('email', { backend });
  const close = app.close.bind(app);
  app.close = async (...args) => {
    await queue.close();
    await close(...args);
  };
  return queue;
}

/** What a handler can do with an outcome. */
const ways: [string, (outcome: unknown) => unknown][] = [
  ['returned', (outcome) => outcome],
  ['returned by an async handler', async (outcome) => Promise.resolve(outcome)],
  [
    'thrown',
    (outcome) => {
      throw outcome;
    },
  ],
  [
    'thrown by an async handler',
    async (outcome) => {
      await Promise.resolve();
      throw outcome;
    },
  ],
];

/** Starts an application whose handler `send` does the same each time but for the first one. */
async function startDoing(
  first: () => unknown,
): Promise<{ queue: Queue; runs: number[]; failures: Error[] }> {
  const runs: number[] = [];
  const failures: Error[] = [];
  @Processor('email')
  class EmailProcessor {
    @Process('send')
    send() {
      runs.push(performance.now());
      return runs.length === 1 ? first() : 'sent';
    }

    @OnWorkerEvent('failed')
    onFailed(_job: Job, error: Error) {
      failures.push(error);
    }
  }
  return { queue: await startWith(EmailProcessor), runs, failures };
}

describe('what a @Process handler says about its job', () => {
  it.each([
    ['a value', 'sent'],
    ['a promise', Promise.resolve('sent')],
    ['complete(), returned', complete('sent')],
  ])('NA-4-09 completes it: %s', async (_, returned) => {
    const { queue } = await startDoing(() => returned);

    const job = await ended(queue, await queue.add('send', {}));

    expect(await job.getState()).toBe('completed');
    expect(job.returnvalue).toBe('sent');
  });

  it.each(ways)('NA-4-10 snooze() delays it, and no attempt is used: %s', async (_, say) => {
    const { queue, runs, failures } = await startDoing(() => say(snooze('30ms')));

    const job = await ended(queue, await queue.add('send', {}, { attempts: 1 }));

    expect(job).toMatchObject({ returnvalue: 'sent', attemptsMade: 1, attemptsStarted: 2 });
    expect(runs[1]! - runs[0]!).toBeGreaterThanOrEqual(29);
    expect(failures).toEqual([]);
  });

  it.each(ways)('NA-4-11 discard() fails it without retry, with a code: %s', async (_, say) => {
    const { queue, failures } = await startDoing(() => say(discard('the user is gone')));

    const job = await ended(queue, await queue.add('send', {}, { attempts: 5 }));

    expect(job).toMatchObject({
      attemptsMade: 1,
      failedReason: 'the user is gone',
      failedCode: 'discarded',
    });
    expect(failures.map(({ message }) => message)).toEqual(['the user is gone']);
  });

  it('NA-4-11 discard() with `remove` keeps nothing of it', async () => {
    const { queue, failures } = await startDoing(() => discard('a duplicate', { remove: true }));

    const { id } = await queue.add('send', {}, { attempts: 5 });
    await waitUntil(() => failures.length > 0, { reason: 'the worker has told' });

    expect(await queue.getJob(id)).toBeUndefined();
  });

  it.each(ways)('complete() completes it: %s', async (_, say) => {
    const { queue } = await startDoing(() => say(complete({ sent: 2 })));

    const job = await ended(queue, await queue.add('send', {}));

    expect(job.returnvalue).toEqual({ sent: 2 });
  });

  it('NA-4-13 RateLimited hands it back, and no job of the queue is claimed for that time', async () => {
    const { queue, runs, failures } = await startDoing(() => {
      throw new RateLimited('60ms');
    });

    const [first, second] = await queue.addBulk([
      { name: 'send', data: {}, opts: { attempts: 1 } },
      { name: 'send', data: {} },
    ]);
    const job = await ended(queue, first!);
    await ended(queue, second!);

    expect(job).toMatchObject({ returnvalue: 'sent', attemptsMade: 1, attemptsStarted: 2 });
    expect(runs[1]! - runs[0]!).toBeGreaterThanOrEqual(59);
    expect(failures).toEqual([]);
  });
});

describe('what ends the run of a @Process handler', () => {
  it('NA-5-14 a timeout aborts the signal first, and is a failed attempt with a code', async () => {
    const steps: string[] = [];
    @Processor('email')
    class EmailProcessor {
      @Process('send', { timeout: 20 })
      send(_job: Job, { signal }: JobContext) {
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            steps.push(`aborted: ${(signal.reason as Error).name}`);
            reject(signal.reason as Error);
          });
        });
      }

      @OnWorkerEvent('failed')
      onFailed(job: Job) {
        steps.push(`failed, attempts ${job.attemptsMade}`);
      }
    }
    const queue = await startWith(EmailProcessor);

    const job = await ended(queue, await queue.add('send', {}, { attempts: 2 }));
    await waitUntil(() => steps.length === 4, { reason: 'the worker has told' });

    expect(job).toMatchObject({ attemptsMade: 2, failedCode: 'timeout' });
    expect(steps).toEqual([
      'aborted: JobTimeoutError',
      'failed, attempts 1',
      'aborted: JobTimeoutError',
      'failed, attempts 2',
    ]);
  });

  it('NA-5-15 a cancelled job fails as such, without retry', async () => {
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      send(_job: Job, { signal }: JobContext) {
        return new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve(snooze('1h')));
        });
      }
    }
    const queue = await startWith(EmailProcessor);
    const added = await queue.add('send', {}, { attempts: 5 });
    await waitUntil(() => added.isActive(), { reason: 'the handler runs' });

    await queue.cancel(added.id, 'not wanted');
    const job = await ended(queue, added);

    expect(job).toMatchObject({
      attemptsMade: 1,
      failedCode: 'cancelled',
      failedReason: 'job was cancelled: not wanted',
    });
  });

  it('NA-5-16 a lost lease aborts the signal, and nothing is written', async () => {
    const told: string[] = [];
    @Processor('email', { lockDuration: 60, lockRenewTime: 20 })
    class EmailProcessor {
      @Process('send')
      send(_job: Job, { signal }: JobContext) {
        return new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            told.push((signal.reason as { code: string }).code);
            resolve('sent');
          });
        });
      }

      @OnWorkerEvent('completed')
      onCompleted() {
        told.push('completed');
      }

      @OnWorkerEvent('error')
      onError(error: Error & { code: string }) {
        told.push(error.code);
      }
    }
    const queue = await startWith(EmailProcessor);
    const { id } = await queue.add('send', {});
    await waitUntil(async () => (await queue.getJobState(id)) === 'active', { reason: 'the handler runs' });

    await queue.obliterate({ force: true });
    await waitUntil(() => told.length === 2, { reason: 'the outcome is refused' });

    expect(told).toEqual(['LANE_LEASE_LOST', 'LANE_JOB_NOT_FOUND']);
    expect(await queue.getJob(id)).toBeUndefined();
  });
});
