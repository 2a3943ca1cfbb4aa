import assert from 'node:assert/strict';

import { leaseTokenOf } from '../../../contract/mutating-call';
import { Refusal } from '../../../contract/refusal';
import type { ContractCase } from '../conformance-case';
import { completed, completion, failure, handBack, leaseOf, retry } from '../queue-user';

/**
 * Claiming in the step that settles, and the event `drained`.
 *
 * @internal
 */
export const SETTLE_AND_CLAIM_CASES: readonly ContractCase[] = [
  {
    operation: 'settleJobs',
    title: 'claims in the same step',
    covers: ['success', 'event:active'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b', 'c');
      const claim = await user.claim(1);
      const tail = await context.tail(user);
      const call = await user.nextCall('w1');

      const reply = await user.settleWith(call, completed(claim), 1, { workerName: 'worker' });

      assert.deepEqual(reply.refusals, [null]);
      assert.equal(reply.claim?.token, leaseTokenOf(call));
      assert.equal(reply.claim.idle, null);
      assert.deepEqual(
        reply.claim.jobs.map((job) => [job.id, job.state, job.processedBy]),
        [['b', 'active', 'worker']],
      );
      assert.deepEqual(await user.ids('active'), ['b']);
      await tail.expect([
        { event: 'completed', jobId: 'a', returnvalue: 'null', prev: 'active' },
        { event: 'active', jobId: 'b', prev: 'waiting' },
      ]);
      context.expectRefusals(await user.settle(completed(reply.claim)), null);
    },
  },
  {
    operation: 'settleJobs',
    title: 'claims after the outcomes, so that jobs come back at once which wait again',
    covers: ['event:waiting', 'event:active'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      const claim = await user.claim(1);
      const tail = await context.tail(user);

      const reply = await user.settle([retry(leaseOf(claim))], 5);

      assert.deepEqual(
        reply.claim?.jobs.map((job) => job.id),
        ['a'],
      );
      assert.deepEqual(reply.claim?.idle, { reason: 'empty', dueIn: null });
      assert.notEqual(reply.claim?.token, claim.token);
      await tail.expect([
        { event: 'waiting', jobId: 'a', prev: 'active' },
        { event: 'active', jobId: 'a', prev: 'waiting' },
      ]);
    },
  },
  {
    operation: 'settleJobs',
    title: 'lets due jobs wait when it claims',
    covers: ['event:waiting', 'event:active'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'due', delay: 10 });
      await context.advance(10);
      const tail = await context.tail(user);

      const reply = await user.settle([], 1);

      assert.deepEqual(
        reply.claim?.jobs.map((job) => job.id),
        ['due'],
      );
      await tail.expect([
        { event: 'waiting', jobId: 'due', prev: 'delayed' },
        { event: 'active', jobId: 'due', prev: 'waiting' },
      ]);
    },
  },
  {
    operation: 'settleJobs',
    title: 'lets due jobs wait when it claims after an outcome',
    covers: [],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'a' }, { id: 'due', delay: 10 });
      const claim = await user.claim(1);
      await context.advance(10);

      const reply = await user.settle([completion({ id: 'a', token: claim.token })], 1);

      assert.deepEqual(
        reply.claim?.jobs.map((job) => job.id),
        ['due'],
      );
    },
  },
  {
    operation: 'settleJobs',
    title: 'claims also when every outcome was refused',
    covers: ['refusal:JobNotFound'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');

      const reply = await user.settle([completion({ id: 'none', token: 'none' })], 1);

      context.expectRefusals(reply, Refusal.JobNotFound);
      assert.deepEqual(
        reply.claim?.jobs.map((job) => job.id),
        ['a'],
      );
    },
  },
  {
    operation: 'settleJobs',
    title: 'T-B17 takes outcomes but hands out nothing while the queue is paused',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b', 'c', 'd', 'e');
      let claim = await user.claim(2);
      const other = context.open();
      await other.pause();

      const reply = await user.settle(completed(claim), 2);

      assert.deepEqual(reply.refusals, [null, null]);
      assert.deepEqual([reply.claim?.jobs, reply.claim?.idle], [[], { reason: 'paused', dueIn: null }]);
      assert.deepEqual(await user.ids('active'), []);
      assert.deepEqual(await user.ids('waiting'), ['c', 'd', 'e']);
      await other.resume();
      claim = await user.claim(9);
      assert.equal(claim.jobs.length, 3);
    },
  },
  {
    operation: 'settleJobs',
    title: 'T-B17 leaves no job active that nobody has, wherever a pause falls',
    covers: ['rule'],
    async run(context) {
      const worker = context.open();
      const control = context.open();
      const ids = Array.from({ length: 10 }, (_, index) => `job-${index}`);
      for (let pauseAfter = 0; pauseAfter <= ids.length; pauseAfter += 1) {
        const round = ids.map((id) => `${id}-${pauseAfter}`);
        await worker.addIds(...round);
        const runs: string[] = [];
        let claim = await worker.claim(2);
        for (let step = 0; claim.jobs.length > 0; step += 1) {
          runs.push(...claim.jobs.map((job) => job.id));
          const settled = worker.settle(completed(claim), 2);
          const paused = step === pauseAfter ? control.pause() : undefined;
          claim = (await settled).claim!;
          await paused;
        }
        assert.deepEqual(await worker.ids('active'), []);
        assert.equal(new Set(runs).size, runs.length);
        assert.deepEqual([...runs, ...(await worker.ids('waiting'))].sort(), [...round].sort());
        await control.resume();
        await worker.finishAll();
      }
    },
  },
  {
    operation: 'settleJobs',
    title: 'T-B52 writes one active and one completed event per run, in order per job',
    covers: ['event:active', 'event:completed'],
    async run(context) {
      const user = context.open();
      const ids = Array.from({ length: 20 }, (_, index) => `job-${index}`);
      await user.addIds(...ids);
      const tail = await context.tail(user);
      let claim = await user.claim(1);
      while (claim.jobs.length > 0) {
        claim = (await user.settle(completed(claim), 1)).claim!;
      }

      await tail.expectOf(
        ['active', 'completed'],
        ids.flatMap((jobId) => [
          { event: 'active', jobId, prev: 'waiting' },
          { event: 'completed', jobId, returnvalue: 'null', prev: 'active' },
        ]),
      );
    },
  },
  {
    operation: 'settleJobs',
    title: 'tells once that the queue is drained, after all other events of the step',
    covers: ['event:drained'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b', 'c');
      const claim = await user.claim(3);
      const tail = await context.tail(user);

      await user.settle([...completed({ ...claim, jobs: claim.jobs.slice(0, 2) })], 5);
      await tail.expectOf(['drained'], []);
      await user.settle([failure(leaseOf(claim, 'c'), { attempts: 2 })], 5);

      await tail.expect([
        { event: 'failed', jobId: 'c', failedReason: 'broken', prev: 'active' },
        { event: 'drained' },
      ]);
      await user.settle([], 5);
      await tail.expect([]);
    },
  },
  {
    operation: 'settleJobs',
    title: 'JOB-23 does not call a queue drained in which a job waits, has a priority, or runs',
    covers: ['event:completed'],
    async run(context) {
      const user = context.open();
      const running = await user.add({ id: 'runs' }, { id: 'job' });
      const claim = await user.claim(running.length);
      const tail = await context.tail(user);
      await user.settle([completion(leaseOf(claim, 'job'))]);
      await user.add({ id: 'waits' });
      await user.settle([completion(leaseOf(claim, 'runs'))]);
      await user.add({ id: 'has-priority', priority: 7 });
      await user.settle(completed(await user.claim(1)));

      await tail.expectOf(
        ['completed', 'drained'],
        ['job', 'runs', 'waits'].map((jobId) => ({
          event: 'completed',
          jobId,
          returnvalue: 'null',
          prev: 'active',
        })),
      );
    },
  },
  {
    operation: 'settleJobs',
    title: 'JOB-23 calls a queue drained in which jobs are only delayed, and one that is paused',
    covers: ['event:drained'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'a' }, { delay: 1_000 });
      const claim = await user.claim(1);
      await user.pause();
      const tail = await context.tail(user);

      await user.settle(completed(claim), 1);

      await tail.expectOf(['drained'], [{ event: 'drained' }]);
    },
  },
  {
    operation: 'settleJobs',
    title: 'does not call a queue drained when nothing was finished',
    covers: ['event:waiting'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b');
      const claim = await user.claim(2);
      const tail = await context.tail(user);

      await user.settle([retry(leaseOf(claim, 'b'), { delay: 100 })]);
      await user.settle([completion({ id: 'none', token: 'none' })]);
      await user.settle([retry(leaseOf(claim, 'a'), { delay: 100 })]);
      await tail.expectOf(['drained'], []);
      await context.advance(100);
      await user.settle([handBack(leaseOf(await user.claim(1)))]);

      await tail.expectOf(
        ['drained', 'waiting'],
        [
          { event: 'waiting', jobId: 'b', prev: 'delayed' },
          { event: 'waiting', jobId: 'a', prev: 'delayed' },
          { event: 'waiting', jobId: 'b', prev: 'active' },
        ],
      );
    },
  },
  {
    operation: 'settleJobs',
    title: 'T-B16 counts attempts and abandonments apart',
    covers: ['event:completed'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      await user.claim(1, { leaseDuration: 100 });
      await user.recover({ sweepInterval: 100 });
      await context.advance(100);
      assert.deepEqual((await user.recover({ sweepInterval: 100 })).recovered, ['a']);
      await user.settle([retry(leaseOf(await user.claim(1)))]);
      await user.settle([retry(leaseOf(await user.claim(1)), { delay: 10 })]);
      await context.advance(10);
      const tail = await context.tail(user);

      await user.settle(completed(await user.claim(1)));

      const job = await user.job('a');
      assert.deepEqual(
        [job?.state, job?.attemptsMade, job?.stalledCounter, job?.attemptsStarted, job?.deferredFailure],
        ['completed', 3, 1, 4, null],
      );
      await tail.expectOf(
        ['completed'],
        [{ event: 'completed', jobId: 'a', returnvalue: 'null', prev: 'active' }],
      );
    },
  },
];
