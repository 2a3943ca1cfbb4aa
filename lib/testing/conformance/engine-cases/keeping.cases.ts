import assert from 'node:assert/strict';

import type { EngineScenario } from './engine-scenario';

/**
 * What is kept of finished jobs, and how it is looked at.
 *
 * @internal
 */
export const keepingCases: readonly EngineScenario[] = [
  {
    title: 'a job that says so is removed when it is done, and the others are kept',
    async run({ queue, worker, until }) {
      const emails = queue();
      const gone = await emails.add('send', {}, { removeOnComplete: true });
      const kept = await emails.add('send', {});

      worker(() => undefined);
      await until('the later one is done', () => kept.isCompleted());

      assert.equal(await gone.getState(), 'unknown');
    },
  },
  {
    title: 'the newest are kept up to a count, by the setting of the worker unless the job has one',
    async run({ queue, worker, until }) {
      const emails = queue();
      await emails.addBulk(Array.from({ length: 6 }, (_, index) => ({ name: 'send', data: index })));
      const exempt = await emails.add('send', 6, { removeOnComplete: false });

      worker(() => undefined, { removeOnComplete: 2 });
      await until('the last one is done', () => exempt.isCompleted());

      const completed = await emails.getCompleted();
      assert.deepEqual(
        completed.map((job) => job.data as number),
        [6, 5, 4],
      );
    },
  },
  {
    title: 'finished jobs are removed by age when another one finishes',
    async run({ queue, worker, until, advance }) {
      const emails = queue();
      worker((job) => {
        if (job.name === 'bad') {
          throw new Error('bad');
        }
      });
      const opts = { removeOnComplete: { age: 60 }, removeOnFail: { age: '60s' } } as const;
      const old = await emails.add('send', {}, opts);
      const oldFailed = await emails.add('bad', {}, opts);
      await until('both are done', async () => (await old.isCompleted()) && (await oldFailed.isFailed()));

      await advance(60_001);
      const fresh = await emails.add('send', {}, opts);
      await until('a newer one is done', () => fresh.isCompleted());
      assert.equal(await old.getState(), 'unknown');
      assert.equal(await oldFailed.getState(), 'failed');
      const freshFailed = await emails.add('bad', {}, opts);
      await until('a newer one has failed', () => freshFailed.isFailed());
      assert.equal(await oldFailed.getState(), 'unknown');
    },
  },
  {
    title: 'MGMT-03 MGMT-06 jobs are listed by state, in pages, and counted',
    async run({ queue, worker, until }) {
      const emails = queue();
      await emails.addBulk(Array.from({ length: 5 }, (_, index) => ({ name: 'send', data: index })));
      await emails.add('send', 'prioritized', { priority: 3 });
      await emails.add('send', 'delayed', { delay: '1h' });

      assert.deepEqual(await emails.getJobCounts(), {
        waiting: 5,
        prioritized: 1,
        delayed: 1,
        active: 0,
        completed: 0,
        failed: 0,
        'waiting-children': 0,
      });
      const dataOf = async (jobs: Promise<{ data: unknown }[]>): Promise<unknown[]> =>
        (await jobs).map((job) => job.data);
      assert.deepEqual(await dataOf(emails.getWaiting(1, 2)), [1, 2]);
      assert.deepEqual(await dataOf(emails.getJobs('wait', 0, 1)), [4, 3]);
      assert.deepEqual(await dataOf(emails.getJobs(['delayed', 'prioritized'])), ['delayed', 'prioritized']);
      assert.deepEqual(await dataOf(emails.getWaiting(9, 20)), []);
      assert.deepEqual(await dataOf(emails.getWaitingChildren()), []);
      assert.equal(await emails.getJobCountByTypes('waiting', 'wait', 'delayed'), 6);
      assert.equal(await emails.count(), 7);

      worker(() => undefined);
      await until('six are completed', async () => (await emails.getJobCounts()).completed === 6);
      assert.deepEqual(await dataOf(emails.getCompleted(0, 1)), ['prioritized', 4]);
      await assert.rejects(emails.getJobs('finished' as 'completed'), { code: 'LANE_UNKNOWN_STATE' });
    },
  },
  {
    title: 'a job that is not there is undefined, and its state unknown',
    async run({ queue }) {
      const emails = queue();

      assert.equal(await emails.getJob('nothing'), undefined);
      assert.equal(await emails.getJobState('nothing'), 'unknown');
    },
  },
];
