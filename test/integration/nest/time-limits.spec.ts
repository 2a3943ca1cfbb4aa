import { describe, expect, it } from '@jest/globals';
import { createParamDecorator, type ExecutionContext, UseGuards, UseInterceptors } from '@nestjs/common';
import {
  type Job,
  type JobContext,
  JobTimeoutError,
  LaneModule,
  OnWorkerEvent,
  Process,
  Processor,
  Queue,
  switchToLane,
} from 'nestjs-lane';
import { memory } from 'nestjs-lane/memory';
import { defer, from, mergeMap, Observable, retry, type UnsubscriptionError } from 'rxjs';

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

describe('a handler whose attempt is over while something before it is waited for', () => {
  const jobOf = (context: ExecutionContext): Job => switchToLane(context).getJob();

  it('does not begin, be it a guard, an interceptor or a pipe', async () => {
    const gate = new Gate();
    const begun: string[] = [];
    const Data = createParamDecorator((_, context: ExecutionContext): unknown => jobOf(context));
    @Processor('email', { timeoutGrace: 0 })
    class EmailProcessor {
      @Process('guarded', { timeout: 10 })
      @UseGuards({ canActivate: (context: ExecutionContext) => gate.enter(jobOf(context)).then(() => true) })
      guarded({ id }: Job) {
        begun.push(id);
      }

      @Process('intercepted', { timeout: 10 })
      @UseInterceptors({
        intercept: (context, next) => from(gate.enter(jobOf(context))).pipe(mergeMap(() => next.handle())),
      })
      intercepted({ id }: Job) {
        begun.push(id);
      }

      @Process('piped', { timeout: 10 })
      piped(@Data({ transform: (job: Job) => gate.enter(job).then(() => job) }) { id }: Job) {
        begun.push(id);
      }
    }
    const queue = await start(EmailProcessor);
    const names = ['guarded', 'intercepted', 'piped'];
    const late = await queue.addBulk(names.map((name) => ({ name, data: {} })));
    await failed(queue, ...late);

    gate.open();
    const inTime = await queue.addBulk(names.map((name) => ({ name, data: {} })));

    await waitUntil(async () => (await queue.getJobCounts('completed')).completed === names.length, {
      reason: 'those that were in time have completed',
    });
    expect(begun).toEqual(inTime.map(({ id }) => id));
    await queue.close();
  });

  it('does not begin for an interceptor that tries again without end, which gets no answer some time', async () => {
    let begun = 0;
    let tries = 0;
    @Processor('email', { timeoutGrace: 0 })
    class EmailProcessor {
      @Process('send', { timeout: 10 })
      @UseInterceptors({
        intercept: (_, next) =>
          defer(() => {
            tries += 1;
            return next.handle();
          }).pipe(retry()),
      })
      async send() {
        begun += 1;
        await new Promise((resolve) => setImmediate(resolve));
        throw new Error('no server');
      }
    }
    const queue = await start(EmailProcessor);

    await failed(queue, await queue.add('send', {}));

    await waitUntil(() => tries > begun + 100, { reason: 'the handler was asked to begin in vain' });
    const triesThen = tries;
    for (let turn = 0; turn < 10; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(tries).toBe(triesThen);
    await queue.close();
  });

  it('does not begin when its job was cancelled, which has failed as that', async () => {
    const gate = new Gate();
    const aborted = new Gate();
    let hasBegun = false;
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      @UseGuards({
        canActivate: async (context: ExecutionContext) => {
          switchToLane(context)
            .getSignal()
            .addEventListener('abort', () => aborted.open());
          await Promise.all([gate.enter(jobOf(context)), aborted.enter(jobOf(context))]);
          return true;
        },
      })
      send() {
        hasBegun = true;
      }
    }
    const queue = await start(EmailProcessor);
    const job = await queue.add('send', {});
    await waitUntil(() => gate.running > 0, { reason: 'the guard is asked' });

    await queue.cancel(job.id, 'not wanted');
    gate.open();

    expect(await failed(queue, job)).toEqual(['job was cancelled: not wanted']);
    expect(hasBegun).toBe(false);
    await queue.close();
  });
});
