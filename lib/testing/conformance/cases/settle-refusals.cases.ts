import assert from 'node:assert/strict';

import { Refusal } from '../../../contract/refusal';
import { KEEP_ALL } from '../../../model/policy/retention';
import type { ContractCase } from '../conformance-case';
import { completed, completion, failure, handBack, leaseOf, retry } from '../queue-user';

const REMOVE_AT_ONCE = { count: 0, age: null, limit: 1_000 };

/**
 * Outcomes that are refused.
 *
 * @internal
 */
export const SETTLE_REFUSAL_CASES: readonly ContractCase[] = [
  {
    operation: 'settleJobs',
    title: 'refuses the outcome of a job that is not there, and takes the others',
    covers: ['refusal:JobNotFound'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'gone');
      const claim = await user.claim(2);
      await user.settle([completion(leaseOf(claim, 'gone'), { retention: REMOVE_AT_ONCE })]);

      const reply = await user.settle([
        completion({ id: 'never', token: claim.token }),
        failure(leaseOf(claim, 'gone')),
        completion(leaseOf(claim, 'a')),
      ]);

      context.expectRefusals(reply, Refusal.JobNotFound, Refusal.JobNotFound, null);
      assert.deepEqual(await user.handle.getStates(['never', 'gone', 'a']), [null, null, 'completed']);
    },
  },
  {
    operation: 'settleJobs',
    title: 'refuses outcomes of jobs that nobody has, and changes nothing for them',
    covers: ['refusal:LeaseMissing'],
    async run(context) {
      const user = context.open();
      await user.addIds('done', 'back', 'held');
      const claim = await user.claim(3);
      await user.settle([completion(leaseOf(claim, 'done')), handBack(leaseOf(claim, 'back'))]);
      await user.add({ id: 'later', delay: 100 });
      const before = await user.snapshot();

      const token = claim.token;
      for (const outcome of [
        completion(leaseOf(claim, 'done'), { returnValue: '1' }),
        failure(leaseOf(claim, 'back')),
        retry({ id: 'later', token }),
      ]) {
        context.expectRefusals(await user.settle([outcome]), Refusal.LeaseMissing);
      }

      assert.deepEqual(await user.snapshot(), before);
    },
  },
  {
    operation: 'settleJobs',
    title: 'refuses outcomes once the lease is over, before any sweep',
    covers: ['refusal:LeaseMissing'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      const claim = await user.claim(1, { leaseDuration: 100 });
      await context.advance(99);
      await user.addIds('b');
      const other = await user.claim(1, { leaseDuration: 100 });
      await context.advance(1);
      const before = await user.snapshot();

      context.expectRefusals(await user.settle(completed(claim)), Refusal.LeaseMissing);
      assert.deepEqual(await user.snapshot(), before);
      assert.equal(await user.state('a'), 'active');
      context.expectRefusals(await user.settle(completed(other)), null);
    },
  },
  {
    operation: 'settleJobs',
    title: 'refuses outcomes of jobs that somebody else has, and changes nothing for them',
    covers: ['refusal:LeaseMismatch'],
    async run(context) {
      const first = context.open();
      const second = context.open();
      await first.addIds('a', 'b');
      const held = await first.claim(1);
      const other = await second.claim(1);
      const before = await first.snapshot();

      const reply = await first.settle([
        completion({ id: 'b', token: held.token }),
        handBack({ id: 'a', token: other.token }),
        failure({ id: 'b', token: '' }),
      ]);

      context.expectRefusals(reply, Refusal.LeaseMismatch, Refusal.LeaseMismatch, Refusal.LeaseMismatch);
      assert.deepEqual(await first.snapshot(), before);
    },
  },
  {
    operation: 'settleJobs',
    title: 'STORE-11 refuses the late outcome of a job that its own worker has claimed again',
    covers: ['refusal:LeaseMismatch'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      const late = await user.claim(1);
      await user.settle([handBack(leaseOf(late))]);
      const again = await user.claim(1);

      context.expectRefusals(await user.settle(completed(late)), Refusal.LeaseMismatch);
      context.expectRefusals(await user.settle(completed(again)), null);
    },
  },
  {
    operation: 'settleJobs',
    title: 'refuses the second of two outcomes of one job',
    covers: ['refusal:LeaseMissing'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      const claim = await user.claim(1);

      const reply = await user.settle([retry(leaseOf(claim)), completion(leaseOf(claim))]);

      context.expectRefusals(reply, null, Refusal.LeaseMissing);
      assert.deepEqual(await user.ids('waiting'), ['a']);
      assert.equal((await user.job('a'))?.attemptsMade, 1);
    },
  },
  {
    operation: 'settleJobs',
    title: 'knows only the jobs of its own queue',
    covers: ['refusal:JobNotFound'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      const claim = await user.claim(1);
      const other = context.open({ queueName: 'others' });

      context.expectRefusals(await other.settle(completed(claim)), Refusal.JobNotFound);
      assert.equal(await user.state('a'), 'active');
    },
  },
  {
    operation: 'settleJobs',
    title: 'refuses an old outcome behind the one that ended the lease as one of a job that nobody has',
    covers: ['refusal:LeaseMissing', 'refusal:LeaseMismatch'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      const old = leaseOf(await user.claim(1));
      await user.settle([handBack(old)]);
      const lease = leaseOf(await user.claim(1));

      const reply = await user.settle([completion(old), retry(lease), completion(old), completion(lease)]);

      const { LeaseMissing, LeaseMismatch } = Refusal;
      context.expectRefusals(reply, LeaseMismatch, null, LeaseMissing, LeaseMissing);
      assert.equal(await user.state('a'), 'waiting');
    },
  },
  {
    operation: 'settleJobs',
    title: 'knows no job that the retention of an earlier outcome of the call has removed',
    covers: ['refusal:JobNotFound'],
    async run(context) {
      const user = context.open();
      await user.addIds('older', 'newer');
      const claim = await user.claim(2);
      const [older, newer] = [leaseOf(claim, 'older'), leaseOf(claim, 'newer')];
      await user.settle([completion(older)]);

      const reply = await user.settle([
        completion(newer, { retention: { ...KEEP_ALL, count: 1 } }),
        handBack(older),
        completion({ ...older, token: 'never' }),
      ]);

      context.expectRefusals(reply, null, Refusal.JobNotFound, Refusal.JobNotFound);
      assert.deepEqual(await user.ids('completed'), ['newer']);
    },
  },
  {
    operation: 'settleJobs',
    title: 'knows no job any more that its own end has removed',
    covers: ['refusal:JobNotFound'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      const lease = leaseOf(await user.claim(1));
      const retention = { ...KEEP_ALL, age: 0 };

      const reply = await user.settle([completion(lease, { retention }), failure(lease)]);

      context.expectRefusals(reply, null, Refusal.JobNotFound);
    },
  },
];
