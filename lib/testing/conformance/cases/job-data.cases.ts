import assert from 'node:assert/strict';

import { Refusal } from '../../../contract/refusal';
import type { ContractCase } from '../conformance-case';
import { completed } from '../queue-user';

/** @internal */
export const JOB_DATA_CASES: readonly ContractCase[] = [
  {
    operation: 'updateData',
    title: 'MGMT-26 stores the payload of a job in any state, and changes nothing else of it',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'a', data: '1' }, { id: 'late', delay: 1_000, data: '1' });
      const tail = await context.tail(user);
      const before = await user.job('a');

      const reply = await user.update({ a: '{"to":2}', late: '9' });

      assert.deepEqual(reply, { now: await user.handle.time(), refusals: [null, null] });
      assert.deepEqual(await user.job('a'), { ...before, data: '{"to":2}' });
      assert.equal((await user.job('late'))?.data, '9');
      const claim = await user.claim(1);
      assert.equal(claim.jobs[0]!.data, '{"to":2}');
      await user.update({ a: '3' });
      await user.settle(completed(claim));
      assert.equal((await user.job('a'))?.data, '3');
      await user.update({ a: '4' });
      assert.deepEqual([(await user.job('a'))?.data, await user.state('a')], ['4', 'completed']);
      await tail.expect([
        { event: 'active', jobId: 'a', prev: 'waiting' },
        { event: 'completed', jobId: 'a', returnvalue: 'null', prev: 'active' },
        { event: 'drained' },
      ]);
    },
  },
  {
    operation: 'updateData',
    title: 'MGMT-26 refuses jobs that are not there, and takes the others in order',
    covers: ['refusal:JobNotFound'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b');

      const updates = [
        { id: 'b', data: '1' },
        { id: 'none', data: '2' },
        { id: 'a', data: '3' },
        { id: 'b', data: '4' },
      ];
      const reply = await user.handle.updateData({ updates }, await user.nextCall('c0'));

      context.expectRefusals(reply, null, Refusal.JobNotFound, null, null);
      assert.deepEqual([(await user.job('a'))?.data, (await user.job('b'))?.data], ['3', '4']);
      assert.equal(await user.job('none'), null);
    },
  },
  {
    operation: 'updateData',
    title: 'T-B57 brings the payload back as it was written',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      for (const text of ['0', 'false', '""', 'null', '[]', '{"__proto__":1}', JSON.stringify('🙂\u2028')]) {
        await user.update({ a: text });
        assert.equal((await user.job('a'))?.data, text);
      }
    },
  },
];
