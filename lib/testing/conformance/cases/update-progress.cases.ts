import assert from 'node:assert/strict';

import { Refusal } from '../../../contract/refusal';
import type { ContractCase } from '../conformance-case';
import { completed } from '../queue-user';

/** @internal */
export const UPDATE_PROGRESS_CASES: readonly ContractCase[] = [
  {
    operation: 'updateProgress',
    title: 'stores the last progress of a job, in any state',
    covers: ['success', 'event:progress'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      const tail = await context.tail(user);
      const before = await user.job('a');

      const reply = await user.progress('a', '1');
      assert.deepEqual(reply, { now: await user.handle.time(), refusals: [null] });
      assert.deepEqual(await user.job('a'), { ...before, progress: '1' });
      const claim = await user.claim(1);
      assert.equal(claim.jobs[0]!.progress, '1');
      await user.progress('a', '{"done":2}');
      await user.settle(completed(claim));
      assert.equal((await user.job('a'))?.progress, '{"done":2}');
      await user.progress('a', '3');

      assert.deepEqual([(await user.job('a'))?.progress, await user.state('a')], ['3', 'completed']);
      await tail.expectOf(
        ['progress'],
        ['1', '{"done":2}', '3'].map((data) => ({ event: 'progress', jobId: 'a', data })),
      );
    },
  },
  {
    operation: 'updateProgress',
    title: 'refuses jobs that are not there, and takes the others in order',
    covers: ['refusal:JobNotFound', 'event:progress'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b');
      const tail = await context.tail(user);

      const updates = [
        { id: 'b', progress: '1' },
        { id: 'none', progress: '2' },
        { id: 'a', progress: '3' },
        { id: 'b', progress: '4' },
      ];
      const reply = await user.handle.updateProgress({ updates }, await user.nextCall('c0'));

      context.expectRefusals(reply, null, Refusal.JobNotFound, null, null);
      assert.deepEqual([(await user.job('a'))?.progress, (await user.job('b'))?.progress], ['3', '4']);
      assert.equal(await user.job('none'), null);
      await tail.expect([
        { event: 'progress', jobId: 'b', data: '1' },
        { event: 'progress', jobId: 'a', data: '3' },
        { event: 'progress', jobId: 'b', data: '4' },
      ]);
    },
  },
  {
    operation: 'updateProgress',
    title: 'T-B57 brings progress back as it was written',
    covers: ['event:progress'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      const tail = await context.tail(user);
      const texts = ['0', 'false', '""', 'null', '[]', '{"__proto__":1}', JSON.stringify('🙂\u2028')];
      for (const text of texts) {
        await user.progress('a', text);
        assert.equal((await user.job('a'))?.progress, text);
      }

      await tail.expect(texts.map((data) => ({ event: 'progress', jobId: 'a', data })));
    },
  },
  {
    operation: 'updateProgress',
    title: 'does not lengthen a lease, and moves no job',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b', 'c');
      const claim = await user.claim(1, { leaseDuration: 100 });
      await context.advance(50);
      await user.progress('a', '1');
      await user.progress('b', '1');
      assert.deepEqual(await user.ids('waiting'), ['b', 'c']);
      await context.advance(50);

      context.expectRefusals(await user.settle(completed(claim)), Refusal.LeaseMissing);
    },
  },
];
