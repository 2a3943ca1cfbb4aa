import assert from 'node:assert/strict';

import type { Job } from '../../../engine/job';
import type { EngineScenario } from './engine-scenario';

/** Which of its questions a job answers with yes. */
async function answersOf(job: Job): Promise<string[]> {
  const answers = {
    completed: await job.isCompleted(),
    failed: await job.isFailed(),
    delayed: await job.isDelayed(),
    active: await job.isActive(),
    waiting: await job.isWaiting(),
    'waiting-children': await job.isWaitingChildren(),
  };
  return Object.entries(answers).flatMap(([state, answer]) => (answer ? state : []));
}

/**
 * What objects tell of themselves, and of what is done through them.
 *
 * @internal
 */
export const tellingCases: readonly EngineScenario[] = [
  {
    title: 'a job says of every state whether it is in it, a prioritized one that it waits',
    async run({ queue, worker, until }) {
      const emails = queue();
      const plain = await emails.add('good', {});
      const important = await emails.add('important', {}, { priority: 1 });
      const late = await emails.add('late', {}, { delay: '1h' });
      assert.deepEqual(await answersOf(plain), ['waiting']);
      assert.deepEqual(await answersOf(important), ['waiting']);
      assert.deepEqual(await answersOf(late), ['delayed']);

      let end = (): void => undefined;
      worker(({ name }) => {
        if (name === 'important') {
          throw new Error('no luck');
        }
        return new Promise<void>((resolve) => (end = resolve));
      });
      await until('the first one runs', async () => (await emails.getActiveCount()) === 1);
      assert.deepEqual(
        (await emails.getActive()).map(({ id }) => id),
        [plain.id],
      );
      assert.deepEqual(await answersOf(plain), ['active']);
      end();
      await until('both have ended', async () => (await emails.count()) === 1 && !(await plain.isActive()));
      await until('the other one has failed', async () => (await emails.getFailedCount()) === 1);

      assert.deepEqual(await answersOf(plain), ['completed']);
      assert.deepEqual(await answersOf(important), ['failed']);
      assert.deepEqual(
        (await emails.getFailed()).map(({ id }) => id),
        [important.id],
      );
      await late.remove();
      assert.deepEqual(await answersOf(late), []);
    },
  },
  {
    title: 'a queue object tells what was done through it, and nothing that was done elsewhere',
    async run({ queue, worker, until }) {
      const emails = queue();
      const elsewhere = queue();
      const told: unknown[][] = [];
      emails.on('waiting', (job) => told.push(['waiting', job.id]));
      emails.on('progress', (job, progress) =>
        told.push(['progress', typeof job === 'string' ? `"${job}"` : job.id, progress]),
      );
      emails.on('paused', (...args) => told.push(['paused', ...args]));
      emails.on('resumed', (...args) => told.push(['resumed', ...args]));
      emails.on('removed', (id) => told.push(['removed', id]));
      emails.on('cleaned', (ids, type) => told.push(['cleaned', ids, type]));

      const job = await emails.add('send', {}, { jobId: 'one' });
      await emails.add('send', {}, { jobId: 'one' });
      await emails.add('send', {}, { jobId: 'late', delay: '1h' });
      await emails.pause();
      await emails.pause();
      await job.updateProgress(50);
      await emails.updateJobProgress('one', { page: 2 });
      await emails.resume();
      await emails.remove('late');
      await elsewhere.add('send', {}, { jobId: 'two' });
      await elsewhere.updateJobProgress('two', 1);
      worker(() => undefined);
      await until('both are completed', async () => (await emails.getCompletedCount()) === 2);
      await elsewhere.remove('two');
      await emails.clean(0, 0, 'completed');

      assert.deepEqual(told, [
        ['waiting', 'one'],
        ['paused'],
        ['progress', 'one', 50],
        ['progress', '"one"', { page: 2 }],
        ['resumed'],
        ['removed', 'late'],
        ['cleaned', ['one'], 'completed'],
      ]);
    },
  },
  {
    title: 'a worker tells of its life and of what it does, in order, with the job and what came of it',
    async run({ queue, worker, until }) {
      const emails = queue();
      const told: unknown[][] = [];
      const one = worker(
        async (job) => {
          await job.updateProgress(0.5);
          if (job.name === 'bad') {
            throw new Error('no luck');
          }
          return 7;
        },
        { name: 'first' },
      );
      one.on('ready', (...args) => told.push(['ready', ...args]));
      one.on('active', (job, prev) => told.push(['active', job.name, prev]));
      one.on('progress', (job, progress) => told.push(['progress', job.name, progress]));
      one.on('completed', (job, result, prev) => told.push(['completed', job.name, result, prev]));
      one.on('failed', (job, error, prev) => told.push(['failed', job.name, error.message, prev]));
      one.on('drained', (...args) => told.push(['drained', ...args]));
      one.on('paused', (...args) => told.push(['paused', ...args]));
      one.on('resumed', (...args) => told.push(['resumed', ...args]));
      one.on('closing', (message) => told.push(['closing', typeof message]));
      one.on('closed', (...args) => told.push(['closed', ...args]));
      const count = (event: string): number => told.filter(([name]) => name === event).length;

      await until('it is ready', () => count('ready') === 1);
      await emails.add('good', {});
      await until('nothing is left', () => count('drained') === 1);
      await emails.add('bad', {}, { attempts: 2, backoff: '1h' });
      await until('an attempt has failed', () => count('failed') === 1);
      await one.pause();
      await one.resume();
      await one.close();

      const ofLife = told.filter(([name]) => name !== 'drained');
      assert.deepEqual(ofLife, [
        ['ready'],
        ['active', 'good', 'waiting'],
        ['progress', 'good', 0.5],
        ['completed', 'good', 7, 'active'],
        ['active', 'bad', 'waiting'],
        ['progress', 'bad', 0.5],
        ['failed', 'bad', 'no luck', 'active'],
        ['paused'],
        ['resumed'],
        ['closing', 'string'],
        ['closed'],
      ]);
    },
  },
  {
    title: 'objects know their names and options, and every worker has an id of its own',
    async run({ queue, worker, events, eventsProducer, backend }) {
      const emails = queue({ defaultJobOptions: { attempts: 3 } });
      const one = worker(null, { name: 'first' });
      const two = worker(null);
      const listener = await events({ blockingTimeout: '1s' });
      const job = await emails.add('send', {});

      for (const named of [emails, one, listener, eventsProducer()]) {
        assert.equal(named.name, 'email');
        assert.equal(named.opts.backend, backend);
      }
      assert.deepEqual([job.queueName, job.progress, job.token], ['email', 0, undefined]);
      assert.deepEqual(emails.opts.defaultJobOptions, { attempts: 3 });
      assert.equal(one.opts.name, 'first');
      assert.equal(listener.opts.blockingTimeout, '1s');
      assert.equal(new Set([one.id, two.id, '']).size, 3);
    },
  },
  {
    title: 'a listener with autorun false hears nothing before it is run, once, and then until its close',
    async run({ queue, events, until }) {
      const emails = queue();
      const listener = await events({ autorun: false, lastEventId: '0-0' });
      const heard: string[] = [];
      listener.on('added', ({ jobId }) => heard.push(jobId));
      let isTold = false;
      (await events()).on('added:before', () => (isTold = true));
      await emails.add('send', {}, { jobId: 'before' });
      await until('another one hears', () => isTold);
      assert.deepEqual(heard, []);

      const run = listener.run();
      await until('it hears', () => heard.length === 1);
      await assert.rejects(listener.run(), { code: 'LANE_ALREADY_RUNNING' });
      await emails.add('send', {}, { jobId: 'meanwhile' });
      await until('it hears again', () => heard.length === 2);
      await listener.close();
      await run;

      await emails.add('send', {}, { jobId: 'after' });
      assert.deepEqual(heard, ['before', 'meanwhile']);
      await assert.rejects(listener.run(), { code: 'LANE_CLOSED' });
    },
  },
  {
    title: 'waitUntilReady resolves once calls can be carried out, and rejects after the close',
    async run({ queue, worker, events, eventsProducer }) {
      const opened = [queue(), worker(null), await events(), eventsProducer()];
      await Promise.all(opened.map((each) => each.waitUntilReady()));
      await Promise.all(opened.map((each) => each.close()));
      for (const each of opened) {
        await assert.rejects(each.waitUntilReady(), { code: 'LANE_CLOSED' });
      }
    },
  },
];
