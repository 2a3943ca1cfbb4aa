import { describe, expect, it } from '@jest/globals';
import {
  type Job,
  type JobContext,
  LaneModule,
  NoHandlerError,
  Process,
  Processor,
  Queue,
  UnrecoverableError,
} from 'nestjs-lane';
import { memory } from 'nestjs-lane/memory';
import { EMPTY, NEVER, Observable, concat, from, of, throwError } from 'rxjs';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { ended, queueOf, TestApps } from '../../support/nest-app';
import { waitUntil } from '../../support/wait-until';

const apps = new TestApps();
guardAgainstLeaks();

async function startWith(processor: new () => object): Promise<Queue> {
  const app = await apps.start({
    imports: [LaneModule.forRoot(), LaneModule.registerQueue('email')],
    providers: [processor],
  });
  return queueOf(app, 'email');
}

async function run(queue: Queue, name: string, data: unknown = {}): Promise<Job> {
  return ended(queue, await queue.add(name, data));
}

describe('@Process', () => {
  it('JOB-41 runs the handler of the job’s name, on the processor object', async () => {
    @Processor('email')
    class EmailProcessor {
      readonly #prefix = 'sent to';

      @Process('send')
      send(job: Job<{ to: string }>) {
        return `${this.#prefix} ${job.data.to}`;
      }

      @Process('digest')
      digest() {
        return 'digest';
      }
    }
    const queue = await startWith(EmailProcessor);

    expect((await run(queue, 'send', { to: 'ann' })).returnvalue).toBe('sent to ann');
    expect((await run(queue, 'digest')).returnvalue).toBe('digest');
  });

  it('without a name takes every name that no other handler takes', async () => {
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      send() {
        return 'by name';
      }

      @Process()
      other(job: Job) {
        return `other: ${job.name}`;
      }
    }
    const queue = await startWith(EmailProcessor);

    expect((await run(queue, 'send')).returnvalue).toBe('by name');
    expect((await run(queue, 'digest')).returnvalue).toBe('other: digest');
  });

  it('several times on a method makes it the handler of several names', async () => {
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      @Process('resend')
      send(job: Job) {
        return job.name;
      }
    }
    const queue = await startWith(EmailProcessor);

    expect((await run(queue, 'send')).returnvalue).toBe('send');
    expect((await run(queue, 'resend')).returnvalue).toBe('resend');
  });

  it('runs what stands in the method’s place, as in a test', async () => {
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      send() {
        return 'sent';
      }
    }
    const app = await apps.start({
      imports: [LaneModule.forRoot(), LaneModule.registerQueue('email')],
      providers: [EmailProcessor],
    });
    app.get(EmailProcessor).send = () => 'replaced';

    expect((await run(queueOf(app, 'email'), 'send')).returnvalue).toBe('replaced');
  });

  it('may stand on a method whose name is a symbol', async () => {
    const send = Symbol('send');
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      [send]() {
        return 'sent';
      }
    }
    const queue = await startWith(EmailProcessor);

    expect((await run(queue, 'send')).returnvalue).toBe('sent');
  });
});

describe('a job whose name no handler takes', () => {
  it('T-N05 NA-4-05 fails once, for good, and says why, where `unknownJob` says so', async () => {
    @Processor('email', { unknownJob: 'fail' })
    class EmailProcessor {
      @Process('send')
      send() {}

      @Process('digest')
      digest() {}
    }
    const queue = await startWith(EmailProcessor);

    const job = await ended(queue, await queue.add('sned', {}, { attempts: 5, backoff: '1h' }));

    expect(job).toMatchObject({ attemptsMade: 1, failedCode: 'no-handler' });
    expect(job.failedReason).toBe(new NoHandlerError('sned', 'email', ['send', 'digest']).message);
  });
});

describe('what a handler returns', () => {
  const values: [string, unknown, unknown][] = [
    ['a value', 1, 1],
    ['a falsy value', 0, 0],
    ['nothing', undefined, null],
    ['a promise', Promise.resolve('later'), 'later'],
    ['an Observable: its last value', from([1, 2, 3]), 3],
    ['an Observable without a value', EMPTY, null],
    ['a promise of an Observable', Promise.resolve(of('inner')), 'inner'],
  ];

  it.each(values)('becomes the result: %s', async (_, returned, stored) => {
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      send() {
        return returned;
      }
    }
    const queue = await startWith(EmailProcessor);

    const job = await run(queue, 'send');

    expect(await job.getState()).toBe('completed');
    expect(job.returnvalue).toEqual(stored);
  });

  it('is read from an Observable once', async () => {
    let subscriptions = 0;
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      send() {
        return new Observable((subscriber) => {
          subscriptions += 1;
          subscriber.next('sent');
          subscriber.complete();
        });
      }
    }
    const queue = await startWith(EmailProcessor);

    await run(queue, 'send');

    expect(subscriptions).toBe(1);
  });
});

describe('what a handler throws', () => {
  const failures: [string, () => unknown][] = [
    [
      'at once',
      () => {
        throw new Error('no server');
      },
    ],
    ['later', () => Promise.reject(new Error('no server'))],
    [
      'in an Observable',
      () =>
        concat(
          of(1),
          throwError(() => new Error('no server')),
        ),
    ],
  ];

  it.each(failures)('is a failed attempt: %s', async (_, fail) => {
    let runs = 0;
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      send() {
        runs += 1;
        return fail();
      }
    }
    const queue = await startWith(EmailProcessor);

    const job = await ended(queue, await queue.add('send', {}, { attempts: 2 }));

    expect(runs).toBe(2);
    expect(job).toMatchObject({ attemptsMade: 2, failedReason: 'no server', failedCode: undefined });
  });

  it('fails the job for good as an UnrecoverableError', async () => {
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      send() {
        throw new UnrecoverableError('no such address');
      }
    }
    const queue = await startWith(EmailProcessor);

    const job = await ended(queue, await queue.add('send', {}, { attempts: 5 }));

    expect(job).toMatchObject({ attemptsMade: 1, failedReason: 'no such address' });
  });
});

describe('the context of a handler', () => {
  it('NA-8-06 has a signal, which is aborted when the application closes and time is up', async () => {
    let reason: unknown;
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      send(_job: Job, { signal }: JobContext) {
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            reason = signal.reason;
            reject(new Error('stopped'));
          });
        });
      }
    }
    const backend = memory();
    const app = await apps.start({
      imports: [LaneModule.forRoot({ backend, shutdown: { drain: 20 } }), LaneModule.registerQueue('email')],
      providers: [EmailProcessor],
    });
    const queue = new Queue('email', { backend });
    const { id } = await queue.add('send', {}, { attempts: 3 });
    await waitUntil(async () => (await queue.getJobState(id)) === 'active', { reason: 'the handler runs' });

    await app.close();

    expect(reason).toMatchObject({ code: 'LANE_WORKER_CLOSING' });
    expect(await queue.getJobState(id)).toBe('waiting');
    expect((await queue.getJob(id))?.attemptsMade).toBe(0);
    await queue.close();
  });

  it('NA-8-06 unsubscribes from a returned Observable when it is aborted', async () => {
    let tornDown = false;
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      send() {
        return new Observable((subscriber) => {
          subscriber.add(() => (tornDown = true));
          subscriber.add(NEVER.subscribe());
        });
      }
    }
    const app = await apps.start({
      imports: [LaneModule.forRoot({ shutdown: { drain: 20 } }), LaneModule.registerQueue('email')],
      providers: [EmailProcessor],
    });
    const job = await queueOf(app, 'email').add('send', {});
    await waitUntil(() => job.isActive(), { reason: 'the handler runs' });

    await app.close();

    expect(tornDown).toBe(true);
  });
});
