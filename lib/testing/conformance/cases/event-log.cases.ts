import assert from 'node:assert/strict';

import { MAX_EVENTS, NO_EVENTS, type CustomField, type StoredEvent } from '../../../contract/event-log';
import { MAX_BATCH } from '../../../contract/mutating-call';
import { MAX_CUSTOM_FIELDS } from '../../../model/custom-event';
import type { ContractCase } from '../conformance-case';
import { isLater } from '../event-tail';
import { completed, failure, leaseOf, type QueueUser } from '../queue-user';

/** Logs keep about as many events as they should: this much more at most. */
const TOLERANCE = 1.2;

async function read(
  user: QueueUser,
  after: string,
  limit = 100,
  block = 0,
  signal?: AbortSignal,
): Promise<StoredEvent[]> {
  return (await user.handle.readEvents({ after, limit, block, ...(signal && { signal }) })).events;
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
    title: 'JOB-33 numbers events upwards, many in one call too',
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
    title: 'JOB-33 keeps about the last events of a log, the newest without a gap',
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
  {
    operation: 'readEvents',
    title:
      'JOB-34 JOB-35 JOB-36 tells of everything in the order in which it happened, in the same words everywhere',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const tail = await context.tail(user);
      const dueAt = (await user.handle.time()) + 50;
      await user.add({ id: 'now' }, { id: 'later', delay: 50 }, { id: 'now' });
      const claim = await user.claim(1, { leaseDuration: 10 });
      await user.progress('now', '{"percent":50}');
      await user.log('now', 'of which no event tells');
      await context.advance(10);
      await user.recover({ sweepInterval: 0 });
      await user.recover({ sweepInterval: 0 });
      await user.settle([failure(leaseOf(await user.claim(1)), { attempts: 1 })]);
      await context.advance(50);
      await user.settle(completed(await user.claim(1), { returnValue: '[1]' }));
      await user.pause();
      await user.resume();

      assert.equal(claim.jobs.length, 1);
      assert.deepEqual(await tail.next(), [
        { event: 'added', jobId: 'now', name: 'work' },
        { event: 'waiting', jobId: 'now' },
        { event: 'added', jobId: 'later', name: 'work' },
        { event: 'delayed', jobId: 'later', delay: dueAt },
        { event: 'duplicated', jobId: 'now' },
        { event: 'active', jobId: 'now', prev: 'waiting' },
        { event: 'progress', jobId: 'now', data: '{"percent":50}' },
        { event: 'waiting', jobId: 'now', prev: 'active' },
        { event: 'stalled', jobId: 'now' },
        { event: 'active', jobId: 'now', prev: 'waiting' },
        { event: 'failed', jobId: 'now', failedReason: 'broken', prev: 'active' },
        { event: 'retries-exhausted', jobId: 'now', attemptsMade: '1' },
        { event: 'drained' },
        { event: 'waiting', jobId: 'later', prev: 'delayed' },
        { event: 'active', jobId: 'later', prev: 'waiting' },
        { event: 'completed', jobId: 'later', returnvalue: '[1]', prev: 'active' },
        { event: 'drained' },
        { event: 'paused' },
        { event: 'resumed' },
      ]);
    },
  },
  {
    operation: 'publishEvents',
    title:
      'writes events of an application among those of the jobs, with their fields in order, whatever they are called',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      const tail = await context.tail(user);
      const fields: CustomField[] = [
        ['to', 'zoé ✉ "\\\n\u0000'],
        ['__proto__', 'a'],
        ['constructor', ''],
        ['id', '7'],
        ['2', 'two'],
        ['1', 'one'],
        ['delay', '5'],
      ];
      await user.addIds('a');
      await user.publish({ name: 'bounced', fields }, { name: '__proto__' });
      await user.pause();

      assert.deepEqual(await tail.next(), [
        { event: 'added', jobId: 'a', name: 'work' },
        { event: 'waiting', jobId: 'a' },
        { event: 'bounced', fields },
        { event: '__proto__', fields: [] },
        { event: 'paused' },
      ]);
    },
  },
  {
    operation: 'publishEvents',
    title: 'wakes who waits for events',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const events = read(context.open({ role: 'events' }), '0-0', 10, 5_000, context.signal().signal);
      await context.advance(1);
      await user.publish({ name: 'bounced' });

      assert.deepEqual(
        (await events).map(({ event }) => event),
        ['bounced'],
      );
    },
  },
  {
    operation: 'publishEvents',
    title: 'takes an event with as many fields as it may have',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const fields = Array.from({ length: MAX_CUSTOM_FIELDS }, (_, index) => [`f${index}`, 'x'] as const);
      await user.publish({ name: 'wide', fields });

      assert.deepEqual((await read(user, '0-0'))[0]!.fields, fields);
    },
  },
  {
    operation: 'publishEvents',
    title: 'keeps about as many events in the log as it is told, the newest, and only then fewer',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add(...Array.from({ length: MAX_BATCH }, () => ({})));
      await user.add(...Array.from({ length: MAX_BATCH }, () => ({})));
      await user.publish({ name: 'first' });
      const all = 4 * MAX_BATCH + 1;
      assert.equal((await read(user, '0-0', 2 * all)).length, all);
      await user.publish({ name: 'second', maxEvents: MAX_BATCH });

      const kept = await read(user, '0-0', 2 * all);
      assert.ok(kept.length >= MAX_BATCH && kept.length <= 1.5 * MAX_BATCH, `${kept.length} events are kept`);
      assert.deepEqual(
        kept.slice(-2).map(({ event }) => event),
        ['first', 'second'],
      );
    },
  },
  {
    operation: 'readEvents',
    title: 'says that events are missing which were dropped before they were read, and only then',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const { handle } = user;
      const page = (after: string) => handle.readEvents({ after, limit: 10, block: 0 });
      await user.add(...Array.from({ length: MAX_BATCH }, () => ({})));
      const all = await read(user, '0-0', 10_000);
      const [{ id: first }, { id: second }] = all as [StoredEvent, StoredEvent];
      for (const after of ['0-0', first, second]) {
        assert.equal((await page(after)).hasGap, false);
      }
      const newest = await handle.lastEventId();
      const { signal } = context.signal();
      const waiting = handle.readEvents({ after: newest, limit: 10, block: 5_000, signal });
      await context.advance(1);
      await user.publish({ name: 'cut', maxEvents: 1 });
      assert.equal((await waiting).hasGap, false);

      for (const after of ['0-0', first, second]) {
        const { events, hasGap } = await page(after);
        assert.equal(hasGap, true);
        assert.ok(isLater(events[0]!.id, second));
      }
      const { events } = await page(second);
      assert.equal((await page(events[0]!.id)).hasGap, false);
      assert.deepEqual(await page(await handle.lastEventId()), NO_EVENTS);
    },
  },
];
