import { AsyncLocalStorage } from 'node:async_hooks';

import { describe, expect, it } from '@jest/globals';
import { Injectable, type LoggerService } from '@nestjs/common';
import {
  currentJob,
  type HeadersInput,
  InjectQueue,
  type Job,
  type JobContext,
  LaneConfigError,
  type LaneHeaderOptions,
  LaneModule,
  LeaseLostError,
  Process,
  Processor,
  Queue,
} from 'nestjs-lane';
import { memory } from 'nestjs-lane/memory';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { ended, queueOf, RecordingLogger, TestApps } from '../../support/nest-app';
import { waitUntil } from '../../support/wait-until';

const apps = new TestApps();
guardAgainstLeaks();

async function startWith(
  processor: new (...args: never[]) => object,
  { headers, logger }: { headers?: LaneHeaderOptions; logger?: LoggerService } = {},
): Promise<Queue> {
  const app = await apps.start(
    {
      imports: [LaneModule.forRoot({ backend: memory(), headers }), LaneModule.registerQueue('email')],
      providers: [processor],
    },
    { logger },
  );
  return queueOf(app, 'email');
}

async function run(queue: Queue, name: string, headers?: HeadersInput): Promise<Job> {
  return ended(queue, await queue.add(name, { to: 'ann' }, { headers, attempts: 2 }));
}

async function logOf(queue: Queue, job: Job, rows: number): Promise<string[]> {
  return waitUntil(
    async () => {
      const { logs } = await queue.getJobLogs(job.id);
      return logs.length >= rows ? logs : undefined;
    },
    { reason: `the log has ${rows} rows` },
  );
}

describe('the context of a job', () => {
  it('NA-4-08 NA-5-23 comes with the job, and knows it, its data and headers, the attempt and the signal', async () => {
    const seen: unknown[] = [];
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      async send(...args: unknown[]) {
        const [job, ctx] = args as [Job, JobContext];
        const { headers, attempt, signal, idempotencyKey } = ctx;
        seen.push([
          args.length,
          ctx.job === job,
          ctx.data as unknown,
          { ...headers },
          attempt,
          signal.aborted,
          idempotencyKey,
        ]);
        await ctx.progress(attempt * 10);
        if (attempt === 1) throw new Error('once');
      }
    }
    const queue = await startWith(EmailProcessor);

    const job = await run(queue, 'send', { 'X-Tenant-Id': '7' });

    const common = [2, true, { to: 'ann' }, { 'x-tenant-id': '7' }];
    expect(seen).toEqual([
      [...common, 1, false, `email:${job.id}`],
      [...common, 2, false, `email:${job.id}`],
    ]);
    expect(job.progress).toBe(20);
  });

  it('NA-5-23 lengthens the lease, as long as there is one', async () => {
    const seen: unknown[] = [];
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      async send(job: Job, ctx: JobContext) {
        await ctx.extend('10m');
        await expect(ctx.extend('soon' as never)).rejects.toThrow('"soon"');
        await job.moveToCompleted('by hand', job.token!, false);
        seen.push(await ctx.extend(1_000).catch((error: unknown) => error));
      }
    }
    const queue = await startWith(EmailProcessor);

    const job = await run(queue, 'send');
    await waitUntil(() => seen.length === 1, { reason: 'the handler has ended' });

    expect(job.returnvalue).toBe('by hand');
    expect(seen[0]).toBeInstanceOf(LeaseLostError);
  });

  it('NA-5-24 writes to the log of Nest, under the name of the job, and to the log of the job', async () => {
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      send(_: Job, { logger }: JobContext) {
        logger.log('begun', { part: 1 });
        logger.warn('slow');
        logger.error('broken', 'at the stack');
        logger.debug('one');
        logger.verbose('two');
      }
    }
    const logger = new RecordingLogger();
    const queue = await startWith(EmailProcessor, { logger });

    const job = await run(queue, 'send');

    expect(await logOf(queue, job, 5)).toEqual([
      'begun { part: 1 }',
      '[warn] slow',
      '[error] broken at the stack',
      '[debug] one',
      '[verbose] two',
    ]);
    expect(
      logger.lines
        .filter(({ context }) => context === `email:${job.id}`)
        .map(({ level, message }) => [level, message]),
    ).toEqual([
      ['log', 'begun'],
      ['warn', 'slow'],
      ['error', 'broken'],
    ]);
  });

  it('NA-5-24 does not fail the job when its log cannot be written', async () => {
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      async send(job: Job, { logger }: JobContext) {
        job.log = () => Promise.reject(new Error('no room'));
        logger.log('first');
        logger.log('second');
        await Promise.resolve();
        return 'sent';
      }
    }
    const logger = new RecordingLogger();
    const queue = await startWith(EmailProcessor, { logger });

    const job = await run(queue, 'send');

    expect(job.returnvalue).toBe('sent');
    expect(logger.lines.filter(({ level }) => level === 'warn').map(({ message }) => message)).toEqual([
      'the log of the job was not written: no room',
    ]);
  });
});

describe('currentJob', () => {
  it('NA-5-25 is the context of the job whose handler is at work, deeper down, and undefined outside', async () => {
    const contexts: boolean[] = [];
    @Injectable()
    class Mailer {
      async send(ctx: JobContext) {
        contexts.push(currentJob() === ctx);
        await new Promise((resolve) => setImmediate(resolve));
        contexts.push(currentJob() === ctx);
        return currentJob()?.data as unknown;
      }
    }
    @Processor('email', { concurrency: 10 })
    class EmailProcessor {
      readonly #mailer = new Mailer();

      @Process('send')
      send(_: Job, ctx: JobContext) {
        return this.#mailer.send(ctx);
      }
    }
    const queue = await startWith(EmailProcessor);

    const jobs = await queue.addBulk([1, 2, 3, 4].map((data) => ({ name: 'send', data })));
    const results = await Promise.all(
      jobs.map(async (job) => (await ended(queue, job)).returnvalue as unknown),
    );

    expect(results).toEqual([1, 2, 3, 4]);
    expect(contexts).toEqual(Array(8).fill(true));
    expect(currentJob()).toBeUndefined();
  });
});

describe('headers', () => {
  /** Adds a job from inside a handler, whose result is the headers that it has. */
  function chain(headers?: HeadersInput) {
    @Processor('email')
    class EmailProcessor {
      constructor(@InjectQueue('email') private readonly queue: Queue) {}

      @Process('first')
      async first() {
        const { id } = await this.queue.add('second', {}, { headers });
        const [bulk] = await this.queue.addBulk([{ name: 'second', data: {}, opts: { headers } }]);
        return [id, bulk!.id];
      }

      @Process('second')
      second(_: Job, ctx: JobContext) {
        return { ...ctx.headers };
      }
    }
    return EmailProcessor;
  }

  async function handedOn(queue: Queue, headers: HeadersInput): Promise<unknown> {
    const first = await run(queue, 'first', headers);
    const ids = first.returnvalue as string[];
    const [added, bulk] = await Promise.all(
      ids.map(async (id) => (await ended(queue, (await queue.getJob(id))!)).returnvalue as unknown),
    );
    expect(bulk).toEqual(added);
    return added;
  }

  const given = { 'x-tenant-id': '7', 'x-secret': 's', traceparent: '00-a-b-01' };

  it('NA-2-14 NA-5-26 of propagate go on to the jobs that a handler adds, and no others', async () => {
    const queue = await startWith(chain(), { headers: { propagate: ['X-Tenant-Id', 'x-missing'] } });

    expect(await handedOn(queue, given)).toEqual({ 'x-tenant-id': '7' });
  });

  it('NA-2-14 that go on unless told are those of a trace', async () => {
    expect(await handedOn(await startWith(chain()), given)).toEqual({ traceparent: '00-a-b-01' });
  });

  it('NA-2-14 that are given win over those that go on', async () => {
    const queue = await startWith(chain({ 'X-TENANT-ID': '8', own: 'x' }), {
      headers: { propagate: ['x-tenant-id'] },
    });

    expect(await handedOn(queue, given)).toEqual({ 'x-tenant-id': '8', own: 'x' });
  });

  it('NA-2-15 are captured where a job is added, in the caller’s context and before others run', async () => {
    const tenants = new AsyncLocalStorage<string>();
    const capture = (): HeadersInput => ({ 'x-tenant-id': tenants.getStore() });
    const queue = await startWith(chain(), { headers: { capture, propagate: ['x-tenant-id'] } });

    const jobs = await Promise.all(
      ['1', '2', undefined].map((tenant) =>
        tenant === undefined ? queue.add('second', {}) : tenants.run(tenant, () => queue.add('second', {})),
      ),
    );
    const own = await tenants.run('3', () => queue.add('second', {}, { headers: { 'x-tenant-id': '4' } }));

    expect([...jobs, own].map(({ headers }) => headers['x-tenant-id'])).toEqual(['1', '2', undefined, '4']);
    // Outside of a context of its own, the job's header goes on.
    expect(await handedOn(queue, given)).toEqual({ 'x-tenant-id': '7' });
  });

  it('NA-2-15 that are captured win over those that go on', async () => {
    const queue = await startWith(chain(), {
      headers: { capture: () => ({ traceparent: currentJob() === undefined ? undefined : 'now' }) },
    });

    expect(await handedOn(queue, given)).toEqual({ traceparent: 'now' });
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no context');
      },
    ],
    ['returns a promise', () => Promise.resolve({ x: '1' })],
    ['returns what is no text', () => ({ x: 1 })],
  ])('NA-2-15 a capture that %s fails the add, and nothing is stored', async (_, capture) => {
    const queue = await startWith(chain(), { headers: { capture: capture as never } });

    await expect(queue.add('second', {})).rejects.toMatchObject({
      code: 'LANE_HEADER_CAPTURE',
      cause: expect.any(Error),
    });
    await expect(queue.addBulk([{ name: 'second', data: {} }])).rejects.toMatchObject({
      code: 'LANE_HEADER_CAPTURE',
    });
    expect(await queue.count()).toBe(0);
  });

  it('NA-2-14 NA-2-15 that are told in a wrong way stop the start', async () => {
    const start = (headers: unknown) =>
      startWith(chain(), { headers: headers as LaneHeaderOptions }).catch((error: unknown) => error);

    const error = await start({ propagate: 'x-tenant-id', capture: 5, captures: 1 });
    expect(error).toBeInstanceOf(LaneConfigError);
    expect((error as LaneConfigError).problems.map(({ code, message }) => [code, message])).toEqual([
      ['LANE_UNKNOWN_OPTION', expect.stringContaining('"captures"')],
      ['LANE_BAD_HEADERS', expect.stringContaining('Option "propagate" is "x-tenant-id"')],
      ['LANE_BAD_HEADERS', expect.stringContaining('Option "capture" is 5')],
    ]);
    expect(await start({ propagate: ['x tenant'] })).toMatchObject({
      problems: [{ code: 'LANE_BAD_HEADERS', message: expect.stringContaining('"x tenant" is no name') }],
    });
  });
});
