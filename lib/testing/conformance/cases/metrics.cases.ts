import assert from 'node:assert/strict';

import type { FinishedState } from '../../../contract/job-moves';
import type { MetricsRequest, StateMetrics } from '../../../contract/metrics';
import { Refusal } from '../../../contract/refusal';
import { KEEP_ALL } from '../../../model/policy/retention';
import type { ContractCase } from '../conformance-case';
import type { ConformanceContext } from '../conformance-context';
import { completed, failure, leasesOf, retry, type QueueUser } from '../queue-user';

const MINUTE = 60_000;

function metrics(
  user: QueueUser,
  state: FinishedState,
  changes: Partial<MetricsRequest> = {},
): Promise<StateMetrics> {
  return user.handle.getMetrics({ state, offset: 0, limit: null, ...changes });
}

/** Completes so many jobs in one call, and counts them. */
async function complete(user: QueueUser, jobs: number, maxDataPoints: number | null = 5): Promise<void> {
  await user.add(...Array.from({ length: jobs }, () => ({})));
  const outcomes = completed(await user.claim(jobs));
  await user.handle.settleJobs({ outcomes, claim: null, maxDataPoints }, await user.nextCall('w0'));
}

/** Moves the clock to the beginning of a minute. */
async function beginMinute(context: ConformanceContext, user: QueueUser): Promise<void> {
  await context.advance(MINUTE - ((await user.handle.time()) % MINUTE));
}

/** @internal */
export const METRICS_CASES: readonly ContractCase[] = [
  {
    operation: 'getMetrics',
    title: 'MGMT-09 has a point for each minute that is over, newest first, once the next job is counted',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await beginMinute(context, user);
      const start = await user.handle.time();

      await complete(user, 2);
      await context.advance(10_000);
      await complete(user, 1);
      assert.deepEqual(await metrics(user, 'completed'), {
        count: 3,
        previousTime: start,
        previousCount: 0,
        points: [],
        total: 0,
      });
      await context.advance(50_000);
      await complete(user, 4);
      assert.deepEqual(await metrics(user, 'completed'), {
        count: 7,
        previousTime: start + MINUTE,
        previousCount: 3,
        points: [3],
        total: 1,
      });
      await context.advance(3 * MINUTE - 1);
      await complete(user, 1);

      assert.deepEqual(await metrics(user, 'completed'), {
        count: 8,
        previousTime: start + 4 * MINUTE - 1,
        previousCount: 7,
        points: [0, 4, 3],
        total: 3,
      });
      assert.deepEqual((await metrics(user, 'failed')).count, 0);
    },
  },
  {
    operation: 'getMetrics',
    title: 'MGMT-09 keeps as many points as it is told, the newest, and brings a part of them',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await beginMinute(context, user);
      for (const jobs of [1, 2, 3, 4, 5, 6]) {
        await complete(user, jobs, 4);
        await context.advance(MINUTE);
      }
      assert.deepEqual((await metrics(user, 'completed')).points, [5, 4, 3, 2]);
      assert.deepEqual((await metrics(user, 'completed', { offset: 1, limit: 2 })).points, [4, 3]);
      assert.deepEqual((await metrics(user, 'completed', { offset: 3 })).points, [2]);
      assert.deepEqual((await metrics(user, 'completed', { offset: 4 })).points, []);
      assert.deepEqual(await metrics(user, 'completed', { limit: 0 }), {
        ...(await metrics(user, 'completed')),
        points: [],
      });

      await context.advance(1_000 * MINUTE);
      await complete(user, 1, 4);

      const { points, total, count } = await metrics(user, 'completed');
      assert.deepEqual([points, total, count], [[0, 0, 0, 6], 4, 22]);
      await context.advance(MINUTE);
      await complete(user, 1, 2);
      assert.deepEqual((await metrics(user, 'completed')).points, [1, 0]);
    },
  },
  {
    operation: 'getMetrics',
    title: 'MGMT-09 counts what was completed and what failed for good, by whomever, and nothing else',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const other = context.open();
      await user.addIds('done', 'gone', 'broken', 'again', 'back', 'stale');
      const claim = await user.claim(6);
      const [done, gone, broken, again, back] = leasesOf(claim);
      const outcomes = [
        { ...done!, kind: 'completed', returnValue: '1', retention: KEEP_ALL },
        { ...gone!, kind: 'completed', returnValue: '1', retention: { ...KEEP_ALL, count: 0 } },
        failure(broken!),
        retry(again!),
        { ...back!, kind: 'handed-back' },
        { id: 'stale', token: 'of another', kind: 'completed', returnValue: '1', retention: KEEP_ALL },
      ] as const;

      const call = await user.nextCall('w0');
      const request = { outcomes, claim: null, maxDataPoints: 5 };
      const reply = await user.handle.settleJobs(request, call);
      assert.deepEqual(reply.refusals.at(-1), Refusal.LeaseMismatch);
      assert.deepEqual(await user.handle.settleJobs(request, call), reply);
      await complete(other, 3);
      await complete(other, 1, null);

      const [ofCompleted, ofFailed] = [await metrics(user, 'completed'), await metrics(user, 'failed')];
      assert.deepEqual([ofCompleted.count, ofFailed.count], [5, 1]);
    },
  },
  {
    operation: 'getMetrics',
    title: 'MGMT-09 has zeros where nobody counts, and where everything was destroyed',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const none = { count: 0, previousTime: 0, previousCount: 0, points: [], total: 0 };
      await complete(user, 2, null);
      assert.deepEqual(await metrics(user, 'completed'), none);

      await complete(user, 2);
      await context.advance(MINUTE);
      await complete(user, 2);
      await user.pause();
      await user.obliterate();

      assert.deepEqual(await metrics(user, 'completed'), none);
    },
  },
  {
    operation: 'countDelayed',
    title: 'counts the delayed jobs that are due before a time',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      const now = await user.handle.time();
      assert.equal(await user.handle.countDelayed(now + 1), 0);
      await user.add({ delay: 100 }, { delay: 100, priority: 3 }, { delay: 200 }, {});

      const counts = [0, 100, 101, 200, 201].map((millis) => user.handle.countDelayed(now + millis));

      assert.deepEqual(await Promise.all(counts), [0, 0, 2, 2, 3]);
    },
  },
  {
    operation: 'countPriorities',
    title: 'MGMT-05 counts the jobs that wait with each priority, first or last among their equals',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.add(
        { id: 'a' },
        ...[1, 2, 2, 3, 2_097_151].map((priority) => ({ priority })),
        { id: 'front', priority: 2 },
        { delay: 100, priority: 2 },
      );
      await user.changePriorities(['front', 2, true]);

      assert.deepEqual(await user.handle.countPriorities([3, 0, 1, 2, 4, 2_097_151]), [1, 1, 1, 3, 0, 1]);
      assert.deepEqual(await user.handle.countPriorities([]), []);
      await user.pause();
      assert.deepEqual(await user.handle.countPriorities([0, 2]), [1, 3]);
      await user.resume();
      await user.claim(3);
      assert.deepEqual(await user.handle.countPriorities([0, 1, 2]), [0, 0, 2]);
    },
  },
];
