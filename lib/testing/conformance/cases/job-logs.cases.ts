import assert from 'node:assert/strict';

import type { LogPageRequest } from '../../../contract/job-logs';
import { Refusal } from '../../../contract/refusal';
import { KEEP_ALL } from '../../../model/policy/retention';
import type { ContractCase } from '../conformance-case';
import { completed, failure, leaseOf, type QueueUser } from '../queue-user';

async function page(user: QueueUser, changes: Partial<LogPageRequest> = {}): Promise<string[]> {
  const request = { id: 'a', offset: 0, limit: null, order: 'ascending', ...changes } as const;
  return (await user.handle.getLogs(request)).rows;
}

/** @internal */
export const JOB_LOG_CASES: readonly ContractCase[] = [
  {
    operation: 'addLogs',
    title: 'MGMT-29 JOB-36 writes rows in any state of a job, in order, and no event',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b');
      const tail = await context.tail(user);
      const before = await user.job('a');

      assert.deepEqual(await user.log('a', 'one', 'two'), {
        now: await user.handle.time(),
        refusals: [null, null],
        counts: [1, 2],
      });
      await user.log('b', 'of another');
      assert.deepEqual(await user.job('a'), before);
      const claim = await user.claim(1);
      await user.log('a', 'three');
      await user.settle(completed(claim));
      assert.deepEqual((await user.log('a', 'four')).counts, [4]);

      assert.deepEqual(await user.logs('a'), ['one', 'two', 'three', 'four']);
      assert.deepEqual(await user.logs('b'), ['of another']);
      assert.equal(await user.state('a'), 'completed');
      await tail.expect([
        { event: 'active', jobId: 'a', prev: 'waiting' },
        { event: 'completed', jobId: 'a', returnvalue: 'null', prev: 'active' },
      ]);
    },
  },
  {
    operation: 'addLogs',
    title: 'MGMT-29 keeps the newest rows where it is told how many, and counts those that are kept',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b');
      await user.log('a', '1', '2', '3', '4');

      const entries = [
        { id: 'a', row: '5', keep: 2 },
        { id: 'a', row: '6', keep: null },
        { id: 'b', row: '7', keep: 5 },
        { id: 'a', row: '8', keep: 3 },
      ];
      const reply = await user.handle.addLogs({ entries }, await user.nextCall('c0'));

      assert.deepEqual(reply.counts, [2, 3, 1, 3]);
      assert.deepEqual(await user.logs('a'), ['5', '6', '8']);
      assert.deepEqual(await user.logs('b'), ['7']);
    },
  },
  {
    operation: 'addLogs',
    title: 'MGMT-29 refuses jobs that are not there, and takes the others',
    covers: ['refusal:JobNotFound'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');

      const entries = ['none', 'a'].map((id) => ({ id, row: 'row', keep: null }));
      const reply = await user.handle.addLogs({ entries }, await user.nextCall('c0'));

      context.expectRefusals(reply, Refusal.JobNotFound, null);
      assert.deepEqual(reply.counts, [0, 1]);
      assert.deepEqual(await user.logs('none'), []);
      await user.addIds('none');
      assert.deepEqual(await user.logs('none'), []);
    },
  },
  {
    operation: 'addLogs',
    title: 'T-B57 brings rows back as they were written',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      const rows = ['', '0', 'false', 'null', ' ', 'two\nlines', '🙂\u2028\0', '-1'];

      await user.log('a', ...rows);

      assert.deepEqual(await user.logs('a'), rows);
    },
  },
  {
    operation: 'addLogs',
    title: 'JOB-27 loses the rows of a job with the job, however that goes',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const ids = ['at-once', 'by-count', 'by-age', 'stays'];
      await user.addIds(...ids);
      for (const id of ids) {
        await user.log(id, 'old');
      }
      const claim = await user.claim(4);
      const [atOnce, byCount, byAge, stays] = ids.map((id) => leaseOf(claim, id));
      await user.settle([
        failure(atOnce!, { retention: { ...KEEP_ALL, count: 0 } }),
        { ...byCount!, kind: 'completed', returnValue: 'null', retention: KEEP_ALL },
        failure(byAge!),
      ]);
      await context.advance(1_000);
      await user.settle([
        { ...stays!, kind: 'completed', returnValue: 'null', retention: { ...KEEP_ALL, count: 1 } },
      ]);
      await user.addIds('last');
      await user.settle([failure(leaseOf(await user.claim(1)), { retention: { ...KEEP_ALL, age: 500 } })]);
      assert.deepEqual(await user.handle.getStates(ids), [null, null, null, 'completed']);

      await user.addIds('at-once', 'by-count', 'by-age');

      assert.deepEqual(await Promise.all(ids.map((id) => user.logs(id))), [[], [], [], ['old']]);
    },
  },
  {
    operation: 'clearLogs',
    title: 'MGMT-31 removes all rows of a job, or all but the newest',
    covers: ['success', 'refusal:JobNotFound'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b', 'c');
      for (const id of ['a', 'b', 'c']) {
        await user.log(id, '1', '2', '3');
      }
      const before = await user.job('a');
      const tail = await context.tail(user);

      const logs = [
        { id: 'a', keep: 0 },
        { id: 'none', keep: 0 },
        { id: 'b', keep: 2 },
        { id: 'c', keep: 3 },
      ];
      const reply = await user.handle.clearLogs({ logs }, await user.nextCall('c0'));

      context.expectRefusals(reply, null, Refusal.JobNotFound, null, null);
      assert.deepEqual(await Promise.all(['a', 'b', 'c'].map((id) => user.logs(id))), [
        [],
        ['2', '3'],
        ['1', '2', '3'],
      ]);
      assert.deepEqual(await user.job('a'), before);
      await user.log('a', 'new');
      assert.deepEqual(await user.logs('a'), ['new']);
      await tail.expect([]);
    },
  },
  {
    operation: 'getLogs',
    title: 'MGMT-30 brings a part of the rows in either direction, and the number of all',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'empty');
      await user.log('a', '1', '2', '3', '4', '5');

      const request = { id: 'a', offset: 1, limit: 2, order: 'ascending' } as const;
      assert.deepEqual(await user.handle.getLogs(request), { rows: ['2', '3'], count: 5 });
      assert.deepEqual(await page(user, { order: 'descending' }), ['5', '4', '3', '2', '1']);
      assert.deepEqual(await page(user, { offset: 1, limit: 2, order: 'descending' }), ['4', '3']);
      assert.deepEqual(await page(user, { offset: 3 }), ['4', '5']);
      assert.deepEqual(await page(user, { offset: 3, order: 'descending' }), ['2', '1']);
      assert.deepEqual(await page(user, { offset: 3, limit: 9, order: 'descending' }), ['2', '1']);
      assert.deepEqual(await page(user, { offset: 5, limit: 9 }), []);
      assert.deepEqual(await page(user, { offset: 5, order: 'descending' }), []);
      assert.deepEqual(await page(user, { offset: 9, limit: 2, order: 'descending' }), []);
      assert.deepEqual(await page(user, { limit: 0 }), []);
      assert.deepEqual(await page(user, { limit: 0, order: 'descending' }), []);
    },
  },
  {
    operation: 'getLogs',
    title: 'MGMT-30 finds no rows where there is no job, or none was logged',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('empty');

      for (const id of ['none', 'empty']) {
        const request = { id, offset: 0, limit: null, order: 'descending' } as const;
        assert.deepEqual(await user.handle.getLogs(request), { rows: [], count: 0 });
      }
    },
  },
];
