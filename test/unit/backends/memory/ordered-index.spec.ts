import { describe, expect, it } from '@jest/globals';

import { OrderedIndex, type IndexRange } from '../../../../lib/backends/memory/ordered-index';
import { SeededRandom } from '../../../support/seeded-random.mjs';

const everything: IndexRange = {
  from: [-Infinity, -Infinity],
  to: [Infinity, Infinity],
  offset: 0,
  limit: Infinity,
  descending: false,
};

function read<Value>(index: OrderedIndex<Value>, range: Partial<IndexRange> = {}): Value[] {
  const values: Value[] = [];
  index.read({ ...everything, ...range }, (value) => values.push(value));
  return values;
}

interface Entry {
  readonly major: number;
  readonly minor: number;
}

/** The same, in the plainest way. */
class PlainIndex {
  entries: Entry[] = [];

  insert(entry: Entry): void {
    this.entries.push(entry);
    this.entries.sort(compare);
  }

  remove({ major, minor }: Entry): boolean {
    const before = this.entries.length;
    this.entries = this.entries.filter((each) => each.major !== major || each.minor !== minor);
    return this.entries.length < before;
  }

  read({ from, to, offset, limit, descending }: IndexRange): Entry[] {
    const lowest = { major: from[0], minor: from[1] };
    const highest = { major: to[0], minor: to[1] };
    const found = this.entries.filter((each) => compare(each, lowest) >= 0 && compare(each, highest) <= 0);
    return (descending ? found.reverse() : found).slice(offset, offset + limit);
  }
}

function compare(left: Entry, right: Entry): number {
  return left.major - right.major || left.minor - right.minor;
}

/** How entries come and go, each of which the index is to be good at. */
const WAYS: Record<string, (random: SeededRandom, step: number) => { insert: Entry; grow: number }> = {
  'first in, first out': (_, step) => ({ insert: { major: 0, minor: step }, grow: 0.5 }),
  'first in, last out': (_, step) => ({ insert: { major: 0, minor: -step }, grow: 0.6 }),
  'anywhere, growing': (random, step) => ({
    insert: { major: random.integer(-50, 50), minor: step },
    grow: 0.75,
  }),
  'anywhere, shrinking': (random, step) => ({
    insert: { major: random.integer(0, 3), minor: step },
    grow: step < 1_500 ? 0.95 : 0.2,
  }),
};

describe('an ordered index', () => {
  it('is empty at first', () => {
    const index = new OrderedIndex<string>();

    expect(index.size).toBe(0);
    expect(read(index)).toEqual([]);
    expect(read(index, { descending: true })).toEqual([]);
    expect(index.remove(1, 1)).toBeUndefined();
    index.removeFirst();
    expect(index.size).toBe(0);
  });

  it('sorts by the first number, then by the second', () => {
    const index = new OrderedIndex<string>();
    index.insert(2, 1, '2/1');
    index.insert(1, 9, '1/9');
    index.insert(1, -3, '1/-3');
    index.insert(2 ** 45, 0, 'late');
    index.insert(1, 2 ** 40, '1/large');

    expect(read(index)).toEqual(['1/-3', '1/9', '1/large', '2/1', 'late']);
    expect(read(index, { descending: true, limit: 2 })).toEqual(['late', '2/1']);
  });

  it.each(Object.entries(WAYS))('holds what a plain list holds: %s', (_, way) => {
    const random = new SeededRandom();
    const index = new OrderedIndex<Entry>();
    const plain = new PlainIndex();
    for (let step = 1; step <= 3_000; step += 1) {
      const { insert, grow } = way(random, step);
      if (plain.entries.length === 0 || random.next() < grow) {
        index.insert(insert.major, insert.minor, insert);
        plain.insert(insert);
      } else {
        const position = random.next() < 0.5 ? 0 : random.integer(0, plain.entries.length - 1);
        const entry = plain.entries[position]!;
        const removed = position === 0 ? removeFirst(index) : index.remove(entry.major, entry.minor);
        plain.remove(entry);
        check(removed, entry, random);
      }
      if (step % 10 === 0) {
        const range = anyRange(random, plain.entries);
        check(read(index, range), plain.read(range), random);
        check(index.size, plain.entries.length, random);
      }
    }
    check(read(index), plain.entries, random);
  });

  it('finds no entry at a place where none is, and leaves the others', () => {
    const index = new OrderedIndex<number>();
    for (let minor = 0; minor < 1_000; minor += 2) {
      index.insert(1, minor, minor);
    }

    expect([-1, 1, 501, 999, 1_001].map((minor) => index.remove(1, minor))).toEqual(
      new Array(5).fill(undefined),
    );
    expect([index.remove(0, 2), index.remove(2, 2)]).toEqual([undefined, undefined]);
    expect(index.size).toBe(500);
  });

  it('takes no more room for what is left than for what was there', () => {
    const index = new OrderedIndex<number>();
    for (let minor = 0; minor < 20_000; minor += 1) {
      index.insert(0, minor, minor);
    }
    // One in a hundred stays, so that every block would keep some.
    for (let minor = 0; minor < 20_000; minor += 1) {
      if (minor % 100 !== 0) {
        index.remove(0, minor);
      }
    }

    expect(index.size).toBe(200);
    expect(index.blocks).toBeLessThan(10);
    expect(read(index, { limit: 3 })).toEqual([0, 100, 200]);
  });

  function removeFirst(index: OrderedIndex<Entry>): Entry | undefined {
    const [first] = read(index, { limit: 1 });
    index.removeFirst();
    return first;
  }

  function anyRange(random: SeededRandom, entries: readonly Entry[]): IndexRange {
    const place = (): [number, number] => {
      const near = entries[random.integer(0, entries.length)] ?? { major: 0, minor: 0 };
      return [near.major, random.pick([near.minor, near.minor + 1, -Infinity, Infinity])];
    };
    return {
      from: random.pick([place(), everything.from]),
      to: random.pick([place(), everything.to]),
      offset: random.pick([0, 0, 1, random.integer(0, 400)]),
      limit: random.pick([1, 5, 300, Infinity]),
      descending: random.next() < 0.5,
    };
  }

  function check(actual: unknown, expected: unknown, random: SeededRandom): void {
    try {
      expect(actual).toEqual(expected);
    } catch (error) {
      throw new Error(`The index differs from a plain list, ${String(random)}`, { cause: error });
    }
  }
});
