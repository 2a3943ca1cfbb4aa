import assert from 'node:assert/strict';

import { Refusal } from '../../../contract/refusal';
import type { ContractCase } from '../conformance-case';
import { completed, completion, failure, leaseOf } from '../queue-user';

/**
 * Claims under a token that the caller was told, rather than under that of the call.
 *
 * @internal
 */
export const GIVEN_TOKEN_CASES: readonly ContractCase[] = [
  {
    operation: 'claimJobs',
    title: 'JOB-15 leases jobs under the token that it is given',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b');

      const claim = await user.claim(1, { token: 'my:token' });

      assert.equal(claim.token, 'my:token');
      const before = await user.snapshot();
      const reply = await user.settle([completion({ id: 'a', token: 'mine' })]);
      context.expectRefusals(reply, Refusal.LeaseMismatch);
      assert.deepEqual(await user.snapshot(), before);
      context.expectRefusals(await user.settle(completed(claim)), null);
      assert.equal(await user.state('a'), 'completed');
    },
  },
  {
    operation: 'settleJobs',
    title: 'JOB-16 takes the outcome of a job from whoever knows its token',
    covers: ['success', 'refusal:LeaseMismatch'],
    async run(context) {
      const claimer = context.open();
      const finisher = context.open({ role: 'producer' });
      await claimer.addIds('a', 'b');
      await claimer.claim(2, { token: 'shared' });

      const reply = await finisher.settle([
        failure({ id: 'b', token: 'guessed' }),
        completion({ id: 'a', token: 'shared' }),
      ]);

      context.expectRefusals(reply, Refusal.LeaseMismatch, null);
      assert.deepEqual(await finisher.handle.getStates(['a', 'b']), ['completed', 'active']);
    },
  },
  {
    operation: 'settleJobs',
    title: 'claims in the same step under the token that it is given, also that of the job it settles',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b', 'c');
      const first = await user.claim(1, { token: 'mine' });

      const second = await user.settle(completed(first), 1, { token: 'mine' });
      assert.deepEqual([second.claim?.token, second.claim?.jobs.map(({ id }) => id)], ['mine', ['b']]);
      const third = await user.settle(completed(second.claim!), 1, { token: 'other' });
      assert.deepEqual([third.claim?.token, third.claim?.jobs.map(({ id }) => id)], ['other', ['c']]);

      context.expectRefusals(await user.settle(completed(third.claim!)), null);
      assert.deepEqual(await user.ids('completed'), ['a', 'b', 'c']);
    },
  },
  {
    operation: 'renewLeases',
    title: 'JOB-18 lengthens leases under tokens that were given',
    covers: ['refusal:LeaseMismatch'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      const claim = await user.claim(1, { token: 'mine', leaseDuration: 100 });
      await context.advance(99);

      const leases = [leaseOf(claim), { id: 'a', token: 'yours' }];
      context.expectRefusals(await user.renew(leases, 100), null, Refusal.LeaseMismatch);

      await context.advance(99);
      context.expectRefusals(await user.settle(completed(claim)), null);
    },
  },
  {
    operation: 'claimJobs',
    title: 'returns jobs again under the token that it was given, while they are leased under it',
    covers: ['replay'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b');
      const call = await user.nextCall('w0');
      const { claim } = await user.claimWith(call, 2, { token: 'mine' });
      await user.handle.settleJobs(
        { outcomes: [completion(leaseOf(claim, 'b'))], claim: null },
        await user.nextCall('c0'),
      );

      const again = await user.claimWith(call, 2, { token: 'mine' });

      assert.deepEqual([again.claim.token, again.claim.jobs.map(({ id }) => id)], ['mine', ['a']]);
      context.expectRefusals(await user.settle([completion(leaseOf(again.claim))]), null);
    },
  },
];
