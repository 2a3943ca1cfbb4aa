import { AsyncLocalStorage } from 'node:async_hooks';

import { describe, expect, it } from '@jest/globals';
import { BadRequestException, type NestInterceptor, UseInterceptors } from '@nestjs/common';
import { type Job, LaneModule, Process, Processor } from 'nestjs-lane';
import { memory } from 'nestjs-lane/memory';
import { catchError, defer, EMPTY, from, map, Observable, of, throwError } from 'rxjs';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { ended, queueOf, TestApps } from '../../support/nest-app';

const apps = new TestApps();
guardAgainstLeaks();

async function startWith(...providers: (new () => object)[]) {
  const app = await apps.start({
    imports: [LaneModule.forRoot({ backend: memory() }), LaneModule.registerQueue('email')],
    providers,
  });
  return queueOf(app, 'email');
}

function interceptorThat(intercept: NestInterceptor['intercept']): NestInterceptor {
  return { intercept };
}

describe('interceptors of job handlers', () => {
  it('map what a handler returns, a promise or each value of an Observable', async () => {
    const seen: unknown[] = [];
    @UseInterceptors(
      interceptorThat((_, next) =>
        next.handle().pipe(
          map((value) => {
            seen.push(value);
            return `<${value}>`;
          }),
        ),
      ),
    )
    @Processor('email')
    class EmailProcessor {
      @Process('promise')
      promise() {
        return Promise.resolve('sent');
      }

      @Process('stream')
      stream() {
        return from(['a', 'b']);
      }
    }
    const queue = await startWith(EmailProcessor);

    expect((await ended(queue, await queue.add('promise', {}))).returnvalue).toBe('<sent>');
    expect((await ended(queue, await queue.add('stream', {}))).returnvalue).toBe('<b>');
    expect(seen).toEqual(['sent', 'a', 'b']);
  });

  it('NA-5-13 with an empty stream complete the job without a result', async () => {
    @Processor('email')
    class EmailProcessor {
      @UseInterceptors(interceptorThat(() => EMPTY))
      @Process('send')
      send() {
        return 'sent';
      }
    }
    const queue = await startWith(EmailProcessor);

    const job = await ended(queue, await queue.add('send', {}));

    expect(await job.getState()).toBe('completed');
    expect(job.returnvalue).toBeNull();
  });

  it('NA-5-11 that throw are a failed attempt, before the handler and after, and so are handlers', async () => {
    const runs: string[] = [];
    @Processor('email')
    class EmailProcessor {
      @UseInterceptors(interceptorThat(() => throwError(() => new Error('before'))))
      @Process('before')
      before() {
        runs.push('before');
      }

      @UseInterceptors(
        interceptorThat((_, next) =>
          next.handle().pipe(
            map(() => {
              throw new Error('after');
            }),
          ),
        ),
      )
      @Process('after')
      after() {
        runs.push('after');
      }

      @Process('handler')
      handler() {
        runs.push('handler');
        throw new Error('no server');
      }
    }
    const queue = await startWith(EmailProcessor);
    const failed = async (name: string) => {
      const job = await ended(queue, await queue.add(name, {}, { attempts: 2 }));
      return [job.failedReason, job.failedCode, job.attemptsMade];
    };

    expect(await failed('before')).toEqual(['before', undefined, 2]);
    expect(await failed('after')).toEqual(['after', undefined, 2]);
    expect(await failed('handler')).toEqual(['no server', undefined, 2]);
    expect(runs).toEqual(['after', 'after', 'handler', 'handler']);
  });

  it('NA-5-12 see an HttpException of a handler, which is retried as any error', async () => {
    @Processor('email')
    class EmailProcessor {
      @UseInterceptors(interceptorThat((_, next) => next.handle()))
      @Process('send')
      send(job: Job) {
        if (job.attemptsMade === 0) {
          throw new BadRequestException('no such user');
        }
        return 'sent';
      }
    }
    const queue = await startWith(EmailProcessor);

    const job = await ended(queue, await queue.add('send', {}, { attempts: 2 }));

    expect([job.returnvalue, job.attemptsMade]).toEqual(['sent', 2]);
  });

  it('make a failure a result, or answer in place of the handler', async () => {
    @Processor('email')
    class EmailProcessor {
      @UseInterceptors(interceptorThat((_, next) => next.handle().pipe(catchError(() => of('saved')))))
      @Process('rescued')
      rescued() {
        throw new Error('no server');
      }

      @UseInterceptors(interceptorThat(() => of('cached')))
      @Process('cached')
      cached() {
        return 'sent';
      }
    }
    const queue = await startWith(EmailProcessor);

    expect((await ended(queue, await queue.add('rescued', {}))).returnvalue).toBe('saved');
    expect((await ended(queue, await queue.add('cached', {}))).returnvalue).toBe('cached');
  });

  it('NA-5-27 open a context of AsyncLocalStorage for the handler', async () => {
    const storage = new AsyncLocalStorage<string>();
    @Processor('email')
    class EmailProcessor {
      @UseInterceptors(
        interceptorThat(
          (_, next) =>
            new Observable((subscriber) => storage.run('opened', () => next.handle().subscribe(subscriber))),
        ),
      )
      @Process('send')
      async send() {
        await Promise.resolve();
        return storage.getStore();
      }
    }
    const queue = await startWith(EmailProcessor);

    expect((await ended(queue, await queue.add('send', {}))).returnvalue).toBe('opened');
  });

  it('NA-5-27 that open one around handle() alone have it hold for what the handler returns too', async () => {
    const storage = new AsyncLocalStorage<string>();
    @UseInterceptors(interceptorThat((_, next) => storage.run('opened', () => next.handle())))
    @Processor('email')
    class EmailProcessor {
      @Process('promise')
      async promise() {
        await Promise.resolve();
        return storage.getStore();
      }

      @Process('stream')
      stream() {
        return defer(() => of(storage.getStore()));
      }

      @Process('later')
      async later() {
        await Promise.resolve();
        return defer(() => of(storage.getStore()));
      }

      @Process('generator')
      async *generator() {
        yield 'begun';
        await Promise.resolve();
        yield storage.getStore();
      }
    }
    const queue = await startWith(EmailProcessor);

    for (const name of ['promise', 'stream', 'later', 'generator']) {
      expect([name, (await ended(queue, await queue.add(name, {}))).returnvalue]).toEqual([name, 'opened']);
    }
  });
});
