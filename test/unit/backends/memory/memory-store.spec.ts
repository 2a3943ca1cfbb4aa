import { beforeEach, describe, expect, it } from '@jest/globals';

import { newJobRow } from '../../../../lib/backends/embedded/job-row';
import type { JobRow, Rows, TableName } from '../../../../lib/backends/embedded/store';
import { MemoryStore } from '../../../../lib/backends/memory/memory-store';
import { ROW_COPIES } from '../../../../lib/backends/memory/row-copies';
import { MAX_EVENTS } from '../../../../lib/contract/event-log';
import { JOB_STATES } from '../../../../lib/model/job-state';
import { SeededRandom } from '../../../support/seeded-random.mjs';

const PLAIN = { id: null, name: 'work', data: '{}', options: '{}', priority: 0, delay: 0, lifo: false };

function jobRow(id: string, changes: Partial<JobRow> = {}): JobRow {
  return { ...newJobRow('q', id, PLAIN, 1), ...changes };
}

describe('a memory store', () => {
  let store: MemoryStore;

  beforeEach(() => {
    store = new MemoryStore();
  });

  function put(...rows: JobRow[]): void {
    store.transact(() => rows.forEach((row) => store.put('jobs', row)));
  }

  function idsOf(state: string, queue = 'q'): string[] {
    return store.scan('jobsByState', [queue, state], { limit: Infinity }).map((row) => row.id);
  }

  it('copies rows when they go, so that only a put changes them', () => {
    put(jobRow('a'));
    store.get('jobs', 'q', 'a')!.name = 'changed';
    store.scan('jobsByState', ['q', 'waiting'], { limit: 1 })[0]!.name = 'changed';

    expect(store.get('jobs', 'q', 'a')).toEqual(jobRow('a'));
  });

  it.each<[TableName, Rows[TableName]]>([
    ['jobs', { ...everyColumn(jobRow('a')), state: 'failed' }],
    [
      'queues',
      everyColumn({
        queue: '',
        paused: 0,
        ceiling: 0,
        max: 0,
        duration: 0,
        windowUsed: 0,
        windowEnd: 0,
        lastId: 0,
        front: 0,
        back: 0,
        sweptAt: 0,
        sweptFor: 0,
        sweptBack: 0,
        lastFinish: 0,
        eventMillis: 0,
        eventNumber: 0,
      }),
    ],
    [
      'calls',
      everyColumn({ caller: '', channel: '', queue: '', sequence: 0, reply: '', expiresAt: 0, written: 0 }),
    ],
    ['logs', everyColumn({ queue: '', job: '', place: '', row: '', sequence: 0 })],
    ['metrics', everyColumn({ queue: '', state: '', count: 0, previousTime: 0, previousCount: 0 })],
    ['metricPoints', everyColumn({ queue: '', state: '', points: '' })],
  ])('copies every column of %s', (table, row) => {
    const copy = ROW_COPIES[table] as (row: Rows[TableName]) => Rows[TableName];

    expect(copy(row)).toEqual(row);
    expect(copy(row)).not.toBe(row);
  });

  it('finds rows by their new place when they change', () => {
    put(jobRow('a', { sequence: 1 }), jobRow('b', { sequence: 2 }));
    put(jobRow('a', { sequence: 3 }), jobRow('c', { state: 'delayed', order: 5, sequence: 4 }));
    expect([idsOf('waiting'), idsOf('delayed')]).toEqual([['b', 'a'], ['c']]);

    put(jobRow('c', { state: 'waiting', sequence: 0 }));

    expect([idsOf('waiting'), idsOf('delayed')]).toEqual([['c', 'b', 'a'], []]);
    expect(store.count('jobsByState', ['q', 'delayed'])).toBe(0);
  });

  it('keeps queues apart', () => {
    put(jobRow('a'), { ...jobRow('a'), queue: 'other', name: 'other' });
    store.transact(() => store.delete('jobs', 'q', 'a'));

    expect([idsOf('waiting'), idsOf('waiting', 'other')]).toEqual([[], ['a']]);
  });

  it('deletes a row that is not there without a word', () => {
    store.transact(() => store.delete('jobs', 'q', 'none'));

    expect(store.get('jobs', 'q', 'none')).toBeUndefined();
  });

  it('scans by the first order column, both ends included', () => {
    put(...[1, 2, 2, 3].map((order, index) => jobRow(`${order}-${index}`, { order, sequence: index })));
    const scan = (range: { from?: number; to?: number; offset?: number; descending?: boolean }) =>
      store.scan('jobsByState', ['q', 'waiting'], { limit: 10, ...range }).map((row) => row.id);

    expect(scan({ from: 2 })).toEqual(['2-1', '2-2', '3-3']);
    expect(scan({ to: 2 })).toEqual(['1-0', '2-1', '2-2']);
    expect(scan({ from: 2, to: 2, descending: true })).toEqual(['2-2', '2-1']);
    expect(scan({ offset: 3 })).toEqual(['3-3']);
    expect(scan({ descending: true, offset: 1, to: 2 })).toEqual(['2-1', '1-0']);
    expect(scan({ from: 4 })).toEqual([]);
  });

  it('counts by the first order column, both ends included, over many blocks', () => {
    const count = (range: { from?: number; to?: number }): number =>
      store.count('jobsByState', ['q', 'waiting'], range);
    expect(count({})).toBe(0);
    put(
      ...Array.from({ length: 1_000 }, (_, index) =>
        jobRow(String(index), { order: index >> 1, sequence: index }),
      ),
    );

    expect(count({})).toBe(1_000);
    expect(count({ from: 0, to: 0 })).toBe(2);
    expect(count({ from: 100, to: 299 })).toBe(400);
    expect(count({ to: 63 })).toBe(128);
    expect(count({ from: 499 })).toBe(2);
    expect(count({ from: 500 })).toBe(0);
    expect(count({ from: 63.5, to: 64 })).toBe(2);
  });

  it('deletes what a scan reads, and brings it back when the step throws', () => {
    put(...[1, 2, 3, 4].map((order) => jobRow(`${order}`, { order, sequence: order })));
    const range = { from: 2, limit: 2 };
    const deleteAndThrow = (): void => {
      store.deleteRange('jobsByState', ['q', 'waiting'], range);
      expect(idsOf('waiting')).toEqual(['1', '4']);
      throw new Error('no');
    };

    expect(() => store.transact(deleteAndThrow)).toThrow('no');
    expect(idsOf('waiting')).toEqual(['1', '2', '3', '4']);
    store.transact(() => store.deleteRange('jobsByState', ['q', 'waiting'], range));

    expect(idsOf('waiting')).toEqual(['1', '4']);
    expect(store.get('jobs', 'q', '2')).toBeUndefined();
  });

  it('removes the log of a job with the job, and brings both back when the step throws', () => {
    put(jobRow('a', { sequence: 1 }), jobRow('b', { sequence: 2 }));
    store.transact(() => {
      [1, 2].forEach((sequence) =>
        store.put('logs', { queue: 'q', job: 'a', place: String(sequence), row: 'row', sequence }),
      );
      store.put('logs', { queue: 'q', job: 'b', place: '3', row: 'row', sequence: 3 });
    });
    const logs = (): number[] => ['a', 'b'].map((id) => store.count('logsByJob', ['q', id]));
    const removals = [
      () => store.delete('jobs', 'q', 'a'),
      () => store.deleteRange('jobsByState', ['q', 'waiting'], { limit: 1 }),
    ];

    for (const remove of removals) {
      const removeAndThrow = (): void => {
        remove();
        expect(logs()).toEqual([0, 1]);
        throw new Error('no');
      };
      expect(() => store.transact(removeAndThrow)).toThrow('no');
      expect(logs()).toEqual([2, 1]);
      expect(idsOf('waiting')).toEqual(['a', 'b']);
    }
  });

  it('is as before when a step throws, and passes the error on', () => {
    put(jobRow('kept', { sequence: 1 }), jobRow('changed', { sequence: 2 }), jobRow('gone', { sequence: 3 }));
    store.transact(() => store.append('q', 1, 0, { event: 'added' }));
    const error = new Error('no');

    const step = (): void => {
      store.put('jobs', jobRow('new', { sequence: 4 }));
      store.put('jobs', jobRow('changed', { state: 'active', order: 9, sequence: 5 }));
      store.put('jobs', jobRow('changed', { state: 'failed', order: 10, sequence: 6 }));
      store.delete('jobs', 'q', 'gone');
      store.put('jobs', jobRow('gone', { name: 'again', sequence: 7 }));
      store.append('q', 2, 0, { event: 'waiting' });
      store.append('other', 2, 0, { event: 'waiting' });
      throw error;
    };

    expect(() => store.transact(step)).toThrow(error);
    expect(idsOf('waiting')).toEqual(['kept', 'changed', 'gone']);
    expect([idsOf('active'), idsOf('failed')]).toEqual([[], []]);
    expect(store.get('jobs', 'q', 'changed')).toEqual(jobRow('changed', { sequence: 2 }));
    expect(store.get('jobs', 'q', 'gone')).toEqual(jobRow('gone', { sequence: 3 }));
    expect(store.eventsAfter('q', 0, 0, 10)).toEqual([{ id: '1-0', event: 'added' }]);
    expect(store.eventsAfter('other', 0, 0, 10)).toEqual([]);
  });

  it('takes no step back that was carried out before', () => {
    put(jobRow('a'));
    expect(() =>
      store.transact(() => {
        throw new Error('no');
      }),
    ).toThrow('no');

    expect(idsOf('waiting')).toEqual(['a']);
  });

  it('keeps the newest events', () => {
    for (let batch = 0; batch < 3; batch += 1) {
      store.transact(() => {
        for (let index = 0; index < MAX_EVENTS / 2; index += 1) {
          store.append('q', batch + 1, index, { event: 'added', jobId: `${batch}-${index}` });
        }
      });
    }

    const events = store.eventsAfter('q', 0, 0, Infinity);
    expect(events).toHaveLength(MAX_EVENTS);
    expect(events[0]).toEqual({ id: '2-0', event: 'added', jobId: '1-0' });
    expect(store.eventsAfter('q', 3, MAX_EVENTS / 2 - 2, 10)).toEqual([events.at(-1)]);
  });

  it('keeps fewer events when they are large, and the last one however large it is', () => {
    const append = (number: number, length: number): void =>
      store.transact(() =>
        store.append('q', 1, number, { event: 'completed', returnvalue: 'x'.repeat(length) }),
      );
    const kept = (): number => store.eventsAfter('q', 0, 0, Infinity).length;

    for (let number = 0; number < 100; number += 1) {
      append(number, 1_048_576);
    }
    expect(kept()).toBe(64);
    append(100, 100_000_000);
    expect(kept()).toBe(1);
    append(101, 10);
    expect(() =>
      store.transact(() => {
        store.append('q', 1, 102, { event: 'completed', returnvalue: 'x'.repeat(100_000_000) });
        throw new Error('no');
      }),
    ).toThrow('no');
    append(103, 10);
    expect(kept()).toBe(2);
  });

  it('holds what plain tables hold, whatever steps succeed or fail', () => {
    const random = new SeededRandom();
    let plain = new Map<string, JobRow>();
    let sequence = 0;
    for (let round = 0; round < 200; round += 1) {
      const fails = random.next() < 0.3;
      const changed = new Map(plain);
      const step = (): void => {
        for (let write = random.integer(1, 12); write > 0; write -= 1) {
          const id = `job-${random.integer(0, 60)}`;
          if (random.next() < 0.3) {
            store.delete('jobs', 'q', id);
            changed.delete(id);
          } else {
            sequence += 1;
            const state = random.pick(['waiting', 'delayed', 'active', 'completed'] as const);
            const row = jobRow(id, { state, order: random.integer(0, 5), sequence, name: `${round}` });
            store.put('jobs', row);
            changed.set(id, row);
          }
        }
        if (fails) {
          throw new Error('meant');
        }
      };
      expect(outcomeOf(() => store.transact(step))).toBe(fails ? 'Error: meant' : 'done');
      plain = fails ? plain : changed;
      compare(plain, random);
    }
  });

  function compare(plain: ReadonlyMap<string, JobRow>, random: SeededRandom): void {
    const rows = [...plain.values()].sort(
      (left, right) => left.order - right.order || left.sequence - right.sequence,
    );
    try {
      for (const state of JOB_STATES) {
        const expected = rows.filter((row) => row.state === state);
        expect(store.scan('jobsByState', ['q', state], { limit: Infinity })).toEqual(expected);
        expect(store.count('jobsByState', ['q', state])).toBe(expected.length);
      }
      const found = [...plain.keys()].map((id) => store.get('jobs', 'q', id));
      expect(found).toEqual([...plain.values()]);
    } catch (error) {
      throw new Error(`The store differs from plain tables, ${String(random)}`, { cause: error });
    }
  }
});

function outcomeOf(run: () => void): string {
  try {
    run();
    return 'done';
  } catch (error) {
    return String(error);
  }
}

/** A row in which no two columns have the same value. */
function everyColumn<Row extends object>(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([column, value], index) => [
      column,
      typeof value === 'string' ? `${column}!` : index + 1,
    ]),
  ) as Row;
}
