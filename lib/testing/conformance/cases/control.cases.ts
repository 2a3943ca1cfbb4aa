import assert from 'node:assert/strict';

import type { ContractCase } from '../conformance-case';
import { completed, leaseOf, retry } from '../queue-user';

/** @internal */
export const CONTROL_CASES: readonly ContractCase[] = [
  {
    operation: 'pause',
    title: 'JOB-32 LIM-11 stops handing out jobs, once',
    covers: ['success', 'event:paused'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      const tail = await context.tail(user);
      const now = await user.handle.time();

      assert.deepEqual(await user.pause(), { now, changed: true });
      assert.deepEqual(await user.pause(), { now, changed: false });

      await tail.expect([{ event: 'paused' }]);
      assert.deepEqual((await user.claim(1)).jobs, []);
      assert.equal(await user.state('a'), 'waiting');
    },
  },
  {
    operation: 'pause',
    title: 'LIM-12 lets go on what is active',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b');
      const claim = await user.claim(2);
      await user.pause();
      context.expectRefusals(await user.renew([leaseOf(claim, 'a')]), null);

      context.expectRefusals(
        await user.settle([...completed({ ...claim, jobs: [claim.jobs[0]!] }), retry(leaseOf(claim, 'b'))]),
        null,
        null,
      );

      assert.deepEqual(await user.handle.getStates(['a', 'b']), ['completed', 'waiting']);
    },
  },
  {
    operation: 'pause',
    title: 'LIM-11 lasts until it is taken back, whoever paused',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.pause();
      await user.handle.close();
      const other = context.open();
      await other.addIds('a');

      assert.equal(await other.handle.isPaused(), true);
      assert.deepEqual((await other.claim(1)).jobs, []);
    },
  },
  {
    operation: 'resume',
    title: 'JOB-32 LIM-11 hands out jobs again, once',
    covers: ['success', 'event:resumed'],
    async run(context) {
      const user = context.open();
      await user.pause();
      await user.add({ id: 'a' }, { id: 'b', priority: 1 });
      const tail = await context.tail(user);
      const now = await user.handle.time();

      assert.deepEqual(await user.resume(), { now, changed: true });
      assert.deepEqual(await user.resume(), { now, changed: false });

      await tail.expect([{ event: 'resumed' }]);
      const claim = await user.claim(5);
      assert.deepEqual(
        claim.jobs.map((job) => job.id),
        ['a', 'b'],
      );
    },
  },
  {
    operation: 'resume',
    title: 'changes nothing in a queue that was never paused',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const before = await user.snapshot();

      assert.equal((await user.resume()).changed, false);

      assert.deepEqual(await user.snapshot(), before);
    },
  },
  {
    operation: 'isPaused',
    title: 'tells whether the queue is paused, to every handle',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      const other = context.open();
      const elsewhere = context.open({ queueName: 'others' });
      assert.equal(await other.handle.isPaused(), false);
      await user.pause();
      assert.equal(await other.handle.isPaused(), true);
      assert.equal(await elsewhere.handle.isPaused(), false);
      await other.resume();

      assert.equal(await user.handle.isPaused(), false);
    },
  },
];
