import { describe, expect, it } from '@jest/globals';
import { type NestInterceptor, UseInterceptors } from '@nestjs/common';
import {
  currentJob,
  discard,
  type Job,
  type JobContext,
  LaneModule,
  OnWorkerEvent,
  Process,
  Processor,
  Queue,
} from 'nestjs-lane';
import { memory } from 'nestjs-lane/memory';
import { concat, EMPTY, from, map, NEVER, Observable, of, Subject, tap } from 'rxjs';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { ended, TestApps } from '../../support/nest-app';
import { waitUntil } from '../../support/wait-until';

const apps = new TestApps();
guardAgainstLeaks();

async function startWith(processor: new () => object): Promise<{ queue: Queue; close: () => Promise<void> }> {
  const backend = memory();
  const app = await apps.start({
    imports: [LaneModule.forRoot({ backend, shutdown: { drain: 20 } }), LaneModule.registerQueue('email')],
    providers: [processor],
  });
  const queue = new Queue('email', { backend });
  const close = app.close.bind(app);
  let isClosed = false;
  app.close = async (...args) => {
    await queue.close();
    if (!isClosed) await close(...args);
  };
  return {
    queue,
    close: () => {
      isClosed = true;
      return close();
    },
  };
}

async function* generator(...values: unknown[]): AsyncGenerator<unknown, void> {
  for (const value of values) {
    yield await Promise.resolve(value);
  }
}

async function* returning(result: unknown, ...values: unknown[]) {
  yield* generator(...values);
  return result;
}

describe('a @Process handler that returns a stream', () => {
  const streams: [string, () => unknown, unknown][] = [
    ['the last value of an Observable', () => from([1, 2, 3]), 3],
    ['nothing, of an Observable without values', () => EMPTY, null],
    ['the last value of a promised Observable', () => Promise.resolve(of(1, 2)), 2],
    ['what an async generator returns', () => returning('done', 1, 2), 'done'],
    ['what an async generator yields last and returns nothing', () => generator(1, 2), 2],
    ['nothing, of an async generator that does not yield', () => generator(), null],
    [
      'the last value of another asynchronous iterable',
      () => ({ [Symbol.asyncIterator]: () => generator(1, 2) }),
      2,
    ],
    ['a plain iterable, as it is', () => [1, 2], [1, 2]],
  ];

  it.each(streams)('NA-7-13 has as its result %s', async (_, make, result) => {
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      send() {
        return make();
      }
    }
    const { queue } = await startWith(EmailProcessor);

    const job = await ended(queue, await queue.add('send', {}));

    expect(job.failedReason).toBeUndefined();
    expect(job.returnvalue).toEqual(result);
  });

  it('does what a last value says of the job, and does not take it for progress', async () => {
    const told: unknown[] = [];
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      async *send() {
        yield await Promise.resolve(discard('the user is gone'));
      }

      @OnWorkerEvent('progress')
      onProgress(_job: Job, progress: unknown) {
        told.push(progress);
      }
    }
    const { queue } = await startWith(EmailProcessor);

    const job = await ended(queue, await queue.add('send', {}));

    expect(job).toMatchObject({ failedCode: 'discarded', failedReason: 'the user is gone' });
    expect(told).toEqual([]);
  });

  it('NA-7-14 tells the values before as progress', async () => {
    const told: unknown[] = [];
    const rows = new Subject<unknown>();
    const pages = new Subject<unknown>();
    @Processor('email', { concurrency: 2 })
    class EmailProcessor {
      @Process('import')
      import() {
        return rows;
      }

      @Process('crawl')
      async *crawl() {
        yield { page: 1 };
        await new Promise((resolve) => pages.subscribe(resolve));
        return 'done';
      }

      @OnWorkerEvent('progress')
      onProgress(job: Job, progress: unknown) {
        told.push([job.name, progress]);
      }
    }
    const { queue } = await startWith(EmailProcessor);

    const crawled = await queue.add('crawl', {});
    await waitUntil(() => pages.observed && told.length === 1, { reason: 'the first page is told' });
    const imported = await queue.add('import', {});
    await waitUntil(() => rows.observed, { reason: 'the import runs' });
    rows.next(7);
    await waitUntil(() => told.length === 2, { reason: 'the first row is told' });
    rows.next('summary');
    rows.complete();
    pages.next('go');

    expect(await ended(queue, crawled)).toMatchObject({ progress: { page: 1 }, returnvalue: 'done' });
    expect(await ended(queue, imported)).toMatchObject({ progress: 7, returnvalue: 'summary' });
    expect(told).toEqual([
      ['crawl', { page: 1 }],
      ['import', 7],
    ]);
  });

  it('NA-7-14 tells nothing with `ignore`', async () => {
    const told: unknown[] = [];
    @Processor('email')
    class EmailProcessor {
      @Process('send', { emissions: 'ignore' })
      send() {
        return returning('done', 1, 2, 3);
      }

      @OnWorkerEvent('progress')
      onProgress(_job: Job, progress: unknown) {
        told.push(progress);
      }
    }
    const { queue } = await startWith(EmailProcessor);

    const job = await ended(queue, await queue.add('send', {}));

    expect(job).toMatchObject({ progress: 0, returnvalue: 'done' });
    expect(told).toEqual([]);
  });

  it('is not failed by progress that cannot be written', async () => {
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      send() {
        return returning('done', 1n);
      }
    }
    const { queue } = await startWith(EmailProcessor);

    const job = await ended(queue, await queue.add('send', {}));

    expect(job.returnvalue).toBe('done');
  });

  it('NA-7-17 shows every value to interceptors, which may change them', async () => {
    const seen: unknown[] = [];
    const interceptor: NestInterceptor = {
      intercept: (_, next) =>
        next.handle().pipe(
          tap((value) => seen.push(value)),
          map((value: unknown) => `<${String(value)}>`),
        ),
    };
    @UseInterceptors(interceptor)
    @Processor('email')
    class EmailProcessor {
      @Process('import')
      import() {
        return of('a', 'b');
      }

      @Process('crawl')
      crawl() {
        return returning('done', 1, 2);
      }
    }
    const { queue } = await startWith(EmailProcessor);

    expect((await ended(queue, await queue.add('import', {}))).returnvalue).toBe('<b>');
    expect((await ended(queue, await queue.add('crawl', {}))).returnvalue).toBe('<done>');
    expect(seen).toEqual(['a', 'b', 1, 2, 'done']);
  });
});

describe('a stream whose job has to end', () => {
  const left: string[] = [];

  function leave(): void {
    left.push(currentJob()?.job.name ?? 'nobody');
  }

  function untilAborted({ signal }: JobContext): Promise<never> {
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  }

  @Processor('email', { concurrency: 2, lockDuration: '30s', lockRenewTime: 20 })
  class EmailProcessor {
    @Process('import')
    import() {
      return this.#rows();
    }

    @Process('import within', { timeout: 20 })
    importWithin() {
      return this.#rows();
    }

    @Process('crawl')
    async *crawl(_job: Job, ctx: JobContext) {
      try {
        yield 1;
        await untilAborted(ctx);
      } finally {
        leave();
      }
    }

    @Process('crawl within', { timeout: 20 })
    crawlWithin(job: Job, ctx: JobContext) {
      return this.crawl(job, ctx);
    }

    #rows() {
      return concat(of(1), new Observable((subscriber) => subscriber.add(leave)), NEVER);
    }
  }

  /** Starts both kinds of stream, and waits until they are at work. */
  async function startBoth(names = ['import', 'crawl']) {
    left.length = 0;
    const { queue, close } = await startWith(EmailProcessor);
    const jobs = await queue.addBulk(names.map((name) => ({ name, data: {}, opts: { attempts: 3 } })));
    return { queue, close, jobs };
  }

  async function areAtWork(queue: Queue, jobs: Job[]): Promise<void> {
    await waitUntil(
      async () =>
        (await Promise.all(jobs.map(({ id }) => queue.getJob(id)))).every((job) => job?.progress === 1),
      { reason: 'both are at work' },
    );
  }

  it('NA-7-16 NA-7-19 is left when the job is cancelled, and the job fails as that', async () => {
    const { queue, jobs } = await startBoth();
    await areAtWork(queue, jobs);

    await Promise.all(jobs.map(({ id }) => queue.cancel(id, 'not wanted')));

    for (const job of jobs) {
      expect(await ended(queue, job)).toMatchObject({ failedCode: 'cancelled', attemptsMade: 1 });
    }
    expect(left.sort()).toEqual(['crawl', 'import']);
  });

  it('NA-7-16 NA-7-19 is left when its time is over, and the attempt fails as that', async () => {
    const { queue, jobs } = await startBoth(['import within', 'crawl within']);

    for (const job of jobs) {
      expect(await ended(queue, job)).toMatchObject({ failedCode: 'timeout', attemptsMade: 3 });
    }
    expect(left.sort()).toEqual([
      ...Array<string>(3).fill('crawl within'),
      ...Array<string>(3).fill('import within'),
    ]);
  });

  it('NA-7-16 NA-7-19 is left when the lease is lost', async () => {
    const { queue, jobs } = await startBoth();
    await areAtWork(queue, jobs);

    await queue.obliterate({ force: true });
    await waitUntil(() => left.length === 2, { reason: 'both are left' });

    expect(left.sort()).toEqual(['crawl', 'import']);
  });

  it('NA-7-16 NA-7-19 is left when the application closes, and the job is handed back', async () => {
    const { queue, close, jobs } = await startBoth();
    await areAtWork(queue, jobs);

    await close();

    expect(left.sort()).toEqual(['crawl', 'import']);
    for (const { id } of jobs) {
      expect(await queue.getJob(id)).toMatchObject({ attemptsMade: 0 });
      expect(await queue.getJobState(id)).toBe('waiting');
    }
  });
});
