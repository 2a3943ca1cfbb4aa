import assert from 'node:assert/strict';

import { MAX_EVENTS } from '../../../contract/event-log';
import { MAX_BATCH } from '../../../contract/mutating-call';
import type { ContractCase } from '../conformance-case';
import { isLater } from '../event-tail';
import type { QueueUser } from '../queue-user';

/** Logs keep about as many events as they should: this much more at most. */
const TOLERANCE = 1.2;

function read(user: QueueUser, after: string, limit = 100, block = 0, signal?: AbortSignal) {
  return user.handle.readEvents({ after, limit, block, ...(signal && { signal }) });
}

/** @internal */
export const EVENT_LOG_CASES: readonly ContractCase[] = [
  {
    operation: 'readEvents',
    title: 'brings what came after an id, oldest first, up to the limit',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      assert.deepEqual(await read(user, '0-0'), []);
      await user.addIds('a');
      await context.advance(1);
      await user.addIds('b');

      const all = await read(user, '0-0');

      assert.deepEqual(
        all.map(({ event, jobId }) => [event, jobId]),
        [
          ['added', 'a'],
          ['waiting', 'a'],
          ['added', 'b'],
          ['waiting', 'b'],
        ],
      );
      assert.deepEqual(await read(user, '0-0', 3), all.slice(0, 3));
      for (const [index, { id }] of all.entries()) {
        assert.deepEqual(await read(user, id), all.slice(index + 1));
        assert.deepEqual(await read(user, id, 1), all.slice(index + 1, index + 2));
      }
    },
  },
  {
    operation: 'readEvents',
    title: 'numbers events upwards, many in one call too',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      for (let batch = 0; batch < 3; batch += 1) {
        await user.add(...Array.from({ length: MAX_BATCH }, () => ({})));
        await context.advance(batch);
      }

      const events = await read(user, '0-0', 10_000);

      assert.equal(events.length, 6 * MAX_BATCH);
      for (const [index, { id }] of events.entries()) {
        assert.ok(index === 0 || isLater(id, events[index - 1]!.id), id);
      }
      const half = 3 * MAX_BATCH;
      assert.deepEqual(await read(user, events[half - 1]!.id, 10_000), events.slice(half));
    },
  },
  {
    operation: 'readEvents',
    title: 'waits for the first event, and brings it',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      const listener = context.open({ role: 'events' });
      await user.addIds('before');
      const { signal } = context.signal();
      const events = read(listener, await listener.handle.lastEventId(), 10, 5_000, signal);
      await context.advance(10);
      await user.addIds('a');

      assert.deepEqual(
        (await events).map(({ event, jobId }) => [event, jobId]),
        [
          ['added', 'a'],
          ['waiting', 'a'],
        ],
      );
    },
  },
  {
    operation: 'readEvents',
    title: 'does not wait when events are there',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');

      assert.equal((await read(user, '0-0', 10, 60_000, context.signal().signal)).length, 2);
    },
  },
  {
    operation: 'readEvents',
    title: 'brings nothing when the wait is over',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      let isOver = false;
      const events = read(user, '0-0', 10, 50, context.signal().signal).finally(() => (isOver = true));
      await context.advance(49);
      assert.equal(isOver, false);
      await context.advance(1);

      assert.deepEqual(await events, []);
    },
  },
  {
    operation: 'readEvents',
    title: 'ends the wait when the signal is aborted, before or meanwhile',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      const before = context.signal();
      before.abort();
      assert.deepEqual(await read(user, '0-0', 10, 60_000, before.signal), []);
      const meanwhile = context.signal();
      const events = read(user, '0-0', 10, 60_000, meanwhile.signal);
      await context.advance(1);
      meanwhile.abort();

      assert.deepEqual(await events, []);
    },
  },
  {
    operation: 'readEvents',
    title: 'wakes every reader',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const listeners = [context.open({ role: 'events' }), context.open({ role: 'events' })];
      const reads = [...listeners, ...listeners].map((each) =>
        read(each, '0-0', 10, 60_000, context.signal().signal),
      );
      await context.advance(1);
      await user.pause();

      for (const events of await Promise.all(reads)) {
        assert.deepEqual(
          events.map(({ event }) => event),
          ['paused'],
        );
      }
    },
  },
  {
    operation: 'readEvents',
    title: 'goes on waiting while only other queues have events',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const other = context.open({ queueName: 'others' });
      const events = read(user, '0-0', 10, 100, context.signal().signal);
      await context.advance(10);
      await other.addIds('a');
      await context.advance(10);
      await user.pause();

      assert.deepEqual(
        (await events).map(({ event }) => event),
        ['paused'],
      );
    },
  },
  {
    operation: 'readEvents',
    title: 'leaves no listener at a signal, however often it waits',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const watched = context.signal();
      for (let wait = 0; wait < 200; wait += 1) {
        const events = read(user, await user.handle.lastEventId(), 10, 1_000, watched.signal);
        await user.add({});
        assert.equal((await events).length, 2);
      }

      assert.equal(watched.listeners, 0);
    },
  },
  {
    operation: 'readEvents',
    title: 'keeps about the last events of a log, the newest without a gap',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const batches = Math.ceil((1.5 * MAX_EVENTS) / (2 * MAX_BATCH));
      for (let batch = 0; batch < batches; batch += 1) {
        await user.add(...Array.from({ length: MAX_BATCH }, () => ({})));
      }

      const events = await read(user, '0-0', 10 * MAX_EVENTS);

      assert.ok(events.length >= MAX_EVENTS, `${events.length} events are kept`);
      assert.ok(events.length <= TOLERANCE * MAX_EVENTS, `${events.length} events are kept`);
      const last = batches * MAX_BATCH;
      const expected = Array.from({ length: MAX_EVENTS / 2 }, (_, index) =>
        String(last - index),
      ).toReversed();
      assert.deepEqual(
        events
          .filter(({ event }) => event === 'waiting')
          .slice(-expected.length)
          .map(({ jobId }) => jobId),
        expected,
      );
    },
  },
  {
    operation: 'lastEventId',
    title: 'is the id of the newest event, and 0-0 before the first',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      const other = context.open({ queueName: 'others' });
      assert.equal(await user.handle.lastEventId(), '0-0');
      await other.addIds('a');
      assert.equal(await user.handle.lastEventId(), '0-0');
      await user.addIds('a', 'b');

      const events = await read(user, '0-0');

      assert.equal(await user.handle.lastEventId(), events.at(-1)!.id);
      assert.deepEqual(await read(user, await user.handle.lastEventId()), []);
    },
  },
  {
    operation: 'lastEventId',
    title: 'stays with a call that writes no event',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      const before = await user.handle.lastEventId();
      await context.advance(10);
      await user.resume();
      await user.recover();
      await user.progress('none', '1');

      assert.equal(await user.handle.lastEventId(), before);
    },
  },
];
