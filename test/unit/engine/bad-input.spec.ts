import { describe, expect, it } from '@jest/globals';

import { memory } from '../../../lib/backends/memory/memory-backend';
import { QueueEvents } from '../../../lib/engine/events/queue-events';
import { QueueEventsProducer } from '../../../lib/engine/events/queue-events-producer';
import { Queue } from '../../../lib/engine/queue';
import { Worker } from '../../../lib/engine/worker/worker';
import { guardAgainstLeaks } from '../../support/leak-guard';

guardAgainstLeaks();

/** A backend that notes whether it was opened. */
function noting() {
  const store = { kind: 'noting', capabilities: { durable: false, server: false }, opened: 0, openQueue };
  function openQueue(): never {
    store.opened += 1;
    throw new Error('It was opened.');
  }
  return store;
}

function codeThrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
  return 'nothing was thrown';
}

const MAKE: Record<string, (name: unknown, options: unknown) => unknown> = {
  Queue: (name, options) => new Queue(name as string, options as never),
  Worker: (name, options) => new Worker(name as string, async () => undefined, options as never),
  QueueEvents: (name, options) => new QueueEvents(name as string, options as never),
  QueueEventsProducer: (name, options) => new QueueEventsProducer(name as string, options as never),
};

describe.each(Object.entries(MAKE))('%s', (kind, make) => {
  it.each([undefined, null, '', ' ', 'a:b', 5, {}, [], Symbol('email'), Object.create(null)])(
    'refuses the queue name %p',
    (name) => {
      const backend = noting();
      expect(codeThrownBy(() => make(name, { backend }))).toBe('LANE_BAD_NAME');
      expect(backend.opened).toBe(0);
    },
  );

  it.each([undefined, null, 5, 'memory:', true, [], Promise.resolve({})])(
    'refuses the options %p',
    (options) => {
      expect(codeThrownBy(() => make('email', options))).toBe('LANE_BAD_OPTIONS');
    },
  );

  it.each([{}, { backend: undefined }, { backend: null }, { backend: {} }, { backend: memory }])(
    'refuses to be without a backend: %p',
    (options) => {
      expect(codeThrownBy(() => make('email', options))).toBe('LANE_BAD_BACKEND');
      expect(() => make('email', options)).toThrow(`The backend of ${kind} "email" is `);
    },
  );

  it('refuses an option that it does not know, before it opens anything', () => {
    const backend = noting();
    expect(() => make('email', { backend, bakcend: backend })).toThrow(
      `Option "bakcend" of ${kind} is unknown. Did you mean "backend"?`,
    );
    expect(backend.opened).toBe(0);
  });
});

describe('a worker', () => {
  it.each<[string, object, string]>([
    ['concurrency', { concurrency: 0 }, 'LANE_BAD_WORKER_OPTION'],
    ['lockDuration', { lockDuration: '5' }, 'LANE_BAD_DURATION'],
    ['autorun', { autorun: 1 }, 'LANE_BAD_FLAG'],
    ['removeOnFail', { removeOnFail: -1 }, 'LANE_BAD_RETENTION'],
    ['shutdown', { shutdown: { dran: 5 } }, 'LANE_UNKNOWN_OPTION'],
  ])('refuses a bad %s before it opens anything', (_, options, code) => {
    const backend = noting();
    expect(codeThrownBy(() => MAKE['Worker']!('email', { backend, ...options }))).toBe(code);
    expect(backend.opened).toBe(0);
  });

  it.each([false, 0, '', './processor.js', {}])('refuses %p in place of its function', (processor) => {
    const backend = noting();
    expect(codeThrownBy(() => new Worker('email', processor as never, { backend }))).toBe(
      'LANE_BAD_PROCESSOR',
    );
    expect(backend.opened).toBe(0);
  });
});

describe('the default options of a queue', () => {
  it.each<[string, unknown, string]>([
    ['an unknown name', { attemps: 3 }, 'LANE_UNKNOWN_OPTION'],
    ['an id', { jobId: 'one' }, 'LANE_UNKNOWN_OPTION'],
    ['a bad value', { attempts: 0 }, 'LANE_BAD_ATTEMPTS'],
    ['no object', 5, 'LANE_BAD_OPTIONS'],
  ])('may not hold or be %s', (_, defaultJobOptions, code) => {
    const backend = noting();
    expect(codeThrownBy(() => MAKE['Queue']!('email', { backend, defaultJobOptions }))).toBe(code);
    expect(backend.opened).toBe(0);
  });
});

describe('adding', () => {
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;

  const BAD: [what: string, name: unknown, data: unknown, opts: unknown, code: string][] = [
    ['an empty name', '', {}, undefined, 'LANE_BAD_JOB_NAME'],
    ['data in place of the name', { to: 'a' }, undefined, undefined, 'LANE_BAD_JOB_NAME'],
    ['circular data', 'send', circular, undefined, 'LANE_UNSERIALIZABLE'],
    ['a BigInt', 'send', { sum: 1n }, undefined, 'LANE_UNSERIALIZABLE'],
    ['a function', 'send', () => 1, undefined, 'LANE_UNSERIALIZABLE'],
    ['an unknown option', 'send', {}, { attemps: 3 }, 'LANE_UNKNOWN_OPTION'],
    ['null for options', 'send', {}, null, 'LANE_BAD_OPTIONS'],
    ['a delay in place of options', 'send', {}, 5000, 'LANE_BAD_OPTIONS'],
    ['options that are not awaited', 'send', {}, Promise.resolve({ delay: 5 }), 'LANE_BAD_OPTIONS'],
    ['a reserved id', 'send', {}, { jobId: '5' }, 'LANE_BAD_JOB_ID'],
    ['a negative delay', 'send', {}, { delay: -1 }, 'LANE_BAD_DELAY'],
    ['a delay that is not a number', 'send', {}, { delay: Number.NaN }, 'LANE_BAD_DELAY'],
    ['no attempts', 'send', {}, { attempts: 0 }, 'LANE_BAD_ATTEMPTS'],
    ['too low a priority', 'send', {}, { priority: 2 ** 21 }, 'LANE_BAD_PRIORITY'],
    ['a misspelt backoff', 'send', {}, { backoff: { type: 'exponental' } }, 'LANE_BAD_BACKOFF'],
    ['a time that is none', 'send', {}, { timestamp: -1 }, 'LANE_BAD_TIMESTAMP'],
    ['too large a payload', 'send', { a: 1 }, { sizeLimit: 6 }, 'LANE_PAYLOAD_TOO_LARGE'],
    ['a number for a flag', 'send', {}, { lifo: 1 }, 'LANE_BAD_FLAG'],
    ['a bad retention', 'send', {}, { removeOnComplete: -5 }, 'LANE_BAD_RETENTION'],
  ];

  it.each(BAD)('refuses %s, and stores nothing, alone or among others', async (_, name, data, opts, code) => {
    const queue = new Queue('email', { backend: memory() });
    const bad = { name: name as string, data, opts: opts as never };
    const good = { name: 'send', data: {} };
    await expect(queue.add(bad.name, bad.data, bad.opts)).rejects.toMatchObject({ code });
    const bulk = [bad, ...Array<typeof good>(36).fill(good), bad];
    for (const atomic of [false, true]) {
      await expect(queue.addBulk(bulk, { atomic })).rejects.toMatchObject({
        code: 'LANE_BAD_JOBS',
        errors: [
          { index: 0, error: { code } },
          { index: 37, error: { code } },
        ],
      });
    }
    expect(await queue.getJobCountByTypes()).toBe(0);
    expect((await queue.add('send', {})).id).toBe('1');
    await queue.close();
  });

  it('overrules the defaults of the queue option by option', async () => {
    const queue = new Queue('email', {
      backend: memory(),
      defaultJobOptions: {
        attempts: 5,
        delay: '1h',
        lifo: true,
        backoff: { type: 'exponential', delay: 100 },
      },
    });
    const jobs = await Promise.all([
      queue.add('send', {}),
      queue.add('send', {}, { attempts: 2 }),
      queue.add('send', {}, { delay: 0, lifo: false, backoff: 0 }),
      queue.add('send', {}, { attempts: undefined, jobId: 'mine' }),
    ]);
    const defaults = {
      attempts: 5,
      delay: 3_600_000,
      lifo: true,
      backoff: { type: 'exponential', delay: 100 },
    };
    expect(jobs.map((job) => job.opts)).toEqual([
      defaults,
      { ...defaults, attempts: 2 },
      { ...defaults, delay: 0, lifo: false, backoff: { type: 'fixed', delay: 0 } },
      { ...defaults, jobId: 'mine' },
    ]);
    expect(await queue.getJobCounts()).toMatchObject({ waiting: 1, delayed: 3 });
    await queue.close();
  });
});

describe('a queue', () => {
  it.each([undefined, null, 'send', { name: 'send' }])(
    'refuses %p in place of an array of jobs',
    async (jobs) => {
      const queue = new Queue('email', { backend: memory() });

      await expect(queue.addBulk(jobs as never)).rejects.toMatchObject({ code: 'LANE_BAD_JOBS' });
      await queue.close();
    },
  );

  it('refuses an entry of addBulk that is no job, and stores none', async () => {
    const queue = new Queue('email', { backend: memory() });
    const jobs = [{ name: 'send', data: {} }, null];

    await expect(queue.addBulk(jobs as never)).rejects.toThrow('Entry 1: It is null; it must be a job.');
    const sparse: object[] = [];
    sparse[1] = jobs[0]!;
    await expect(queue.addBulk(sparse as never)).rejects.toThrow('Entry 0: It is of type undefined');
    expect(await queue.count()).toBe(0);
    await queue.close();
  });

  it.each<[unknown, string]>([
    [null, 'LANE_BAD_OPTIONS'],
    [true, 'LANE_BAD_OPTIONS'],
    [{ atomic: 1 }, 'LANE_BAD_FLAG'],
    [{ atomik: true }, 'LANE_UNKNOWN_OPTION'],
  ])('refuses %p as options of addBulk', async (options, code) => {
    const queue = new Queue('email', { backend: memory() });

    await expect(queue.addBulk([{ name: 'send', data: 1 }], options as never)).rejects.toMatchObject({
      code,
    });
    expect(await queue.count()).toBe(0);
    await queue.close();
  });

  it.each([
    [-1, 5],
    [0.5, 5],
    ['0', 5],
    [0, -2],
    [0, Infinity],
    [0, NaN],
  ])('refuses the range %p to %p', async (start, end) => {
    const queue = new Queue('email', { backend: memory() });

    await expect(queue.getWaiting(start as number, end)).rejects.toMatchObject({ code: 'LANE_BAD_RANGE' });
    await queue.close();
  });

  it('has nothing in a range that is upside down', async () => {
    const queue = new Queue('email', { backend: memory() });
    await queue.addBulk([1, 2, 3].map((data) => ({ name: 'send', data })));

    expect(await queue.getWaiting(2, 1)).toEqual([]);
    await queue.close();
  });
});
