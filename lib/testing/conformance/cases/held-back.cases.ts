import assert from 'node:assert/strict';

import type { HeldLease, Outcome } from '../../../contract/job-handover';
import { Refusal } from '../../../contract/refusal';
import type { ContractCase } from '../conformance-case';
import { completion, failure, handBack, heldBack, leaseOf, leasesOf, retry } from '../queue-user';

/**
 * Jobs that are held back by their own handlers.
 *
 * @internal
 */
export const HELD_BACK_CASES: readonly ContractCase[] = [
  {
    operation: 'settleJobs',
    title: 'MGMT-17 holds a job back until a time, at no cost of an attempt',
    covers: ['success', 'event:delayed'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      const claim = await user.claim(1, { workerName: 'worker' });
      await context.advance(10);
      const until = (await user.handle.time()) + 5_000;
      const tail = await context.tail(user);

      context.expectRefusals(await user.settle([heldBack(leaseOf(claim), until)]), null);

      assert.deepEqual(await user.job('a'), { ...claim.jobs[0]!, state: 'delayed', delay: 5_000 });
      assert.deepEqual([await user.ids('active'), await user.ids('delayed')], [[], ['a']]);
      await tail.expect([{ event: 'delayed', jobId: 'a', delay: until }]);
    },
  },
  {
    operation: 'settleJobs',
    title: 'keeps with a job how often nobody had a handler for it, until it fails or is run again',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b');
      const unhandled = async (): Promise<unknown[]> => [
        (await user.job('a'))!.unhandled,
        (await user.job('b'))!.unhandled,
      ];
      /** Claims both and ends their runs. */
      const run = async (end: (lease: HeldLease) => Outcome): Promise<void> => {
        const claim = await user.claim(2);
        context.expectRefusals(await user.settle(leasesOf(claim).map(end)), null, null);
      };

      await run((lease) => heldBack(lease, 0, { unhandled: 1 }));
      assert.deepEqual(await unhandled(), [1, 1]);
      await run((lease) => heldBack(lease, 0, lease.id === 'a' ? { unhandled: 2 } : {}));
      assert.deepEqual(await unhandled(), [2, 1]);
      await run((lease) => retry(lease));
      assert.deepEqual(await unhandled(), [2, 1]);
      await run((lease) => (lease.id === 'a' ? failure(lease) : completion(lease)));
      assert.equal((await user.job('a'))!.unhandled, 0);
      context.expectRefusals(await user.retry({ id: 'b', state: 'completed' }), null);
      assert.deepEqual(await unhandled(), [0, 0]);
    },
  },
  {
    operation: 'settleJobs',
    title: 'hands a job that was held back out at its time and not before, with its priority',
    covers: ['event:delayed'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'a', priority: 3 });
      const until = (await user.handle.time()) + 1_000;
      const tail = await context.tail(user);
      const held = await user.settle([heldBack(leaseOf(await user.claim(1)), until)], 1);
      assert.deepEqual(held.claim?.idle, { reason: 'empty', dueIn: 1_000 });
      await tail.expectOf(['delayed'], [{ event: 'delayed', jobId: 'a', delay: until }]);

      await user.add({ id: 'b', priority: 3 });
      await context.advance(999);
      assert.equal(await user.state('a'), 'delayed');
      await context.advance(1);
      const again = await user.claim(2);

      assert.deepEqual(
        again.jobs.map(({ id, delay, attemptsMade, attemptsStarted }) => [
          id,
          delay,
          attemptsMade,
          attemptsStarted,
        ]),
        [
          ['b', 0, 0, 1],
          ['a', 0, 0, 2],
        ],
      );
    },
  },
  {
    operation: 'settleJobs',
    title: 'holds a job back until now when its time has passed, and brings it with the same step',
    covers: ['event:delayed', 'event:waiting'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      const claim = await user.claim(1);
      const now = await user.handle.time();
      const tail = await context.tail(user);

      const reply = await user.settle([heldBack(leaseOf(claim), now - 60_000)], 1);

      assert.deepEqual(
        reply.claim?.jobs.map(({ id }) => id),
        ['a'],
      );
      await tail.expect([
        { event: 'delayed', jobId: 'a', delay: now },
        { event: 'waiting', jobId: 'a', prev: 'delayed' },
        { event: 'active', jobId: 'a', prev: 'waiting' },
      ]);
    },
  },
  {
    operation: 'settleJobs',
    title: 'counts a part of a millisecond as a whole when it holds a job back',
    covers: ['event:delayed'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      const claim = await user.claim(1);
      const until = (await user.handle.time()) + 10;
      const tail = await context.tail(user);

      await user.settle([heldBack(leaseOf(claim), until - 0.5)]);

      assert.equal((await user.job('a'))?.delay, 10);
      await tail.expect([{ event: 'delayed', jobId: 'a', delay: until }]);
    },
  },
  {
    operation: 'settleJobs',
    title: 'ends the lease of a job that is held back or handed back: nobody can renew or settle it',
    covers: ['refusal:LeaseMissing'],
    async run(context) {
      const user = context.open();
      await user.addIds('later', 'back');
      const claim = await user.claim(2);
      const leases = [leaseOf(claim, 'later'), leaseOf(claim, 'back')] as const;
      const until = (await user.handle.time()) + 100;
      await user.settle([heldBack(leases[0], until), handBack(leases[1])]);
      const before = await user.snapshot();

      const { LeaseMissing } = Refusal;
      context.expectRefusals(await user.renew([...leases]), LeaseMissing, LeaseMissing);
      context.expectRefusals(
        await user.settle([
          completion(leases[0]),
          heldBack(leases[0], until + 1),
          heldBack(leases[1], until),
        ]),
        LeaseMissing,
        LeaseMissing,
        LeaseMissing,
      );
      assert.deepEqual(await user.snapshot(), before);
    },
  },
  {
    operation: 'settleJobs',
    title: 'MGMT-17 refuses to hold back a job that is not there, or that somebody else has',
    covers: ['refusal:JobNotFound', 'refusal:LeaseMismatch'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      await user.claim(1);
      const until = (await user.handle.time()) + 100;
      const before = await user.snapshot();

      const reply = await user.settle([
        heldBack({ id: 'never', token: 'any' }, until),
        heldBack({ id: 'a', token: 'any' }, until),
      ]);

      context.expectRefusals(reply, Refusal.JobNotFound, Refusal.LeaseMismatch);
      assert.deepEqual(await user.snapshot(), before);
    },
  },
  {
    operation: 'settleJobs',
    title: 'does not call a queue drained when its last job is held back',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      const claim = await user.claim(1);
      const until = (await user.handle.time()) + 100;
      const tail = await context.tail(user);

      await user.settle([heldBack(leaseOf(claim), until)]);

      const events = await tail.next();
      assert.deepEqual(
        events.map(({ event }) => event),
        ['delayed'],
      );
    },
  },
  {
    operation: 'settleJobs',
    title: 'T-B16 counts no attempt for a job that is held back, however often, and no stall',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      for (let snoozes = 0; snoozes < 5; snoozes += 1) {
        const until = (await user.handle.time()) + 10;
        await user.settle([heldBack(leaseOf(await user.claim(1)), until)]);
        await context.advance(10);
      }
      await user.settle([retry(leaseOf(await user.claim(1)))]);
      await user.settle([handBack(leaseOf(await user.claim(1)))]);

      const job = await user.job('a');
      assert.deepEqual([job?.attemptsMade, job?.attemptsStarted, job?.stalledCounter], [1, 7, 0]);
    },
  },
];
