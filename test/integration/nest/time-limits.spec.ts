import { describe, expect, it } from '@jest/globals';
import {
  type Job,
  type JobContext,
  JobTimeoutError,
  LaneModule,
  OnWorkerEvent,
  Process,
  Processor,
  Queue,
} from 'nestjs-lane';
import { memory } from 'nestjs-lane/memory';
import { Observable, type UnsubscriptionError } from 'rxjs';

import { Gate } from '../../support/gate';
import { guardAgainstLeaks } from '../../support/leak-guard';
import { TestApps } from '../../support/nest-app';
import { waitUntil } from '../../support/wait-until';

const apps = new TestApps();
guardAgainstLeaks();

async function start(processor: new () => object): Promise<Queue> {
  const backend = memory();
  await apps.start({
    imports: [LaneModule.forRoot({ backend }), LaneModule.registerQueue('email')],
    providers: [processor],
  });
  return new Queue('email', { backend });
}

async function failed(queue: Queue, ...jobs: Job[]): Promise<(string | undefined)[]> {
  await waitUntil(async () => (await queue.getJobCounts('failed')).failed === jobs.length, {
    reason: 'all have failed',
  });
  return Promise.all(jobs.map(async ({ id }) => (await queue.getJob(id))!.failedReason));
}

describe('@Process with a timeout', () => {
  const reasons = new Map<string, unknown>();

  function untilAborted(job: Job, { signal }: JobContext): Promise<never> {
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        reasons.set(job.name, signal.reason);
        reject(signal.reason as Error);
      });
    });
  }

  it('limits its handler in place of the worker, and a job goes before it', async () => {
    @Processor('email', { concurrency: 5, timeout: 30 })
    class EmailProcessor {
      @Process('render', { timeout: '20ms' })
      render(job: Job, context: JobContext) {
        return untilAborted(job, context);
      }

      @Process()
      other(job: Job, context: JobContext) {
        return untilAborted(job, context);
      }
    }
    const queue = await start(EmailProcessor);
    const own = await queue.add('render', {}, { timeout: 10 });
    const render = await queue.add('render', {});
    const send = await queue.add('send', {});

    expect(await failed(queue, own, render, send)).toEqual([
      'took longer than its timeout of 10 ms',
      'took longer than its timeout of 20 ms',
      'took longer than its timeout of 30 ms',
    ]);
    expect(reasons.get('send')).toBeInstanceOf(JobTimeoutError);
    await queue.close();
  });

  it('unsubscribes from the Observable that the handler returned', async () => {
    let isTornDown = false;
    @Processor('email')
    class EmailProcessor {
      @Process('send', { timeout: 10 })
      send() {
        return new Observable(() => () => (isTornDown = true));
      }
    }
    const queue = await start(EmailProcessor);
    const job = await queue.add('send', {});

    expect(await failed(queue, job)).toEqual(['took longer than its timeout of 10 ms']);
    expect(isTornDown).toBe(true);
    await queue.close();
  });

  it('fails with what the teardown of the Observable throws, and does not end the process by it', async () => {
    const causes: unknown[] = [];
    @Processor('email')
    class EmailProcessor {
      @Process('send', { timeout: 10 })
      send() {
        return new Observable(() => () => {
          throw new Error('the connection was gone');
        });
      }

      @OnWorkerEvent('failed')
      onFailed(_job: Job, error: Error) {
        causes.push(error.cause);
      }
    }
    const queue = await start(EmailProcessor);
    const job = await queue.add('send', {});

    expect(await failed(queue, job)).toEqual(['took longer than its timeout of 10 ms']);
    await waitUntil(() => causes.length > 0, { reason: 'the worker told' });
    const { errors } = causes[0] as UnsubscriptionError;
    expect(errors).toEqual([expect.objectContaining({ message: 'the connection was gone' })]);
    await queue.close();
  });

  it('counts no time in which a job waits for its turn, and frees the turn of a handler that does not end', async () => {
    const gate = new Gate();
    const started = new Map<string, number>();
    @Processor('email', { concurrency: 3, timeoutGrace: 0 })
    class EmailProcessor {
      @Process('render', { concurrency: 1, timeout: 40 })
      render(job: Job) {
        started.set(job.id, performance.now());
        return gate.enter(job);
      }
    }
    const queue = await start(EmailProcessor);
    const jobs = await queue.addBulk(['a', 'b', 'c'].map((name) => ({ name: 'render', data: { name } })));

    expect(await failed(queue, ...jobs)).toEqual(jobs.map(() => 'took longer than its timeout of 40 ms'));

    const [first, second, third] = jobs.map(({ id }) => started.get(id)!);
    expect(second! - first!).toBeGreaterThanOrEqual(39);
    expect(third! - second!).toBeGreaterThanOrEqual(39);
    gate.open();
    await queue.close();
  });
});
