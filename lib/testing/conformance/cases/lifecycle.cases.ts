import assert from 'node:assert/strict';

import { NO_EVENTS } from '../../../contract/event-log';
import type { ContractCase } from '../conformance-case';
import { leaseOf } from '../queue-user';

/** @internal */
export const LIFECYCLE_CASES: readonly ContractCase[] = [
  {
    operation: 'ready',
    title: 'resolves once calls can be carried out',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.handle.ready();
      await user.handle.ready();

      await user.addIds('a');
      assert.equal(await user.state('a'), 'waiting');
    },
  },
  {
    operation: 'ready',
    title: 'has handles that know their queue, each with a caller of its own',
    covers: ['rule'],
    async run(context) {
      const handles = [context.open(), context.open(), context.open({ queueName: 'others' })].map(
        (user) => user.handle,
      );

      assert.deepEqual(
        handles.map((handle) => handle.queueName),
        [context.queueName, context.queueName, 'others'],
      );
      assert.equal(new Set(handles.map((handle) => handle.caller)).size, 3);
      handles.forEach((handle) => assert.match(handle.caller, /^[0-9a-f]{32}$/));
    },
  },
  {
    operation: 'time',
    title: 'JOB-44 is the time that replies and records carry',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      const start = await user.handle.time();
      assert.ok(Number.isInteger(start) && start > 0);
      assert.equal((await user.pause()).now, start);
      await user.addIds('a');
      assert.equal((await user.job('a'))?.timestamp, start);
      await context.advance(1_234);

      assert.equal(await user.handle.time(), start + 1_234);
      assert.equal((await user.resume()).now, start + 1_234);
    },
  },
  {
    operation: 'close',
    title: 'is safe to call twice, also at the same time and right after opening',
    covers: ['success'],
    async run(context) {
      const { handle } = context.open();
      await Promise.all([handle.close(), handle.close()]);

      await handle.close();
    },
  },
  {
    operation: 'close',
    title: 'T-B05 ends every wait of the handle, and of no other',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      const other = context.open();
      const after = '0-0';
      const block = 3_600_000;
      const waits = [1, 2].map(() => user.handle.waitForWork({ block, signal: context.signal().signal }));
      const reads = [1, 2].map(() =>
        user.handle.readEvents({ after, limit: 1, block, signal: context.signal().signal }),
      );
      const otherWait = other.handle.waitForWork({ block, signal: context.signal().signal });
      const otherRead = other.handle.readEvents({ after, limit: 1, block, signal: context.signal().signal });
      await context.advance(1);
      await user.handle.close();

      assert.deepEqual(await Promise.all(waits), [false, false]);
      assert.deepEqual(await Promise.all(reads), [NO_EVENTS, NO_EVENTS]);
      await other.addIds('a');
      assert.equal(await otherWait, true);
      assert.equal((await otherRead).events.length, 1);
    },
  },
  {
    operation: 'close',
    title: 'leaves the other handles and the data as they are',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      const other = context.open();
      await user.addIds('a');
      const claim = await user.claim(1);
      await user.handle.close();

      assert.equal(await other.state('a'), 'active');
      context.expectRefusals(await other.settle([{ ...leaseOf(claim), kind: 'handed-back' }]), null);
      assert.equal((await context.open().claim(1)).jobs.length, 1);
    },
  },
];
