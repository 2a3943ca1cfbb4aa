import assert from 'node:assert/strict';

import { EXPIRED_REASON, type ClaimExpiredJobsReply } from '../../../contract/job-expiry';
import { MAX_BATCH, MAX_BATCH_SIZE } from '../../../contract/mutating-call';
import { Refusal } from '../../../contract/refusal';
import type { ContractCase } from '../conformance-case';
import { completed, failure, leasesOf, retry } from '../queue-user';

function idsOf({ claim }: ClaimExpiredJobsReply): string[] {
  return claim.jobs.map(({ id }) => id);
}

/** @internal */
export const CLAIM_EXPIRED_JOBS_CASES: readonly ContractCase[] = [
  {
    operation: 'claimExpiredJobs',
    title: 'leases what nobody has started in time, wherever it waits, to be failed',
    covers: ['success', 'event:waiting', 'event:active'],
    async run(context) {
      const user = context.open();
      await user.add(
        { id: 'w', expiresIn: 30 },
        { id: 'x' },
        { id: 'p', expiresIn: 20, priority: 1 },
        { id: 'd', delay: 5, expiresIn: 5 },
        { id: 'y', expiresIn: 41 },
        { id: 'z', delay: 35, expiresIn: 41 },
      );
      await context.advance(40);
      const tail = await context.tail(user);
      const now = await user.handle.time();

      const { claim, ...rest } = await user.claimExpired({ workerName: 'sweeper' });

      assert.deepEqual(rest, { now, more: false });
      assert.deepEqual([claim.iterations, claim.idle], [[], null]);
      assert.deepEqual(
        claim.jobs.map((job) => [job.id, job.state, job.deferredFailure, job.attemptsStarted, job.delay]),
        ['d', 'p', 'w'].map((id) => [id, 'active', EXPIRED_REASON, 1, 0]),
      );
      assert.deepEqual(await user.handle.getJobs(['d', 'p', 'w']), claim.jobs);
      assert.equal(claim.jobs[0]?.processedBy, 'sweeper');
      await tail.expect([
        { event: 'waiting', jobId: 'd', prev: 'delayed' },
        ...['d', 'p', 'w'].map((jobId) => ({ event: 'active' as const, jobId, prev: 'waiting' })),
      ]);
      assert.deepEqual(
        [await user.ids('waiting'), await user.ids('prioritized'), await user.ids('delayed')],
        [['x', 'y'], [], ['z']],
      );
      const settled = await user.settle(leasesOf(claim).map((lease) => failure(lease)));
      context.expectRefusals(settled, null, null, null);
      assert.deepEqual(idsOf(await user.claimExpired()), []);
    },
  },
  {
    operation: 'claimExpiredJobs',
    title: 'takes jobs of a paused queue, and past its limits',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'running' });
      await user.claim(1);
      await user.setCeiling(1);
      await user.setRateLimit({ max: 1, duration: 60_000 });
      await user.limitClaims(60_000);
      await user.pause();
      await user.add({ id: 'a', expiresIn: 10 });
      await context.advance(10);

      assert.deepEqual(idsOf(await user.claimExpired()), ['a']);
      assert.equal(await user.state('a'), 'active');
    },
  },
  {
    operation: 'claimExpiredJobs',
    title: 'takes none that was started, is done or is gone, nor one that has its id since',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const ids = ['done', 'running', 'retried', 'removed', 'cancelled', 'cleaned', 'again'];
      await user.add(...ids.map((id) => ({ id, expiresIn: 10 })));
      const claim = await user.claim(3);
      await user.settle([completed(claim)[0]!, retry(leasesOf(claim)[2]!)]);
      await user.remove('removed', 'again');
      context.expectRefusals(await user.cancel('cancelled'), null);
      await user.add({ id: 'again' });
      assert.deepEqual((await user.clean('waiting', { limit: 1 })).removed, ['cleaned']);
      await context.advance(10);

      assert.deepEqual(idsOf(await user.claimExpired()), []);
      assert.deepEqual(await user.ids('waiting'), ['retried', 'again']);
    },
  },
  {
    operation: 'claimExpiredJobs',
    title: 'goes by the last time, for a job that was removed and added anew',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'a', expiresIn: 10 });
      await user.drain(true);
      await user.add({ id: 'a', expiresIn: 20 });
      await context.advance(10);
      assert.deepEqual(idsOf(await user.claimExpired()), []);
      await context.advance(10);

      assert.deepEqual(idsOf(await user.claimExpired()), ['a']);
    },
  },
  {
    operation: 'claimExpiredJobs',
    title: 'has forgotten what an obliterated queue had',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'a', expiresIn: 10 }, { id: 'b', delay: 10, expiresIn: 10 });
      await user.pause();
      context.expectRefusal(await user.obliterate(), null);
      await user.add({ id: 'a' }, { id: 'b' });
      await context.advance(100);

      assert.deepEqual(idsOf(await user.claimExpired()), []);
    },
  },
  {
    operation: 'claimExpiredJobs',
    title: 'takes as many as are wanted, and says that there may be more',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add(...['a', 'b', 'c'].map((id) => ({ id, expiresIn: 10 })));
      await user.add(...Array.from({ length: MAX_BATCH }, () => ({ expiresIn: 20 })));
      await context.advance(20);
      const first = await user.claimExpired({ count: 2 });
      assert.deepEqual([idsOf(first), first.more], [['a', 'b'], true]);
      const second = await user.claimExpired({ count: 1_000 });
      assert.deepEqual([second.claim.jobs.length, second.more], [MAX_BATCH, true]);
      const third = await user.claimExpired();

      assert.deepEqual([third.claim.jobs.length, third.more], [1, false]);
    },
  },
  {
    operation: 'claimExpiredJobs',
    title: 'takes no more than fits into one call, but one in any case',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const half = JSON.stringify('x'.repeat(0.6 * MAX_BATCH_SIZE));
      const large = JSON.stringify('x'.repeat(MAX_BATCH_SIZE));
      await user.add({ id: 'a', data: half, expiresIn: 10 }, { id: 'b', data: half, expiresIn: 10 });
      await user.add({ id: 'c', data: large, expiresIn: 10 });
      await context.advance(10);
      const first = await user.claimExpired();
      assert.deepEqual([idsOf(first), first.more], [['a'], true]);
      assert.deepEqual(await user.ids('waiting'), ['b', 'c']);
      const second = await user.claimExpired();
      assert.deepEqual([idsOf(second), second.more], [['b'], true]);
      const third = await user.claimExpired();

      assert.deepEqual([idsOf(third), third.more], [['c'], false]);
      assert.equal(third.claim.jobs[0]?.data, large);
    },
  },
  {
    operation: 'claimExpiredJobs',
    title: 'leases to one caller, for the time that it says',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const other = context.open();
      await user.add({ id: 'a', expiresIn: 10 });
      await context.advance(10);
      const late = await user.claimExpired({ leaseDuration: 100 });
      assert.deepEqual(idsOf(await other.claimExpired()), []);
      await user.recover({ sweepInterval: 10 });
      await context.advance(99);
      assert.deepEqual((await other.recover({ sweepInterval: 10 })).recovered, []);
      await context.advance(10);
      assert.deepEqual((await other.recover({ sweepInterval: 10 })).recovered, ['a']);

      assert.equal((await other.claim(1)).jobs[0]?.deferredFailure, EXPIRED_REASON);
      context.expectRefusals(await user.settle(completed(late.claim)), Refusal.LeaseMismatch);
    },
  },
  {
    operation: 'claimExpiredJobs',
    title: 'looks at one queue',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const other = context.open({ queueName: 'others' });
      await other.add({ id: 'a', expiresIn: 10 });
      await context.advance(10);

      assert.deepEqual(idsOf(await user.claimExpired()), []);
      assert.deepEqual(idsOf(await other.claimExpired()), ['a']);
    },
  },
];
