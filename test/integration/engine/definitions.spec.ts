import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  defineQueue,
  job,
  type Job,
  type JobDefinitionOptions,
  Queue,
  type QueueDefinition,
  snooze,
  type StandardSchema,
  Worker,
} from 'nestjs-lane/engine';
import { memory } from 'nestjs-lane/memory';
import * as z from 'zod';

import { AlteredBackend } from '../../support/altered-backend';
import { guardAgainstLeaks } from '../../support/leak-guard';
import { waitUntil } from '../../support/wait-until';

guardAgainstLeaks();

const Letter = z.object({ to: z.string().trim().min(3), copies: z.number().default(1) });
/** What it takes is not what it makes. */
const Amount = z.object({ cents: z.string().transform(Number) });
/** It takes what it makes, and makes something else of it. */
const Doubled = z.object({ n: z.number().transform((n) => 2 * n) });
const secret = 'hunter2';
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A schema that answers later, made by hand. */
const Later: StandardSchema<{ n: number }> = {
  '~standard': {
    version: 1,
    vendor: 'hand',
    validate: async (value) => {
      await nextTurn();
      const { n } = value as { n?: unknown };
      return typeof n === 'number' ? { value: { n } } : { issues: [{ message: 'no number', path: ['n'] }] };
    },
  },
};

const Email = defineQueue('email', {
  send: job<typeof Letter, string>({ schema: Letter, attempts: 4, priority: 2 }),
  pay: job({ schema: Amount }),
  double: job({ schema: Doubled }),
  later: job({ schema: Later }),
  note: job<string, string>(),
});

describe('A queue of a definition', () => {
  let backend: AlteredBackend;
  let queue: Queue;
  let typed: Queue;
  const workers: Worker[] = [];

  beforeEach(() => {
    backend = new AlteredBackend(memory());
    typed = new Queue(Email, { backend, defaultJobOptions: { attempts: 2, delay: 0, backoff: 5 } }) as Queue;
    // What clients without the definition do.
    queue = new Queue('email', { backend });
  });

  afterEach(async () => {
    await Promise.all([...workers.splice(0).map((worker) => worker.close()), typed.close(), queue.close()]);
  });

  function work(definition: QueueDefinition, seen: unknown[] = []): unknown[] {
    workers.push(
      new Worker(
        definition as typeof Email,
        (each: Job) => {
          seen.push(each.data);
          return 'done';
        },
        { backend },
      ),
    );
    return seen;
  }

  const only = (options: JobDefinitionOptions): QueueDefinition =>
    defineQueue('email', { send: job(options as never) });

  it('NA-3-07 stores what the schema makes of the data', async () => {
    const added = await typed.add('send', { to: ' ann ', extra: true });

    expect(added.data).toEqual({ to: 'ann', copies: 1 });
    expect((await queue.getJob(added.id))!.data).toEqual({ to: 'ann', copies: 1 });
  });

  it('NA-3-07 stores the data as given where the schema would change again what it makes, and handlers are given what it makes', async () => {
    const seen = work(Email);

    const pay = await typed.add('pay', { cents: '7' });
    const double = await typed.add('double', { n: 3 });

    expect([pay.data, double.data]).toEqual([{ cents: '7' }, { n: 3 }]);
    await waitUntil(() => seen.length === 2, { reason: 'the jobs have run' });
    expect(seen).toEqual([{ cents: 7 }, { n: 6 }]);
  });

  it('NA-3-08 NA-11-22 refuses data that fails its schema, tells the fields, the job and the queue, and never the payload', async () => {
    const error = (await typed
      .add('send', { to: 'a', copies: secret })
      .catch((thrown: unknown) => thrown)) as Error;

    expect(error).toMatchObject({
      code: 'LANE_INVALID_DATA',
      jobName: 'send',
      queueName: 'email',
      issues: [{ path: 'to' }, { path: 'copies' }],
    });
    expect(error.message).toContain('copies: ');
    expect(JSON.stringify([error.message, error])).not.toContain(secret);
    expect(await queue.count()).toBe(0);
  });

  it('NA-3-09 tells each bad entry of addBulk with its index, and stores nothing', async () => {
    const error = (await typed
      .addBulk([
        { name: 'later', data: {} },
        { name: 'send', data: { to: 'ann' } },
        { name: 'send', data: { to: 'a' } },
        { name: 'sned', data: {} },
      ])
      .catch((thrown: unknown) => thrown)) as { code: string; errors: { index: number; error: unknown }[] };

    expect(error.code).toBe('LANE_BAD_JOBS');
    expect(error.errors).toMatchObject([
      { index: 0, error: { code: 'LANE_INVALID_DATA' } },
      { index: 2, error: { code: 'LANE_INVALID_DATA' } },
      { index: 3, error: { code: 'LANE_UNKNOWN_JOB_NAME' } },
    ]);
    expect(await queue.count()).toBe(0);
  });

  it('NA-3-16 refuses a name that the definition does not have, with the nearest one', async () => {
    await expect(typed.add('sned', {})).rejects.toMatchObject({
      code: 'LANE_UNKNOWN_JOB_NAME',
      message: expect.stringContaining('Did you mean "send"?'),
    });
    expect(await queue.count()).toBe(0);
  });

  it('NA-3-10 validates again before a job runs: what fails ends without retries, with the fields in the reason', async () => {
    const seen = work(Email);

    const bad = await queue.add('send', { to: 'a', copies: secret }, { attempts: 3 });

    await expect(bad.finished()).rejects.toMatchObject({ failedCode: 'invalid' });
    const failed = (await queue.getJob(bad.id))!;
    expect(failed.attemptsMade).toBe(1);
    expect(failed.failedReason).toContain('copies: ');
    expect(failed.failedReason).not.toContain(secret);
    expect(seen).toEqual([]);
  });

  it.each([
    ['enqueue', true, false],
    ['run', false, true],
    ['both', true, true],
    ['none', false, false],
  ] as const)(
    'NA-3-11 validates with validate: %p when it says',
    async (validate, whenAdding, whenRunning) => {
      const definition = only({ schema: Letter, validate });
      const producer = new Queue(definition, { backend });
      const refused = await producer.add('send', {}).then(
        () => false,
        () => true,
      );
      await queue.drain();
      work(definition);
      const run = await queue.add('send', {});
      const failed = await run.finished().then(
        () => false,
        () => true,
      );
      await producer.close();

      expect([refused, failed]).toEqual([whenAdding, whenRunning]);
    },
  );

  it('NA-3-12 stores the version, and brings older data up to date before it is validated', async () => {
    const before = new Queue(only({}), { backend });
    const first = new Queue(only({ version: 2 }), { backend });
    await before.add('send', { address: 'ann' });
    await first.add('send', { address: 'bob' });
    const seen = work(
      only({
        schema: Letter,
        version: 3,
        upcast: async ({ address }: { address: string }, fromVersion) => {
          await nextTurn();
          return { to: address, copies: fromVersion };
        },
      }),
    );
    await waitUntil(() => seen.length === 2, { reason: 'the jobs have run' });
    const now = new Queue(only({ schema: Letter, version: 3, upcast: () => ({}) }), { backend });
    await now.add('send', { to: 'cat' });
    await waitUntil(() => seen.length === 3, { reason: 'the jobs have run' });
    await Promise.all([before.close(), first.close(), now.close()]);

    expect(seen).toEqual([
      { to: 'ann', copies: 1 },
      { to: 'bob', copies: 2 },
      { to: 'cat', copies: 1 },
    ]);
  });

  it('NA-3-13 holds a job of a newer version back as one without a handler, and fails it after ten times', async () => {
    const newer = new Queue(only({ version: 3 }), { backend });
    const { id } = await newer.add('send', {}, { attempts: 2 });
    await newer.close();
    const seen = work(only({ version: 2 }));
    const states: string[] = [];
    const attempts: number[] = [];
    const delays: number[] = [];
    let code: string | undefined;

    for (let start = 1; start <= 11; start += 1) {
      const now = await waitUntil(
        async () => {
          const read = (await queue.getJob(id))!;
          const state = await read.getState();
          return read.attemptsStarted === start && ['delayed', 'failed'].includes(state)
            ? { read, state }
            : undefined;
        },
        { reason: 'the job was started and held back' },
      );
      states.push(now.state);
      attempts.push(now.read.attemptsMade);
      delays.push(Math.round(now.read.delay / 1_000));
      code = now.read.failedCode;
      await now.read.promote().catch(() => undefined);
    }

    expect(code).toBe('newer-version');
    expect(attempts).toEqual([...Array<number>(10).fill(0), 1]);
    expect(states).toEqual([...Array<string>(10).fill('delayed'), 'failed']);
    expect(delays.slice(0, 10)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300]);
    expect(seen).toEqual([]);
  });

  it('NA-3-13 counts no start by a process that knows the version', async () => {
    const newer = new Queue(only({ version: 3 }), { backend });
    const { id } = await newer.add('send', {});
    await newer.close();
    const isDelayed = (times: number) => async () => {
      const read = (await queue.getJob(id))!;
      return read.attemptsStarted === times && (await read.isDelayed()) ? read : undefined;
    };
    const knowing = new Worker('email', (each: Job) => snooze(each.attemptsStarted < 12 ? 0 : '1h'), {
      backend,
    });
    const started = await waitUntil(isDelayed(12), { reason: 'the job was started twelve times' });
    await knowing.close();

    work(only({ version: 2 }));
    await started.promote();

    expect(await waitUntil(isDelayed(13), { reason: 'it is held back' })).toMatchObject({ unhandled: 1 });
  });

  it('fails a job as invalid whose data cannot be brought up to date', async () => {
    work(
      only({
        version: 2,
        upcast: ({ to }: { to: string }) => {
          throw new TypeError(to);
        },
      }),
    );
    const old = await queue.add('send', { to: secret }, { attempts: 2 });

    await expect(old.finished()).rejects.toMatchObject({
      failedCode: 'invalid',
      failedReason: expect.stringMatching(/upcast from version 1 threw TypeError(?!.*hunter2)/),
    });
  });

  it('NA-3-14 gives jobs the options of their name: those of add count more, those of the queue less', async () => {
    const [plain, given, other] = await typed.addBulk([
      { name: 'send', data: { to: 'ann' } },
      { name: 'send', data: { to: 'ann' }, opts: { attempts: 1 } },
      { name: 'note', data: 'x' },
    ]);

    expect(plain!.opts).toMatchObject({ attempts: 4, priority: 2, backoff: { delay: 5 } });
    expect(given!.opts).toMatchObject({ attempts: 1, priority: 2 });
    expect(other!.opts).toMatchObject({ attempts: 2 });
    expect(other!.priority).toBe(0);
  });

  it('NA-3-18 waits for a schema that is asynchronous', async () => {
    const seen = work(Email);

    await expect(typed.add('later', { n: secret })).rejects.toMatchObject({ issues: [{ path: 'n' }] });
    const added = await typed.add('later', { n: 1, more: true });

    expect(added.data).toEqual({ n: 1 });
    await waitUntil(() => seen.length === 1, { reason: 'the jobs have run' });
    expect(seen).toEqual([{ n: 1 }]);
  });

  it('does not run a job whose attempt is over while its schema was waited for', async () => {
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => (answer = resolve));
    const Slow: StandardSchema<object> = {
      '~standard': {
        version: 1,
        vendor: 'hand',
        validate: async (value) => asked.then(() => ({ value: value as object })),
      },
    };
    const seen: string[] = [];
    const slow = defineQueue('email', { later: job({ schema: Slow }) });
    const late = await queue.add('later', {}, { timeout: 1 });
    const worker = new Worker(slow, ({ id }: Job) => seen.push(id), { backend, timeoutGrace: 0 });
    workers.push(worker);
    await waitUntil(() => late.isFailed(), { reason: 'its time is over' });

    answer();
    const inTime = await queue.add('later', {});

    await waitUntil(() => inTime.isCompleted(), { reason: 'the next one has run' });
    expect(seen).toEqual([inTime.id]);
  });

  it('refuses an add that its queue was closed under while the schema took its time', async () => {
    const added = typed.add('later', { n: 1 });
    const closed = typed.close();

    await expect(added).rejects.toMatchObject({ code: 'LANE_CLOSED' });
    await closed;
  });

  it('sends adds of one turn together, with a schema too', async () => {
    let calls = 0;
    backend.alter('addJobs', (addJobs) => (request, call) => {
      calls += 1;
      return addJobs(request, call);
    });

    await Promise.all([
      typed.add('send', { to: 'ann' }),
      typed.add('send', { to: 'bob' }),
      typed.add('note', 1),
    ]);

    expect(calls).toBe(1);
  });

  it('NA-3-04 NA-7-21 adds a job and gives its result, also where nothing is kept of it', async () => {
    work(Email);

    await expect(
      Promise.all(
        [1, 2, 3].map(() => typed.run('note', 'x', { timeout: '5s', job: { removeOnComplete: true } })),
      ),
    ).resolves.toEqual(['done', 'done', 'done']);
    expect(await queue.getCompletedCount()).toBe(0);
  });

  it('NA-3-04 ends the wait for a result by a signal or a timeout, and lets the job go on', async () => {
    const stop = new AbortController();
    const aborted = typed.run('note', 'x', { signal: stop.signal });
    await waitUntil(async () => (await queue.count()) === 1, { reason: 'the job is stored' });
    stop.abort(new Error('enough'));

    await expect(aborted).rejects.toThrow('enough');
    await expect(typed.run('note', 'y', { signal: stop.signal })).rejects.toThrow('enough');
    await expect(typed.run('note', 'z', { timeout: 1 })).rejects.toMatchObject({ code: 'LANE_WAIT_TIMEOUT' });
    await expect(typed.run('sned', 'z')).rejects.toMatchObject({ code: 'LANE_UNKNOWN_JOB_NAME' });
    await expect(typed.run('note', 'z', { attempts: 1 } as never)).rejects.toMatchObject({
      code: 'LANE_UNKNOWN_OPTION',
    });
    const seen = work(Email);
    await waitUntil(() => seen.length === 2, { reason: 'the jobs have run' });
    expect(seen).toEqual(['x', 'z']);
  });

  it('waits for a job whose id was removed before, not for that one', async () => {
    const first = await queue.add('note', 'x', { jobId: 'once' });
    const gone = first.remove();
    const result = typed.run('note', 'y', { job: { jobId: 'once' } });
    await gone;
    work(Email);

    await expect(result).resolves.toBe('done');
  });
});

describe('A definition', () => {
  const define = (options: unknown) => () => job(options as JobDefinitionOptions);

  it.each([
    [define({ schema: {} }), 'LANE_BAD_DEFINITION', '"schema"'],
    [define({ version: 0 }), 'LANE_BAD_DEFINITION', '"version"'],
    [define({ version: 1, upcast: 'x' }), 'LANE_BAD_DEFINITION', '"upcast"'],
    [define({ upcast: () => 1 }), 'LANE_BAD_DEFINITION', '"version"'],
    [define({ validate: 'always' }), 'LANE_BAD_DEFINITION', '"validate"'],
    [define({ validate: 'run' }), 'LANE_BAD_DEFINITION', 'given with a schema'],
    [define({ attemps: 1 }), 'LANE_UNKNOWN_OPTION', 'Did you mean "attempts"?'],
    [define({ attempts: 0 }), 'LANE_BAD_ATTEMPTS', '"attempts"'],
    [() => defineQueue('a:b', { send: job() }), 'LANE_BAD_NAME', 'a:b'],
    [() => defineQueue('email', {}), 'LANE_BAD_DEFINITION', 'at least one job'],
    [() => defineQueue('email', { '': job() }), 'LANE_BAD_JOB_NAME', '""'],
    [() => defineQueue('email', { send: {} as never }), 'LANE_BAD_DEFINITION', 'Write send: job('],
    [
      () => defineQueue('email', { send: job() }, { defaults: 1 } as never),
      'LANE_UNKNOWN_OPTION',
      'validate',
    ],
    [
      () => defineQueue('email', { send: job() }, { validate: 1 as never }),
      'LANE_BAD_DEFINITION',
      'defineQueue',
    ],
  ])('is checked at once: %#', (make, code, text) => {
    expect(make).toThrow(expect.objectContaining({ code, message: expect.stringContaining(text) }));
  });

  it('NA-3-01 carries queue, names, schemas and options, and cannot be changed', () => {
    expect(Email.jobs.send).toMatchObject({ queue: 'email', name: 'send', schema: Letter });
    expect(Email.jobs.send.options).toEqual({ attempts: 4, priority: 2 });
    expect([Email, Email.jobs, Email.jobs.send, Email.jobs.send.options].every(Object.isFrozen)).toBe(true);
  });
});
