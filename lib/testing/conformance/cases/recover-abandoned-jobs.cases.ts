import assert from 'node:assert/strict';

import { MAX_RECOVERED, STALLED_REASON } from '../../../contract/job-handover';
import { MAX_BATCH } from '../../../contract/mutating-call';
import { Refusal } from '../../../contract/refusal';
import type { ContractCase } from '../conformance-case';
import type { ConformanceContext } from '../conformance-context';
import { completed, failure, leaseOf, leasesOf, retry, type QueueUser } from '../queue-user';

const NOTHING = { recovered: [], more: false };

/** Time between two sweeps, and the length of a lease, in these cases. */
const INTERVAL = 100;

async function sweep(user: QueueUser, maxStalledCount = 1): Promise<{ recovered: string[]; more: boolean }> {
  const { recovered, more } = await user.recover({ sweepInterval: INTERVAL, maxStalledCount });
  return { recovered, more };
}

/** Lets a claim of all that is ready be abandoned and taken back. */
async function abandon(user: QueueUser, context: ConformanceContext, maxStalledCount = 1): Promise<void> {
  const claim = await user.claim(MAX_BATCH, { leaseDuration: INTERVAL });
  for (let sweeps = 0; sweeps < 2; sweeps += 1) {
    await context.advance(INTERVAL);
    await sweep(user, maxStalledCount);
  }
  const states = await user.handle.getStates(claim.jobs.map((job) => job.id));
  assert.ok(states.every((state) => state === 'waiting'));
}

/** @internal */
export const RECOVER_ABANDONED_JOBS_CASES: readonly ContractCase[] = [
  {
    operation: 'recoverAbandonedJobs',
    title: 'JOB-28 takes back with the second sweep what was held at the first and is no more',
    covers: ['success', 'event:waiting', 'event:stalled'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      const claim = await user.claim(1, { leaseDuration: INTERVAL, workerName: 'gone' });
      assert.deepEqual(await sweep(user), NOTHING);
      await context.advance(INTERVAL);
      const tail = await context.tail(user);
      const now = await user.handle.time();

      const reply = await user.recover({ sweepInterval: INTERVAL });

      assert.deepEqual(reply, { now, recovered: ['a'], more: false });
      assert.deepEqual(await user.job('a'), { ...claim.jobs[0]!, state: 'waiting', stalledCounter: 1 });
      await tail.expect([
        { event: 'waiting', jobId: 'a', prev: 'active' },
        { event: 'stalled', jobId: 'a' },
      ]);
    },
  },
  {
    operation: 'recoverAbandonedJobs',
    title: 'STORE-19 takes nothing back with the first sweep, however long a lease is over',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      await user.claim(1, { leaseDuration: INTERVAL });
      await context.advance(100 * INTERVAL);

      assert.deepEqual(await sweep(user), NOTHING);

      assert.equal(await user.state('a'), 'active');
    },
  },
  {
    operation: 'recoverAbandonedJobs',
    title: 'takes nothing back before the lease is over',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      await user.claim(1, { leaseDuration: 3 * INTERVAL });
      for (let sweeps = 0; sweeps < 3; sweeps += 1) {
        assert.deepEqual(await sweep(user), NOTHING);
        await context.advance(INTERVAL);
      }

      assert.deepEqual((await sweep(user)).recovered, ['a']);
    },
  },
  {
    operation: 'recoverAbandonedJobs',
    title: 'JOB-30 leaves alone what was claimed or renewed after the last sweep, until the next one',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('held', 'renewed', 'claimed');
      await user.claim(1, { leaseDuration: 10 * INTERVAL });
      const claim = await user.claim(1, { leaseDuration: 10 });
      await sweep(user);
      await user.renew(leasesOf(claim), 10);
      await user.claim(1, { leaseDuration: 10 });
      await context.advance(INTERVAL);

      assert.deepEqual(await sweep(user), NOTHING);
      await context.advance(INTERVAL);

      assert.deepEqual((await sweep(user)).recovered.sort(), ['claimed', 'renewed']);
    },
  },
  {
    operation: 'recoverAbandonedJobs',
    title: 'does nothing before the interval is over, over all handles',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const other = context.open();
      await user.addIds('a');
      await user.claim(1, { leaseDuration: 10 });
      await sweep(user);
      await context.advance(INTERVAL - 1);

      assert.deepEqual(await sweep(other), NOTHING);
      assert.deepEqual(await sweep(user), NOTHING);
      assert.equal(await user.state('a'), 'active');
      await context.advance(1);
      assert.deepEqual((await sweep(other)).recovered, ['a']);
    },
  },
  {
    operation: 'recoverAbandonedJobs',
    title:
      'goes by the shorter interval where callers differ, whether it is that of the last sweep or of the call',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b');
      await user.claim(1, { leaseDuration: 10 });
      await user.recover({ sweepInterval: 10 });
      await user.claim(1, { leaseDuration: 10 });
      await context.advance(10);

      assert.deepEqual((await user.recover({ sweepInterval: INTERVAL })).recovered, ['a']);

      await context.advance(10);
      assert.deepEqual((await user.recover({ sweepInterval: INTERVAL })).recovered, []);
      assert.deepEqual((await user.recover({ sweepInterval: 10 })).recovered, ['b']);
    },
  },
  {
    operation: 'recoverAbandonedJobs',
    title: 'does not take a call that came too early for a sweep',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await sweep(user);
      await user.addIds('a');
      await user.claim(1, { leaseDuration: 10 });
      await context.advance(INTERVAL - 1);
      await sweep(user);
      await context.advance(1);

      assert.deepEqual(await sweep(user), NOTHING);
      await context.advance(INTERVAL);
      assert.deepEqual((await sweep(user)).recovered, ['a']);
    },
  },
  {
    operation: 'recoverAbandonedJobs',
    title: 'JOB-30 leaves settled jobs alone',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('done', 'retried', 'gone');
      const claim = await user.claim(3, { leaseDuration: INTERVAL });
      await sweep(user);
      const byId = (id: string) => ({ ...claim, jobs: claim.jobs.filter((job) => job.id === id) });
      await user.settle([
        ...completed(byId('done')),
        retry(leaseOf(claim, 'retried')),
        ...completed(byId('gone'), { retention: { count: 0, age: null, limit: 1 } }),
      ]);
      await context.advance(INTERVAL);

      assert.deepEqual(await sweep(user), NOTHING);

      const states = await user.handle.getStates(['done', 'retried', 'gone']);
      assert.deepEqual(states, ['completed', 'waiting', null]);
    },
  },
  {
    operation: 'recoverAbandonedJobs',
    title: 'leaves alone what was settled and claimed again after the last sweep, until the next one',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      const claim = await user.claim(1, { leaseDuration: 10 });
      await sweep(user);
      await user.settle([retry(leaseOf(claim))], 1, { leaseDuration: 10 });
      await context.advance(INTERVAL);

      assert.deepEqual(await sweep(user), NOTHING);
      await context.advance(INTERVAL);

      assert.deepEqual((await sweep(user)).recovered, ['a']);
    },
  },
  {
    operation: 'recoverAbandonedJobs',
    title: 'lets jobs wait in the order in which they were claimed',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('z', 'a', 'm', 'waits');
      await user.claim(2, { leaseDuration: INTERVAL });
      await user.claim(1, { leaseDuration: INTERVAL });
      await sweep(user);
      await context.advance(INTERVAL);

      assert.deepEqual((await sweep(user)).recovered, ['z', 'a', 'm']);

      assert.deepEqual(await user.ids('waiting'), ['z', 'a', 'm', 'waits']);
    },
  },
  {
    operation: 'recoverAbandonedJobs',
    title: 'goes by the claims of jobs, whose leases may end and be renewed in another order',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('renewed', 'long', 'short');
      const renewed = await user.claim(1, { leaseDuration: 10 });
      await user.claim(1, { leaseDuration: 30 });
      await user.claim(1, { leaseDuration: 10 });
      await user.renew(leasesOf(renewed), 20);
      await sweep(user);
      await context.advance(INTERVAL);

      assert.deepEqual((await sweep(user)).recovered, ['renewed', 'long', 'short']);

      assert.deepEqual(await user.ids('waiting'), ['renewed', 'long', 'short']);
    },
  },
  {
    operation: 'recoverAbandonedJobs',
    title: 'puts jobs to the very front, whatever their priority',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'p', priority: 9 });
      await user.claim(1, { leaseDuration: INTERVAL });
      await user.add({ id: 'plain' }, { id: 'lifo', lifo: true }, { id: 'urgent', priority: 1 });
      await sweep(user);
      await context.advance(INTERVAL);
      await sweep(user);

      const job = await user.job('p');
      assert.deepEqual([job?.state, job?.priority], ['waiting', 9]);
      const claim = await user.claim(9);
      assert.deepEqual(
        claim.jobs.map((each) => each.id),
        ['p', 'lifo', 'plain', 'urgent'],
      );
    },
  },
  {
    operation: 'recoverAbandonedJobs',
    title: 'lets a job that was taken back go to its priority again when it is retried',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'p', priority: 9 });
      await abandon(user, context);
      const claim = await user.claim(1);
      await user.add({ id: 'urgent', priority: 1 });
      await user.settle([retry(leaseOf(claim))]);

      assert.deepEqual(await user.ids('prioritized'), ['urgent', 'p']);
    },
  },
  {
    operation: 'recoverAbandonedJobs',
    title: 'ends the lease: the outcome of the one who had it is refused',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const other = context.open();
      await user.addIds('a');
      const late = await user.claim(1, { leaseDuration: INTERVAL });
      await sweep(user);
      await context.advance(INTERVAL);
      await sweep(user);

      context.expectRefusals(await user.settle(completed(late)), Refusal.LeaseMissing);
      const claim = await other.claim(1);
      context.expectRefusals(await user.settle(completed(late)), Refusal.LeaseMismatch);
      context.expectRefusals(await user.renew(leasesOf(late)), Refusal.LeaseMismatch);
      context.expectRefusals(await other.settle(completed(claim)), null);
    },
  },
  {
    operation: 'recoverAbandonedJobs',
    title: 'JOB-29 lets the next claimer fail a job that was abandoned too often',
    covers: ['event:stalled'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      await abandon(user, context, 2);
      await abandon(user, context, 2);
      assert.equal((await user.job('a'))?.deferredFailure, null);
      const tail = await context.tail(user);
      await abandon(user, context, 2);
      await tail.expectOf(['stalled'], [{ event: 'stalled', jobId: 'a' }]);

      const claim = await user.claim(1);
      const [job] = claim.jobs;
      assert.deepEqual(
        [job?.state, job?.stalledCounter, job?.deferredFailure],
        ['active', 3, STALLED_REASON],
      );
      await user.settle([failure(leaseOf(claim), { reason: STALLED_REASON, code: 'stalled' })]);
      const failed = await user.job('a');
      assert.deepEqual(
        [failed?.state, failed?.failedReason, failed?.deferredFailure],
        ['failed', STALLED_REASON, null],
      );
    },
  },
  {
    operation: 'recoverAbandonedJobs',
    title: 'lets a job fail that may not be abandoned at all',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      await abandon(user, context, 0);

      assert.equal((await user.job('a'))?.deferredFailure, STALLED_REASON);
    },
  },
  {
    operation: 'recoverAbandonedJobs',
    title: 'takes back so many at most, and says that more are left, which the next call takes at once',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const total = MAX_RECOVERED + MAX_BATCH;
      for (let added = 0; added < total; added += MAX_BATCH) {
        await user.add(...Array.from({ length: MAX_BATCH }, () => ({})));
        await user.claim(MAX_BATCH, { leaseDuration: INTERVAL });
      }
      await sweep(user);
      await context.advance(INTERVAL);

      const first = await sweep(user);
      assert.deepEqual([first.recovered.length, first.more], [MAX_RECOVERED, true]);
      const second = await sweep(user);

      assert.deepEqual([second.recovered.length, second.more], [MAX_BATCH, false]);
      assert.equal(new Set([...first.recovered, ...second.recovered]).size, total);
      assert.deepEqual((await user.handle.getCounts()).waiting, total);
    },
  },
  {
    operation: 'recoverAbandonedJobs',
    title: 'LIM-12 takes jobs of a paused queue back too, which wait until it is resumed',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      await user.claim(1, { leaseDuration: INTERVAL });
      await user.pause();
      await sweep(user);
      await context.advance(INTERVAL);
      assert.deepEqual((await sweep(user)).recovered, ['a']);
      assert.deepEqual((await user.claim(1)).jobs, []);
      await user.resume();

      assert.equal((await user.claim(1)).jobs.length, 1);
    },
  },
  {
    operation: 'recoverAbandonedJobs',
    title: 'sweeps one queue at a time',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const other = context.open({ queueName: 'others' });
      await other.addIds('a');
      await other.claim(1, { leaseDuration: INTERVAL });
      await sweep(user);
      await context.advance(INTERVAL);
      assert.deepEqual(await sweep(user), NOTHING);

      assert.deepEqual(await sweep(other), NOTHING);
      assert.equal(await other.state('a'), 'active');
    },
  },
  {
    operation: 'recoverAbandonedJobs',
    title: 'T-B12 wakes an idle worker, whoever sweeps',
    covers: ['success'],
    async run(context) {
      const dead = context.open();
      const idle = context.open();
      const sweeper = context.open({ role: 'producer' });
      await dead.addIds('a');
      await dead.claim(1, { leaseDuration: INTERVAL });
      await context.takeWakeUps(idle);
      const woken = idle.handle.waitForWork({ block: 30_000, signal: context.signal().signal });
      await sweep(sweeper);
      await context.advance(INTERVAL);
      await sweep(sweeper);

      assert.equal(await woken, true);

      assert.deepEqual(
        (await idle.claim(1)).jobs.map((job) => job.id),
        ['a'],
      );
    },
  },
];
