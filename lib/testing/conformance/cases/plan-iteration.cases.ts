import assert from 'node:assert/strict';

import type { ContractCase } from '../conformance-case';

/**
 * What a store does for the schedulers that other clients put there is beyond what these cases can bring about.
 *
 * @internal
 */
export const PLAN_ITERATION_CASES: readonly ContractCase[] = [
  {
    operation: 'planIteration',
    title: 'plans nothing for a job that is no iteration',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.addIds('first', 'second');
      await user.claim(1);
      const before = await user.snapshot();
      const due = (await user.handle.time()) + 1_000;

      for (const id of ['first', 'second', 'none', 'repeat:none:1']) {
        assert.equal((await user.plan(id, due)).planned, null);
      }

      assert.deepEqual(await user.snapshot(), before);
    },
  },
  {
    operation: 'claimJobs',
    title: 'tells of no iteration where there is no scheduler',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b');

      assert.deepEqual((await user.claim(1)).iterations, []);
      assert.deepEqual((await user.settle([], 2)).claim?.iterations, []);
      await user.pause();
      assert.deepEqual((await user.claim(1)).iterations, []);
    },
  },
];
