import assert from 'node:assert/strict';

import { EXPIRED_REASON } from '../../../contract/job-expiry';
import type { JobRecord } from '../../../model/job-record';
import type { ContractCase } from '../conformance-case';
import type { ConformanceContext } from '../conformance-context';
import { completed, failure, handBack, leaseOf, retry, type QueueUser } from '../queue-user';

function limitsOf(job: JobRecord | null | undefined): unknown[] {
  return [job?.timeout, job?.expiresIn, job?.expiresAt];
}

/** Lets a job expire and be failed by the one who claims it. */
async function expire(user: QueueUser, context: ConformanceContext, id: string): Promise<void> {
  await user.add({ id, expiresIn: 10 });
  await context.advance(10);
  const claim = await user.claim(1);
  await user.settle([failure(leaseOf(claim, id), { reason: EXPIRED_REASON, code: 'expired' })]);
}

/** @internal */
export const TIME_LIMIT_CASES: readonly ContractCase[] = [
  {
    operation: 'addJobs',
    title: 'JOB-06 keeps the time limits of each job, whatever the others of the call have',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const now = await user.handle.time();
      await user.add(
        { id: 'both', timeout: 500, expiresIn: 60_000 },
        { id: 'alike', timeout: 500, expiresIn: 60_000 },
        { id: 'none' },
        { id: 'timeout', timeout: 1 },
        { id: 'expiry', expiresIn: 1, lifo: true },
        { id: 'late', expiresIn: 20, delay: 300 },
        { id: 'dated', expiresIn: 20, delay: 300, timestamp: now - 100, priority: 2 },
      );

      const jobs = await user.handle.getJobs(['both', 'alike', 'none', 'timeout', 'expiry', 'late', 'dated']);
      assert.deepEqual(jobs.map(limitsOf), [
        [500, 60_000, now + 60_000],
        [500, 60_000, now + 60_000],
        [null, null, null],
        [1, null, null],
        [null, 1, now + 1],
        [null, 20, now + 320],
        [null, 20, now + 220],
      ]);
      assert.deepEqual(await user.ids('waiting'), ['expiry', 'both', 'alike', 'none', 'timeout']);
    },
  },
  {
    operation: 'addJobs',
    title: 'JOB-04 leaves the time limits of a job that is stored already',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'a', timeout: 500, expiresIn: 1_000 }, { id: 'plain' });
      const before = [await user.job('a'), await user.job('plain')];
      await user.add({ id: 'a', timeout: 7, expiresIn: 7 }, { id: 'plain', timeout: 7, expiresIn: 7 });

      assert.deepEqual([await user.job('a'), await user.job('plain')], before);
      await context.advance(7);
      assert.deepEqual((await user.claimExpired()).claim.jobs, []);
    },
  },
  {
    operation: 'claimJobs',
    title: 'tells the time limits of the jobs that it hands out in time',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const now = await user.handle.time();
      await user.add({ id: 'a', timeout: 500, expiresIn: 10 }, { id: 'b' });
      await context.advance(9);

      const { jobs } = await user.claim(2);

      assert.deepEqual(jobs.map(limitsOf), [
        [500, 10, now + 10],
        [null, null, null],
      ]);
      assert.deepEqual(
        jobs.map((job) => job.deferredFailure),
        [null, null],
      );
    },
  },
  {
    operation: 'claimJobs',
    title: 'has the claimer fail a job that nobody has started in time',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add(
        { id: 'a', expiresIn: 10 },
        { id: 'b', expiresIn: 11 },
        { id: 'p', expiresIn: 1, priority: 3 },
      );
      await context.advance(10);

      const claim = await user.claim(3, { workerName: 'worker' });

      assert.deepEqual(
        claim.jobs.map(({ id, deferredFailure, expiresAt, attemptsStarted }) => [
          id,
          deferredFailure,
          expiresAt === null,
          attemptsStarted,
        ]),
        [
          ['a', EXPIRED_REASON, true, 1],
          ['b', null, false, 1],
          ['p', EXPIRED_REASON, true, 1],
        ],
      );
      assert.deepEqual(await user.job('a'), claim.jobs[0]);
      await user.settle([failure(leaseOf(claim), { reason: EXPIRED_REASON, code: 'expired' })]);
      const failed = await user.job('a');
      assert.deepEqual(
        [failed?.state, failed?.failedReason, failed?.failedCode, failed?.deferredFailure],
        ['failed', EXPIRED_REASON, 'expired', null],
      );
    },
  },
  {
    operation: 'claimJobs',
    title: 'LIM-06 counts no job that has expired for its rate',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'a', expiresIn: 10 }, { id: 'b' }, { id: 'c', expiresIn: 10 }, { id: 'd' });
      await context.advance(10);
      const limiter = { max: 1, duration: 60_000 };

      const { jobs, idle } = await user.claim(4, { limiter });

      assert.deepEqual(
        jobs.map(({ id }) => id),
        ['a', 'b', 'c'],
      );
      assert.deepEqual(idle, { reason: 'limited', dueIn: 60_000 });
    },
  },
  {
    operation: 'claimJobs',
    title: 'lets no job expire that was started once, however it came back',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add(...['retried', 'handed', 'gone'].map((id) => ({ id, expiresIn: 1_000 })));
      const claim = await user.claim(3, { leaseDuration: 100 });
      await user.recover({ sweepInterval: 10 });
      await user.settle([retry(leaseOf(claim, 'retried')), handBack(leaseOf(claim, 'handed'))]);
      await context.advance(1_000);
      assert.deepEqual((await user.recover({ sweepInterval: 10 })).recovered, ['gone']);
      assert.deepEqual((await user.claimExpired()).claim.jobs, []);

      const { jobs } = await user.claim(3);

      assert.deepEqual(
        jobs.map(({ id, deferredFailure }) => [id, deferredFailure]),
        [
          ['gone', null],
          ['handed', null],
          ['retried', null],
        ],
      );
    },
  },
  {
    operation: 'claimJobs',
    title: 'has an expired job failed by the next one, when its claimer is gone',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'a', expiresIn: 10 });
      await context.advance(10);
      await user.claim(1, { leaseDuration: 10 });
      await user.recover({ sweepInterval: 10 });
      await context.advance(10);
      await user.recover({ sweepInterval: 10 });

      assert.equal((await user.claim(1)).jobs[0]?.deferredFailure, EXPIRED_REASON);
    },
  },
  {
    operation: 'claimJobs',
    title: 'JOB-11 counts the time of a delayed job from when it is due',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'a', delay: 100, expiresIn: 10 }, { id: 'b', delay: 101, expiresIn: 10 });
      await context.advance(110);
      assert.deepEqual(
        (await user.claim(2)).jobs.map(({ id, deferredFailure }) => [id, deferredFailure]),
        [
          ['a', EXPIRED_REASON],
          ['b', null],
        ],
      );
    },
  },
  {
    operation: 'changeDelays',
    title: 'MGMT-16 counts the time in which a job has to be started from when it is due then',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'later', delay: 10, expiresIn: 10 }, { id: 'sooner', delay: 500, expiresIn: 10 });
      const now = await user.handle.time();
      context.expectRefusals(await user.changeDelays(['later', 1_000], ['sooner', 20]), null, null);
      assert.deepEqual(limitsOf(await user.job('later')), [null, 10, now + 1_010]);
      await context.advance(30);
      assert.deepEqual(
        (await user.claimExpired()).claim.jobs.map(({ id }) => id),
        ['sooner'],
      );
      await context.advance(970);
      assert.equal((await user.claim(1)).jobs[0]?.deferredFailure, null);
    },
  },
  {
    operation: 'promoteJobs',
    title: 'MGMT-14 counts the time in which a job has to be started from its promotion',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'a', delay: 1_000, expiresIn: 10 }, { id: 'b', delay: 2_000, expiresIn: 10 });
      const now = await user.handle.time();
      context.expectRefusals(await user.promote('a'), null);
      assert.deepEqual(limitsOf(await user.job('a')), [null, 10, now + 10]);
      assert.deepEqual(limitsOf(await user.job('b')), [null, 10, now + 2_010]);

      await context.advance(10);
      assert.deepEqual(
        (await user.claimExpired()).claim.jobs.map(({ id }) => id),
        ['a'],
      );
    },
  },
  {
    operation: 'promoteDelayedJobs',
    title: 'counts the time in which the jobs have to be started from then',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'a', delay: 1_000, expiresIn: 10 });
      const now = await user.handle.time();
      await user.promoteDelayed(1);

      assert.deepEqual(limitsOf(await user.job('a')), [null, 10, now + 10]);
    },
  },
  {
    operation: 'retryJobs',
    title: 'counts no time any more, whether the job has expired or was run',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await expire(user, context, 'expired');
      await user.add({ id: 'run', timeout: 5, expiresIn: 10 });
      await user.settle(completed(await user.claim(1)));
      const flags = { resetAttemptsMade: true, resetAttemptsStarted: true };
      context.expectRefusals(
        await user.retry({ id: 'expired', ...flags }, { id: 'run', state: 'completed', ...flags }),
        null,
        null,
      );
      await context.advance(1_000);
      assert.deepEqual((await user.claimExpired()).claim.jobs, []);

      const { jobs } = await user.claim(2);

      assert.deepEqual(jobs.map(limitsOf), [
        [null, 10, null],
        [5, 10, null],
      ]);
      assert.deepEqual(
        jobs.map(({ deferredFailure, failedCode }) => [deferredFailure, failedCode]),
        [
          [null, null],
          [null, null],
        ],
      );
    },
  },
  {
    operation: 'retryFinishedJobs',
    title: 'counts no time any more',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'a', expiresIn: 1_000 });
      await user.failAll();
      assert.equal((await user.retryFinished('failed', 1)).moved, 1);

      assert.deepEqual(limitsOf(await user.job('a')), [null, 1_000, null]);
    },
  },
];
