import assert from 'node:assert/strict';

import type { EngineScenario } from './engine-scenario';

const MINUTE = 60_000;

/**
 * Counts and figures of a queue.
 *
 * @internal
 */
export const measuringCases: readonly EngineScenario[] = [
  {
    title: 'MGMT-09 a worker with metrics counts finished jobs by the minute, one without does not',
    async run({ queue, worker, until, advance }) {
      const emails = queue();
      const jobs = [{}, {}, { fails: true }].map((data) => ({ name: 'send', data }));
      const handler = (job: { data: { fails?: boolean } }): void => {
        if (job.data.fails === true) throw new Error('no');
      };
      const ended = (count: number): Promise<void> =>
        until(
          `${count} have ended`,
          async () => (await emails.getJobCountByTypes('completed', 'failed')) === count,
        );

      const silent = worker(handler);
      await emails.addBulk(jobs);
      await ended(3);
      await silent.close();
      assert.deepEqual(await emails.getMetrics('completed'), {
        meta: { count: 0, prevTS: 0, prevCount: 0 },
        data: [],
        count: 0,
      });
      worker(handler, { metrics: { maxDataPoints: 10 } });
      await emails.addBulk(jobs);
      await ended(6);
      await advance(MINUTE);
      await emails.addBulk(jobs);
      await ended(9);

      const completed = await emails.getMetrics('completed');
      assert.deepEqual(
        [completed.meta.count, completed.meta.prevCount, completed.data, completed.count],
        [4, 2, [2], 1],
      );
      const failed = await emails.getMetrics('failed', 0, 0);
      assert.deepEqual([failed.meta.count, failed.data], [2, [1]]);
      assert.deepEqual((await emails.getMetrics('completed', 1)).data, []);
      await assert.rejects(emails.getMetrics('waiting' as never), {
        code: 'LANE_UNKNOWN_STATE',
        message: 'The job state "waiting" is not taken here. Use one of: completed, failed.',
      });
      await assert.rejects(emails.getMetrics('completed', -1), { code: 'LANE_BAD_RANGE' });
    },
  },
  {
    title: 'the figures of a queue are a text for Prometheus, whose label values cannot break out',
    async run({ queue, worker, until }) {
      const emails = queue();
      worker(() => 1, { metrics: { maxDataPoints: 1 } });
      const { id } = await emails.add('send', {});
      await until('it is completed', async () => (await emails.getJobState(id)) === 'completed');
      await emails.add('late', {}, { delay: 1_000 });

      const text = await emails.exportPrometheusMetrics({ env: 'a"b\\c\nd' });

      const labels = 'env="a\\"b\\\\c\\nd"';
      const lines = text.split('\n');
      for (const line of [
        `bullmq_job_count{queue="email", state="completed", ${labels}} 1`,
        `bullmq_job_count{queue="email", state="delayed", ${labels}} 1`,
        `bullmq_job_count{queue="email", state="failed", ${labels}} 0`,
        `bullmq_job_completed_total{queue="email", ${labels}} 1`,
        `bullmq_job_failed_total{queue="email", ${labels}} 0`,
        '# TYPE bullmq_job_count gauge',
        '# TYPE bullmq_job_completed_total counter',
      ]) {
        assert.ok(lines.includes(line), `${line} is missing in:\n${text}`);
      }
      await assert.rejects(emails.exportPrometheusMetrics({ queue: 'mine' }), { code: 'LANE_BAD_LABEL' });
      await assert.rejects(emails.exportPrometheusMetrics({ 'a-b': '1' }), { code: 'LANE_BAD_LABEL' });
    },
  },
  {
    title:
      'MGMT-04 MGMT-05 every state has a count of its own, delayed jobs one until a time, priorities one each',
    async run({ queue, clock, worker, until }) {
      const emails = queue();
      const running = worker((job) => {
        if (job.name === 'fails') throw new Error('no');
      });
      await emails.addBulk(['works', 'works', 'fails'].map((name) => ({ name, data: {} })));
      await until(
        'all have ended',
        async () => (await emails.count()) + (await emails.getActiveCount()) === 0,
      );
      await running.close();
      const options = [
        {},
        {},
        {},
        { priority: 1 },
        { priority: 7 },
        { priority: 7 },
        { delay: 10 },
        { delay: 20 },
      ];
      await emails.addBulk(options.map((opts) => ({ name: 'send', data: {}, opts })));

      assert.deepEqual(
        await Promise.all([
          emails.getWaitingCount(),
          emails.getPrioritizedCount(),
          emails.getDelayedCount(),
          emails.getActiveCount(),
          emails.getCompletedCount(),
          emails.getFailedCount(),
          emails.getWaitingChildrenCount(),
        ]),
        [3, 3, 2, 0, 2, 1, 0],
      );
      const now = clock.now();
      assert.deepEqual(
        await Promise.all([10, 11, 21].map((millis) => emails.getDelayedCount(now + millis))),
        [0, 1, 2],
      );
      assert.deepEqual(await emails.getCountsPerPriority([7, 0, 1, 2, 7]), { 0: 3, 1: 1, 2: 0, 7: 2 });
      await assert.rejects(emails.getDelayedCount(-1), { code: 'LANE_BAD_TIMESTAMP' });
      await assert.rejects(emails.getCountsPerPriority([-1]), { code: 'LANE_BAD_PRIORITY' });
    },
  },
  {
    title: 'MGMT-06 ids and jobs of several states come state by state, in either order, each once',
    async run({ queue }) {
      const emails = queue();
      const options = [
        { jobId: 'a' },
        { jobId: 'b' },
        { jobId: 'c', priority: 2 },
        { jobId: 'd', delay: 10 },
      ];
      await emails.addBulk(options.map((opts) => ({ name: 'send', data: {}, opts })));

      assert.deepEqual(await emails.getRanges(['waiting', 'prioritized', 'wait'], 0, -1, true), [
        'a',
        'b',
        'c',
      ]);
      assert.deepEqual(await emails.getRanges('waiting', 0, -1), ['b', 'a']);
      assert.deepEqual(await emails.getRanges(['waiting', 'delayed'], 0, 0, true), ['a', 'd']);
      assert.deepEqual(await emails.getRanges(['waiting', 'delayed'], 1, 5, true), ['b']);
      assert.deepEqual(await emails.getRanges('waiting'), ['b', 'a']);
      await assert.rejects(emails.getRanges('none' as never), { code: 'LANE_UNKNOWN_STATE' });
    },
  },
];
