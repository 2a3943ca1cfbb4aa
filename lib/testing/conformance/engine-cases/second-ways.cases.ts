import assert from 'node:assert/strict';

import { Job } from '../../../engine/job';
import { InvalidDurationError } from '../../../model/errors/invalid-duration.error';
import { InvalidJobNameError } from '../../../model/errors/invalid-job-name.error';
import { JobNotFoundError } from '../../../model/errors/job-not-found.error';
import { QueueClosedError } from '../../../model/errors/queue-closed.error';
import { RateLimitError } from '../../../model/errors/rate-limit.error';
import type { EngineScenario } from './engine-scenario';

/**
 * What can be done in a second way too, because BullMQ has both.
 *
 * @internal
 */
export const secondWaysCases: readonly EngineScenario[] = [
  {
    title: 'jobs are added, found and logged by the functions of the class, as by their queue',
    async run({ queue }) {
      const emails = queue();

      const one = await Job.create(emails, 'one', { a: 1 }, { jobId: 'first', delay: '1h' });
      const [two, three] = await Job.createBulk(emails, [
        { name: 'two', data: { a: 2 }, opts: { priority: 7 } },
        { name: 'three', data: {} },
      ]);

      assert.deepEqual((await emails.getJob('first'))?.toJSON(), one.toJSON());
      assert.deepEqual((await Job.fromId(emails, two!.id))?.toJSON(), two!.toJSON());
      assert.deepEqual([one.delay, two!.priority, three!.name], [3_600_000, 7, 'three']);
      assert.equal(await Job.fromId(emails, 'none'), undefined);
      assert.equal(await Job.addJobLog(emails, 'first', 'old'), 1);
      assert.equal(await Job.addJobLog(emails, 'first', 'new', 1), 1);
      assert.deepEqual(await emails.getJobLogs('first'), { logs: ['new'], count: 1 });
      await assert.rejects(Job.create(emails, '', {}), InvalidJobNameError);
      await assert.rejects(Job.addJobLog(emails, 'none', 'row'), JobNotFoundError);
      assert.equal(await emails.count(), 3);
    },
  },
  {
    title: 'LIM-04 a worker limits its queue by hand, and its handler gives its job back meanwhile',
    async run({ queue, worker, until, advance, clock }) {
      const emails = queue();
      const job = await emails.add('send', {}, { attempts: 1 });
      const starts: number[] = [];
      const from = clock.now();
      const one = worker(async () => {
        if (starts.push(clock.now()) === 1) {
          await one.rateLimit('2s');
          throw new RateLimitError();
        }
      });
      await until('it was given back', async () => starts.length === 1 && (await job.isWaiting()));
      assert.equal(await emails.getRateLimitTtl(), 2_000);
      await advance(1_999);
      assert.deepEqual(starts, [from]);
      await advance(1);
      await until('it has completed', () => job.isCompleted());

      assert.deepEqual(starts, [from, from + 2_000]);
      await assert.rejects(one.rateLimit(0), InvalidDurationError);
      assert.equal(await emails.getRateLimitTtl(), -2);
      await one.close();
      await assert.rejects(one.rateLimit(1), QueueClosedError);
    },
  },
];
