import assert from 'node:assert/strict';

import { Refusal } from '../../../contract/refusal';
import type { ContractCase } from '../conformance-case';
import { completed, completion, leaseOf, leasesOf } from '../queue-user';

/** @internal */
export const RENEW_LEASES_CASES: readonly ContractCase[] = [
  {
    operation: 'renewLeases',
    title: 'lengthens leases from now on, without an event',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b');
      const claim = await user.claim(2, { leaseDuration: 100 });
      await context.advance(90);
      const before = await user.snapshot();

      const reply = await user.renew(leasesOf(claim), 100);

      assert.deepEqual(reply, { now: await user.handle.time(), refusals: [null, null], cancels: [] });
      assert.deepEqual(await user.snapshot(), before);
      await context.advance(99);
      context.expectRefusals(await user.settle([completion(leaseOf(claim, 'a'))]), null);
      await context.advance(1);
      context.expectRefusals(await user.settle([completion(leaseOf(claim, 'b'))]), Refusal.LeaseMissing);
    },
  },
  {
    operation: 'renewLeases',
    title: 'sets the end of a lease, earlier too',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      const claim = await user.claim(1, { leaseDuration: 10_000 });
      await user.renew(leasesOf(claim), 50);
      await context.advance(50);

      context.expectRefusals(await user.settle(completed(claim)), Refusal.LeaseMissing);
    },
  },
  {
    operation: 'renewLeases',
    title: 'keeps a job from being taken back',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b');
      const claim = await user.claim(2, { leaseDuration: 100 });
      for (let sweep = 0; sweep < 4; sweep += 1) {
        await user.renew([leaseOf(claim, 'a')], 100);
        await context.advance(60);
        await user.recover({ sweepInterval: 60 });
      }

      assert.deepEqual(await user.ids('active'), ['a']);
      assert.deepEqual(await user.ids('waiting'), ['b']);
      context.expectRefusals(await user.settle([completion(leaseOf(claim, 'a'))]), null);
    },
  },
  {
    operation: 'renewLeases',
    title: 'refuses jobs that are not there, and renews the others',
    covers: ['refusal:JobNotFound'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      const claim = await user.claim(1, { leaseDuration: 100 });

      const reply = await user.renew([{ id: 'none', token: claim.token }, leaseOf(claim)], 200);

      context.expectRefusals(reply, Refusal.JobNotFound, null);
      await context.advance(199);
      context.expectRefusals(await user.settle(completed(claim)), null);
    },
  },
  {
    operation: 'renewLeases',
    title: 'refuses jobs that nobody has',
    covers: ['refusal:LeaseMissing'],
    async run(context) {
      const user = context.open();
      await user.addIds('done');
      const claim = await user.claim(1);
      await user.settle(completed(claim));
      await user.add({ id: 'ready' }, { id: 'later', delay: 10 });
      const before = await user.snapshot();

      const { token } = claim;
      const reply = await user.renew([leaseOf(claim), { id: 'ready', token }, { id: 'later', token }]);

      context.expectRefusals(reply, Refusal.LeaseMissing, Refusal.LeaseMissing, Refusal.LeaseMissing);
      assert.deepEqual(await user.snapshot(), before);
    },
  },
  {
    operation: 'renewLeases',
    title: 'refuses a lease that is over, before any sweep, for good',
    covers: ['refusal:LeaseMissing'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      const claim = await user.claim(1, { leaseDuration: 100 });
      await user.recover({ sweepInterval: 100 });
      await context.advance(100);

      context.expectRefusals(await user.renew(leasesOf(claim), 1_000), Refusal.LeaseMissing);

      context.expectRefusals(await user.settle(completed(claim)), Refusal.LeaseMissing);
      assert.deepEqual((await user.recover({ sweepInterval: 100 })).recovered, ['a']);
    },
  },
  {
    operation: 'renewLeases',
    title: 'refuses jobs that somebody else has, and leaves their leases as they are',
    covers: ['refusal:LeaseMismatch'],
    async run(context) {
      const first = context.open();
      const second = context.open();
      await first.addIds('a', 'b');
      const mine = await first.claim(1);
      const theirs = await second.claim(1, { leaseDuration: 100 });

      const reply = await first.renew([{ id: 'b', token: mine.token }, leaseOf(mine)], 60_000);

      context.expectRefusals(reply, Refusal.LeaseMismatch, null);
      await context.advance(100);
      context.expectRefusals(await second.settle(completed(theirs)), Refusal.LeaseMissing);
    },
  },
  {
    operation: 'renewLeases',
    title: 'leaves the order of the active jobs as it is',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b', 'c');
      const claim = await user.claim(3, { leaseDuration: 100 });
      await user.renew([leaseOf(claim, 'a')], 50_000);
      await user.renew([leaseOf(claim, 'b')], 10);

      assert.deepEqual(await user.ids('active'), ['a', 'b', 'c']);
    },
  },
];
