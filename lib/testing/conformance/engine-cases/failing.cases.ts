import assert from 'node:assert/strict';

import { UnrecoverableError } from '../../../model/errors/unrecoverable.error';
import { QueueUser } from '../queue-user';
import type { EngineScenario } from './engine-scenario';

/** As other clients store them, which check less. */
const ODD_OPTIONS: readonly string[] = [
  '{"attempts":2,"backoff":{"type":5}}',
  '{"attempts":2,"backoff":{"type":"fixed","delay":-1}}',
  '{"attempts":2,"backoff":{"type":"exponential","delay":null,"jitter":-1}}',
  '{"removeOnComplete":{"age":null,"count":null},"removeOnFail":{"age":null,"count":null}}',
  '{"removeOnComplete":{"count":2000.5,"limit":-1},"removeOnFail":{"count":1e30,"limit":1.5}}',
  '{"removeOnComplete":{"age":1e300},"removeOnFail":{"age":"x"}}',
  'null',
  '',
];

/**
 * Failures, attempts and backoff.
 *
 * @internal
 */
export const failingCases: readonly EngineScenario[] = [
  {
    title:
      'a job whose options say something that nobody can reckon with is run to an end, and so are all others',
    async run({ backend, queue, worker, until }) {
      const emails = queue();
      const producer = new QueueUser(backend.openQueue({ queueName: emails.name, role: 'producer' }));
      await producer.add(
        ...ODD_OPTIONS.flatMap((options) => [
          { name: 'good', options },
          { name: 'bad', options },
        ]),
      );
      await producer.handle.close();

      worker(
        (job) => {
          if (job.name === 'bad') throw new Error('no');
        },
        { concurrency: 2 * ODD_OPTIONS.length },
      );
      await until('all have ended', async () => {
        const { completed, failed } = await emails.getJobCounts();
        return completed + failed === 2 * ODD_OPTIONS.length;
      });

      const failed = await emails.getFailed();
      assert.equal(failed.length, ODD_OPTIONS.length);
      assert.ok(failed.every((job) => job.name === 'bad' && job.failedReason === 'no'));
    },
  },
  {
    title: 'a handler that throws fails its job, with the reason and the stack',
    async run({ queue, worker, until }) {
      const emails = queue();
      const { id } = await emails.add('send', {});

      worker(() => {
        throw new TypeError('no such mailbox');
      });
      await until('the job has failed', async () => (await emails.getJobState(id)) === 'failed');

      const { failedReason, stacktrace, attemptsMade, failedCode } = (await emails.getJob(id))!;
      assert.deepEqual([failedReason, attemptsMade, failedCode], ['no such mailbox', 1, undefined]);
      assert.equal(stacktrace.length, 1);
      assert.match(stacktrace[0]!, /^TypeError: no such mailbox\n\s+at /);
    },
  },
  {
    title: 'whatever is thrown is a readable reason',
    async run({ queue, worker, until }) {
      const emails = queue();
      const thrown = ['a text', undefined, 5, { code: 7 }, null];
      await emails.addBulk(thrown.map((_, index) => ({ name: 'send', data: index })));

      worker((job) => {
        // eslint-disable-next-line @typescript-eslint/only-throw-error -- handlers throw anything
        throw thrown[job.data as number];
      });
      await until('all have failed', async () => (await emails.getJobCounts()).failed === thrown.length);

      const jobs = await emails.getJobs('failed', 0, -1, true);
      assert.equal(jobs[0]!.failedReason, 'a text');
      for (const job of jobs.slice(1)) {
        assert.match(job.failedReason!, /not an error was thrown/);
      }
    },
  },
  {
    title: 'what cannot be read fails its job like anything else that is thrown, and the worker goes on',
    async run({ queue, worker, until }) {
      const emails = queue();
      const things = unreadableThings();
      await emails.addBulk(
        things.map((_, index) => ({ name: index % 2 === 0 ? 'sync' : 'async', data: index })),
      );
      await emails.addBulk(
        things.map((_, index) => ({ name: index % 2 === 0 ? 'async' : 'sync', data: index })),
      );
      const last = await emails.add('last', {});

      worker(
        (job) => {
          if (job.name === 'last') {
            return undefined;
          }
          const thing = things[job.data as number];
          if (job.name === 'async') {
            // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- handlers reject with anything
            return Promise.reject(thing);
          }
          throw thing;
        },
        { concurrency: 3 },
      );
      await until('the last one is completed', () => last.isCompleted());
      await until('none is active', async () => (await emails.getJobCounts()).active === 0);

      const failed = await emails.getFailed();
      assert.equal(failed.length, 2 * things.length);
      for (const job of failed) {
        assert.equal(typeof job.failedReason, 'string');
        assert.deepEqual(
          job.stacktrace.map((stack) => typeof stack),
          ['string'],
        );
      }
    },
  },
  {
    title: 'a job is tried as often as it says, at once without a backoff',
    async run({ queue, worker, until }) {
      const emails = queue();
      const { id } = await emails.add('send', {}, { attempts: 3 });
      const made: number[] = [];

      worker((job) => {
        made.push(job.attemptsMade);
        throw new Error(`attempt ${made.length}`);
      });
      await until('the job has failed', async () => (await emails.getJobState(id)) === 'failed');

      assert.deepEqual(made, [0, 1, 2]);
      const job = (await emails.getJob(id))!;
      assert.deepEqual([job.attemptsMade, job.failedReason, job.stacktrace.length], [3, 'attempt 3', 3]);
    },
  },
  {
    title: 'a job that succeeds at its last attempt is completed',
    async run({ queue, worker, until }) {
      const emails = queue();
      const { id } = await emails.add('send', {}, { attempts: 3 });

      worker((job) => {
        if (job.attemptsMade < 2) {
          throw new Error('not yet');
        }
        return 'at last';
      });
      await until('the job is completed', async () => (await emails.getJobState(id)) === 'completed');

      assert.equal((await emails.getJob(id))!.returnvalue, 'at last');
    },
  },
  {
    title: 'a fixed backoff waits the same time before each retry',
    run: (context) => expectRetriesAfter(context, { type: 'fixed', delay: '2s' }, [2_000, 2_000, 2_000]),
  },
  {
    title: 'an exponential backoff doubles its wait',
    run: (context) =>
      expectRetriesAfter(context, { type: 'exponential', delay: '1s' }, [1_000, 2_000, 4_000]),
  },
  {
    title: 'an UnrecoverableError, known by its name, fails the job whatever attempts are left',
    async run({ queue, worker, until }) {
      const emails = queue();
      const foreign = new Error('gone');
      foreign.name = 'UnrecoverableError';
      const errors = [new UnrecoverableError('gone'), foreign];
      await emails.addBulk(errors.map((_, index) => ({ name: 'send', data: index, opts: { attempts: 5 } })));

      worker((job) => {
        throw errors[job.data as number]!;
      });
      await until('both have failed', async () => (await emails.getJobCounts()).failed === 2);

      for (const job of await emails.getFailed()) {
        assert.deepEqual([job.attemptsMade, job.failedReason], [1, 'gone']);
      }
    },
  },
  {
    title: 'a retry runs after the jobs that wait already',
    async run({ queue, worker, until }) {
      const emails = queue();
      await emails.addBulk(
        ['a', 'b', 'c'].map((name) => ({ name, data: {}, opts: { attempts: name === 'a' ? 2 : 1 } })),
      );
      const order: string[] = [];

      worker((job) => {
        order.push(job.name);
        if (order.length === 1) {
          throw new Error('again');
        }
      });
      await until('all ran', () => order.length === 4);

      assert.deepEqual(order, ['a', 'b', 'c', 'a']);
    },
  },
];

async function expectRetriesAfter(
  { queue, worker, until, advance, clock }: Parameters<EngineScenario['run']>[0],
  backoff: { type: 'fixed' | 'exponential'; delay: '1s' | '2s' },
  waits: readonly number[],
): Promise<void> {
  const emails = queue();
  const { id } = await emails.add('send', {}, { attempts: waits.length + 1, backoff });
  const runs: number[] = [];
  worker(() => {
    runs.push(clock.now());
    throw new Error('not yet');
  });
  await until('the job ran', () => runs.length === 1);

  for (const [index, millis] of waits.entries()) {
    await until('the job waits', async () => (await emails.getJobState(id)) === 'delayed');
    await advance(millis - 1);
    assert.equal(runs.length, index + 1, `retry ${index + 1} came early`);
    await advance(1);
    await until('the job was retried', () => runs.length === index + 2);
  }

  await until('the job has failed', async () => (await emails.getJobState(id)) === 'failed');
}

/** Things that a handler may throw by accident: whatever reads them runs into an error or finds no text. */
function unreadableThings(): unknown[] {
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const refuse = (): never => {
    throw new Error('not to be read');
  };
  const hidden = (error: object, property: string): object =>
    Object.defineProperty(error, property, { get: refuse });
  return [
    revoked.proxy,
    hidden({}, 'message'),
    hidden(new Error('hidden name'), 'name'),
    hidden(new Error('hidden stack'), 'stack'),
    hidden(new Error('hidden code'), 'outcomeCode'),
    Object.assign(new Error('number'), { message: 5 }),
    Object.assign(new Error('number'), { stack: 5n }),
    { message: { text: 'an object' }, stack: [] },
  ];
}
