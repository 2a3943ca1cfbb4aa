import { describe, expect, it } from '@jest/globals';

import { majors } from './support/bullmq';
import { onCommonGround, type TakenJob } from './support/common-ground';
import { guardSharedQueues } from './support/guard';

guardSharedQueues();

/** What jobs of either party can do in a handler. */
interface Annotated extends TakenJob {
  log(row: string): Promise<number>;
}

describe.each(majors)('with a queue of BullMQ %i,', (major) => {
  it('MGMT-29 MGMT-30 MGMT-31 logs are written, read and cleared by both', async () => {
    await onCommonGround(async (ground) => {
      const ours = ground.ourQueue('work');
      const theirs = ground.theirQueue(major, 'work');
      await ours.add('a', {}, { jobId: 'a', keepLogs: 3 });
      const [ofOurs, ofTheirs] = [(await ours.getJob('a'))!, (await theirs.getJob('a'))!];

      expect(await ofOurs.log('1')).toBe(1);
      expect(await ofTheirs.log('2')).toBe(2);
      expect(await ours.addJobLog('a', '3')).toBe(3);
      expect(await theirs.addJobLog('a', '4')).toBe(4);
      const logs = { logs: ['1', '2', '3', '4'], count: 4 };
      expect(await ours.getJobLogs('a')).toEqual(logs);
      expect(await theirs.getJobLogs('a')).toEqual(logs);
      for (const [start, end, asc] of [
        [1, 2, true],
        [0, 1, false],
        [2, -1, false],
      ] as const) {
        expect(await ours.getJobLogs('a', start, end, asc)).toEqual(
          await theirs.getJobLogs('a', start, end, asc),
        );
      }
      // The option of the job holds on both sides.
      expect(ofTheirs.opts.keepLogs).toBe(3);
      expect(await ofTheirs.log('5')).toBe(3);
      expect(await ofOurs.log('6')).toBe(3);
      expect((await theirs.getJobLogs('a')).logs).toEqual(['4', '5', '6']);
      await ofTheirs.clearLogs(2);
      expect((await ours.getJobLogs('a')).logs).toEqual(['5', '6']);
      await ofOurs.clearLogs();
      expect(await theirs.getJobLogs('a')).toEqual({ logs: [], count: 0 });
      await theirs.add('b', {}, { jobId: 'b', keepLogs: 1 });
      const taken = (await ours.getJob('b'))!;
      expect([await taken.log('1'), await taken.log('2')]).toEqual([1, 1]);
    });
  });

  it('MGMT-26 MGMT-27 data and progress are changed by both', async () => {
    await onCommonGround(async (ground) => {
      const ours = ground.ourQueue('work');
      const theirs = ground.theirQueue(major, 'work');
      await theirs.add('a', { by: 'them' }, { jobId: 'a' });

      for (const value of [{ by: 'us' }, [], 0, false, null, '']) {
        await (await ours.getJob('a'))!.updateData(value);
        expect((await theirs.getJob('a'))!.data).toEqual(value);
      }
      await (await theirs.getJob('a'))!.updateData({ by: 'them again' });
      expect((await ours.getJob('a'))!.data).toEqual({ by: 'them again' });
      await ours.updateJobProgress('a', 7);
      expect((await theirs.getJob('a'))!.progress).toBe(7);
      await theirs.updateJobProgress('a', { half: true });
      expect((await ours.getJob('a'))!.progress).toEqual({ half: true });
    });
  });

  it.each([
    ['ours', major],
    [major, 'ours'],
  ] as const)(
    'JOB-06 options of jobs that %p adds are honoured by the workers of %p',
    async (producer, worker) => {
      await onCommonGround(async (ground) => {
        const opts = {
          jobId: 'a',
          timestamp: 1_700_000_000_000,
          attempts: 4,
          backoff: { type: 'own', delay: 5 },
          keepLogs: 2,
          stackTraceLimit: 2,
          sizeLimit: 1_000,
          removeOnFail: false,
        };
        const queue = producer === 'ours' ? ground.ourQueue('work') : ground.theirQueue(producer, 'work');
        await queue.add('job', { n: 1 }, opts);
        const asked: unknown[] = [];
        const backoffStrategy = (attemptsMade: number, type?: string): number => {
          asked.push([attemptsMade, type]);
          return attemptsMade === 3 ? -1 : attemptsMade - 1;
        };

        ground.work(
          worker,
          'work',
          async (job) => {
            await (job as Annotated).log(`run ${job.attemptsMade + 1}`);
            throw new Error(`failure ${job.attemptsMade + 1}`);
          },
          { settings: { backoffStrategy } },
        );
        await ground.untilQuiet('work');
        await ground.stopWorkers();

        expect(asked).toEqual([
          [1, 'own'],
          [2, 'own'],
          [3, 'own'],
        ]);
        for (const reader of [ground.ourQueue('work'), ground.theirQueue(major, 'work')]) {
          const job = (await reader.getJob('a'))!;
          expect(job.opts).toMatchObject(opts);
          expect([job.timestamp, job.attemptsMade, job.failedReason]).toEqual([
            opts.timestamp,
            3,
            'failure 3',
          ]);
          expect(job.stacktrace!.map((stack) => stack.split('\n')[0])).toEqual([
            'Error: failure 2',
            'Error: failure 3',
          ]);
          expect(await job.getState()).toBe('failed');
          expect((await reader.getJobLogs('a')).logs).toEqual(['run 2', 'run 3']);
        }
      });
    },
  );

  it.each([
    ['ours', major],
    [major, 'ours'],
  ] as const)('MGMT-09 metrics that %p began are gone on with by %p', async (first, second) => {
    await onCommonGround(async (ground) => {
      const ours = ground.ourQueue('work');
      const theirs = ground.theirQueue(major, 'work');
      const run = async (party: typeof first, jobs: number): Promise<void> => {
        await ours.addBulk(Array.from({ length: jobs }, () => ({ name: 'job', data: {} })));
        await ours.add('fails', {});
        const handler = (job: TakenJob): void => {
          if (job.name === 'fails') throw new Error('no');
        };
        ground.work(party, 'work', handler, { metrics: { maxDataPoints: 4 } });
        await ground.untilQuiet('work');
        await ground.stopWorkers();
      };
      /** Sets the clock of the counts back. */
      const age = async (minutes: number): Promise<void> => {
        for (const state of ['completed', 'failed']) {
          const key = ground.key('work', 'metrics', state);
          const previous = Number(await ground.redis.hget(key, 'prevTS'));
          await ground.redis.hset(key, 'prevTS', previous - minutes * 60_000);
        }
      };
      const expectAlike = async (count: number, oldest?: number): Promise<void> => {
        const ofOurs = await ours.getMetrics('completed');
        expect(ofOurs.meta.count).toBe(count);
        expect(ofOurs.data.at(-1)).toBe(oldest ?? ofOurs.data.at(-1));
        for (const state of ['completed', 'failed'] as const) {
          expect(await ours.getMetrics(state)).toEqual(await theirs.getMetrics(state));
          expect(await ours.getMetrics(state, 1, 2)).toEqual(await theirs.getMetrics(state, 1, 2));
        }
      };

      await run(first, 2);
      expect((await theirs.getMetrics('completed')).meta.count).toBe(2);
      await age(2);
      await run(second, 3);
      await expectAlike(5, 2);
      await age(3);
      await run(first, 1);

      expect((await ours.getMetrics('completed')).count).toBe(4);
      await expectAlike(6);
      const text = await ours.exportPrometheusMetrics();
      expect(text).toContain('bullmq_job_completed_total{queue="work"} 6\n');
      expect(await theirs.exportPrometheusMetrics()).toContain('bullmq_job_completed_total{queue="work"} 6');
    });
  });

  it('MGMT-05 counts by state, priority and due time are the same on both sides', async () => {
    await onCommonGround(async (ground) => {
      const ours = ground.ourQueue('work');
      const theirs = ground.theirQueue(major, 'work');
      const now = Date.now();
      for (const queue of [ours, theirs]) {
        await queue.add('plain', {});
        for (const priority of [1, 2, 2_097_151]) await queue.add('prioritized', {}, { priority });
        for (const delay of [1_000, 60_000]) await queue.add('late', {}, { delay, timestamp: now });
      }
      expect(await ours.getVersion()).toBe(await theirs.getVersion());
      const priorities = [2, 0, 1, 3, 2_097_151];

      expect(await ours.getCountsPerPriority(priorities)).toEqual({ 0: 2, 1: 2, 2: 2, 3: 0, 2_097_151: 2 });
      expect(await ours.getCountsPerPriority(priorities)).toEqual(
        await theirs.getCountsPerPriority(priorities),
      );
      expect(await ours.getDelayedCount()).toBe(4);
      expect(
        await Promise.all([1_000, 1_001, 60_000, 60_001].map((millis) => ours.getDelayedCount(now + millis))),
      ).toEqual([0, 2, 2, 4]);
      expect(await ours.getRanges(['waiting', 'delayed'], 0, -1, true)).toEqual(
        await theirs.getRanges(['wait', 'delayed'], 0, -1, true),
      );
    });
  });
});
