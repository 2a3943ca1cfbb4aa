import assert from 'node:assert/strict';

import type { EngineScenario } from './engine-scenario';

/**
 * Jobs that wait for their time.
 *
 * @internal
 */
export const delayingCases: readonly EngineScenario[] = [
  {
    title: 'a delayed job runs when it is due, and not before',
    async run({ queue, worker, until, advance, clock }) {
      const emails = queue();
      const begin = clock.now();
      const runs: number[] = [];
      worker(() => void runs.push(clock.now() - begin));

      const { id } = await emails.add('send', {}, { delay: '10m' });
      assert.equal(await emails.getJobState(id), 'delayed');
      await advance(599_999);
      assert.equal(await emails.getJobState(id), 'delayed');
      await advance(1);
      await until('the job is completed', async () => (await emails.getJobState(id)) === 'completed');

      assert.deepEqual(runs, [600_000]);
    },
  },
  {
    title: 'an idle worker hears of a job that is due earlier than the one it waits for',
    async run({ queue, worker, until, advance }) {
      const emails = queue();
      const ran: string[] = [];
      worker((job) => void ran.push(job.name), { drainDelay: '1d' });

      await emails.add('later', {}, { delay: '1h' });
      await advance(1_000);
      await emails.add('sooner', {}, { delay: '1m' });
      await advance(60_000);
      await until('the sooner one ran', () => ran.length > 0);
      assert.deepEqual(ran, ['sooner']);
      await advance(3_540_000);
      await until('both ran', () => ran.length === 2);
    },
  },
  {
    title: 'jobs that come due run in the order of their times',
    async run({ queue, worker, until, advance }) {
      const emails = queue();
      const delays = [30, 10, 20, 10];
      await emails.addBulk(delays.map((delay, index) => ({ name: 'send', data: index, opts: { delay } })));
      const order: number[] = [];

      await advance(50);
      worker((job) => void order.push(job.data as number));
      await until('all ran', () => order.length === 4);

      assert.deepEqual(order, [1, 3, 2, 0]);
    },
  },
  {
    title: 'T-B30 ten thousand jobs with delays of a few milliseconds all run, without a poll',
    async run({ queue, worker, until, advance }) {
      const emails = queue();
      let runs = 0;
      worker(() => void (runs += 1), { concurrency: 100, drainDelay: '1d' });

      for (let round = 0; round < 10; round += 1) {
        await emails.addBulk(
          Array.from({ length: 1_000 }, (_, index) => ({
            name: 'send',
            data: {},
            opts: { delay: (index % 5) + 1 },
          })),
        );
        await advance(3);
      }
      await advance(5);
      await until('all ran', () => runs === 10_000);

      await until('all are completed', async () => (await emails.getJobCounts()).completed === 10_000);
    },
  },
];
