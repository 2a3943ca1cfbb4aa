import { describe, expect, it } from '@jest/globals';

import { MAX_BATCH, MAX_BATCH_SIZE } from '../../../../lib/contract/mutating-call';
import { CallBatcher } from '../../../../lib/engine/runtime/call-batcher';
import { heapInUse } from '../../../support/heap-in-use';
import { SeededRandom } from '../../../support/seeded-random.mjs';

interface Call {
  readonly items: readonly string[];
  answer(): void;
  fail(error: Error): void;
}

/** A batcher of texts whose size is their length; a call answers each item with itself in capitals. */
function setUp({ answersItself = true, isServer = true } = {}) {
  const calls: Call[] = [];
  const batcher = new CallBatcher<string, string>(
    (items) =>
      new Promise((resolve, reject) => {
        const call: Call = {
          items,
          answer: () => resolve(items.map((item) => item.toUpperCase())),
          fail: reject,
        };
        calls.push(call);
        if (answersItself) {
          call.answer();
        }
      }),
    (item) => item.length,
    () => isServer,
  );
  return { batcher, calls, sizes: () => calls.map(({ items }) => items.length) };
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function many(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `i${index}`);
}

describe('CallBatcher', () => {
  it('joins what is submitted in one turn of the event loop, in order', async () => {
    const { batcher, calls } = setUp();
    const first = batcher.submit('a');
    const second = batcher.submit('b');
    await Promise.resolve();
    await new Promise((resolve) => process.nextTick(resolve));
    const third = batcher.submit('c');
    expect(calls).toHaveLength(0);
    await expect(Promise.all([first, second, third])).resolves.toEqual(['A', 'B', 'C']);
    expect(calls.map(({ items }) => items)).toEqual([['a', 'b', 'c']]);
  });

  it('begins anew with the next turn', async () => {
    const { batcher, calls } = setUp();
    await batcher.submit('a');
    await batcher.submit('b');
    expect(calls.map(({ items }) => items)).toEqual([['a'], ['b']]);
  });

  it('does not wait for the answer before it sends what comes next', async () => {
    const { batcher, calls } = setUp({ answersItself: false });
    const first = batcher.submit('a');
    await turn();
    const second = batcher.submit('b');
    await turn();
    expect(calls).toHaveLength(2);
    calls[1]!.answer();
    await expect(second).resolves.toBe('B');
    calls[0]!.answer();
    await expect(first).resolves.toBe('A');
  });

  it('sends the first half, and the other one a turn later with what came meanwhile', async () => {
    const { batcher, calls } = setUp({ answersItself: false });
    const results = many(10).map((item) => batcher.submit(item));
    await turn();
    expect(calls.map(({ items }) => items)).toEqual([many(5)]);
    results.push(batcher.submit('i10'));
    await turn();
    expect(calls.map(({ items }) => items)).toEqual([many(5), many(11).slice(5)]);
    calls.forEach((call) => call.answer());
    await Promise.all(results);
  });

  it('sends all at once while a call is under way', async () => {
    const { batcher, calls, sizes } = setUp({ answersItself: false });
    const results = many(10).map((item) => batcher.submit(item));
    await turn();
    await turn();
    calls[0]!.answer();
    await Promise.all(results.slice(0, 5));

    results.push(...many(100).map((item) => batcher.submit(item)));
    await turn();
    expect(sizes()).toEqual([5, 5, 100]);
    calls.forEach((call) => call.answer());
    await Promise.all(results);
  });

  it('sends all at once to a store in this process', async () => {
    const { batcher, sizes } = setUp({ isServer: false });
    await Promise.all(many(10).map((item) => batcher.submit(item)));
    expect(sizes()).toEqual([10]);
  });

  it.each([
    [7, [7]],
    [8, [4, 4]],
    [MAX_BATCH - 1, [MAX_BATCH / 2, MAX_BATCH / 2 - 1]],
    [MAX_BATCH, [MAX_BATCH / 2, MAX_BATCH / 2]],
    [MAX_BATCH + 1, [MAX_BATCH, 1]],
    [2 * MAX_BATCH + 50, [MAX_BATCH, MAX_BATCH, 50]],
  ])('sends %p items in calls of %p', async (count, sizes) => {
    const batching = setUp();
    const items = many(count);
    const results = await Promise.all(items.map((item) => batching.batcher.submit(item)));
    expect(batching.sizes()).toEqual(sizes);
    expect(results).toEqual(items.map((item) => item.toUpperCase()));
    expect(batching.calls.flatMap((call) => call.items)).toEqual(items);
  });

  it.each([
    ['fill a call to the last character', [MAX_BATCH_SIZE - 10, 10], [2]],
    ['are one character too many', [MAX_BATCH_SIZE - 10, 11], [1, 1]],
    ['follow one that is too large for any call', [MAX_BATCH_SIZE + 1, 1, 1], [1, 2]],
    ['stand before one that is too large for any call', [1, 1, MAX_BATCH_SIZE + 1], [2, 1]],
    ['are all too large', [MAX_BATCH_SIZE + 1, MAX_BATCH_SIZE + 1], [1, 1]],
    ['are empty', [0, 0, 0], [3]],
    ['begin a call whose size counts from there', [MAX_BATCH_SIZE, MAX_BATCH_SIZE - 1, 1, 1], [1, 2, 1]],
  ])('cuts by size when items %s', async (_, lengths, sizes) => {
    const batching = setUp();
    const items = lengths.map((length, index) => String(index).repeat(length));
    await Promise.all(items.map((item) => batching.batcher.submit(item)));
    expect(batching.sizes()).toEqual(sizes);
    expect(batching.calls.flatMap((call) => call.items)).toEqual(items);
  });

  it('keeps order and bounds for any mixture', async () => {
    const random = new SeededRandom();
    const { batcher, calls } = setUp();
    const items: string[] = [];
    const results: Promise<string>[] = [];
    for (let round = 0; round < 15; round += 1) {
      for (let count = random.integer(0, 300); count > 0; count -= 1) {
        const item = 'x'.repeat(random.next() < 0.02 ? random.integer(0, MAX_BATCH_SIZE + 50) : 5);
        items.push(item);
        results.push(batcher.submit(item));
      }
      const next = random.pick(['turn', 'flush', 'more']);
      if (next === 'turn') {
        await turn();
      } else if (next === 'flush') {
        batcher.flush();
      }
    }
    await Promise.all(results);
    const sent = calls.flatMap((call) => call.items);
    expect({ seed: random.seed, same: sent.every((item, index) => item === items[index]) }).toEqual({
      seed: random.seed,
      same: true,
    });
    expect(sent).toHaveLength(items.length);
    for (const call of calls) {
      const size = call.items.reduce((sum, item) => sum + item.length, 0);
      const isBounded = call.items.length <= MAX_BATCH && (size <= MAX_BATCH_SIZE || call.items.length === 1);
      expect({ seed: random.seed, isBounded }).toEqual({ seed: random.seed, isBounded: true });
    }
  });

  it('fails the items of a call that failed, and no others', async () => {
    const { batcher, calls } = setUp({ answersItself: false });
    const results = Promise.allSettled(many(MAX_BATCH * 3).map((item) => batcher.submit(item)));
    batcher.flush();
    const error = new Error('broken');
    calls[0]!.answer();
    calls[1]!.fail(error);
    calls[2]!.answer();
    const failed = (await results).map((result) =>
      result.status === 'rejected' ? (result.reason as unknown) : null,
    );
    expect(failed.slice(0, MAX_BATCH).every((reason) => reason === null)).toBe(true);
    expect(failed.slice(MAX_BATCH, 2 * MAX_BATCH).every((reason) => reason === error)).toBe(true);
    expect(failed.slice(2 * MAX_BATCH).every((reason) => reason === null)).toBe(true);
  });

  it('fails the items of a call that could not be made', async () => {
    const batcher = new CallBatcher<string, string>(
      () => {
        throw new Error('not even sent');
      },
      () => 1,
      () => true,
    );
    const results = [batcher.submit('a'), batcher.submit('b')];
    await expect(results[0]).rejects.toThrow('not even sent');
    await expect(results[1]).rejects.toThrow('not even sent');
    await batcher.settled();
  });

  it('fails an item whose size cannot be told, and sends the others', async () => {
    const calls: string[][] = [];
    const batcher = new CallBatcher<string, string>(
      async (items) => {
        calls.push([...items]);
        return items;
      },
      (item) => {
        if (item === 'b') {
          throw new Error('no size');
        }
        return 1;
      },
      () => true,
    );
    const results = ['a', 'b', 'c'].map((item) => batcher.submit(item));
    await expect(results[1]).rejects.toThrow('no size');
    await expect(results[2]).resolves.toBe('c');
    expect(calls).toEqual([['a', 'c']]);
  });

  describe('flush', () => {
    it('sends at once, and nothing is left for the end of the turn', async () => {
      const { batcher, calls } = setUp();
      const result = batcher.submit('a');
      batcher.flush();
      expect(calls).toHaveLength(1);
      await turn();
      expect(calls).toHaveLength(1);
      await expect(result).resolves.toBe('A');
    });

    it('sends nothing when there is nothing', () => {
      const { batcher, calls } = setUp();
      batcher.flush();
      expect(calls).toEqual([]);
    });

    it('leaves what is submitted after it to the end of the turn', async () => {
      const { batcher, calls } = setUp();
      void batcher.submit('a');
      batcher.flush();
      void batcher.submit('b');
      void batcher.submit('c');
      expect(calls).toHaveLength(1);
      await turn();
      expect(calls.map(({ items }) => items)).toEqual([['a'], ['b', 'c']]);
    });
  });

  describe('settled', () => {
    it('is at once when nothing was submitted', async () => {
      const { batcher, calls } = setUp();
      await batcher.settled();
      expect(calls).toEqual([]);
    });

    it('sends what waits, and waits for every answer, good or bad', async () => {
      const { batcher, calls } = setUp({ answersItself: false });
      const results = Promise.allSettled([batcher.submit('a'), turn().then(() => batcher.submit('b'))]);
      await turn();
      await turn();
      const late = batcher.submit('c').catch(() => undefined);
      let isSettled = false;
      const settled = batcher.settled().then(() => (isSettled = true));
      expect(calls.map(({ items }) => items)).toEqual([['a'], ['b'], ['c']]);
      calls[0]!.answer();
      calls[2]!.fail(new Error('broken'));
      await turn();
      expect(isSettled).toBe(false);
      calls[1]!.answer();
      await settled;
      await Promise.all([results, late]);
    });

    it('comes after the results were handed out', async () => {
      const { batcher } = setUp();
      const order: string[] = [];
      void batcher.submit('a').then(() => order.push('result'));
      await batcher.settled();
      order.push('settled');
      expect(order).toEqual(['result', 'settled']);
    });

    it('does not wait for what is submitted later', async () => {
      const { batcher, calls } = setUp({ answersItself: false });
      const first = batcher.submit('a');
      const settled = batcher.settled();
      const later = batcher.submit('b');
      calls[0]!.answer();
      await settled;
      await first;
      await turn();
      calls[1]!.answer();
      await later;
    });

    it('does not keep calls that were answered', async () => {
      const CALLS = 20_000;
      const batcher = new CallBatcher<string, string>(
        async (items) => items,
        () => 1,
        () => true,
      );
      const round = async (): Promise<void> => {
        for (let call = 0; call < CALLS; call += 1) {
          void batcher.submit('a');
          batcher.flush();
        }
        await batcher.settled();
        await turn();
      };
      await round();
      const heapBefore = heapInUse();
      await round();
      // A call that is kept takes more than a hundred bytes; what else the runner does is far below fifty a call.
      expect((heapInUse() - heapBefore) / CALLS).toBeLessThan(50);
    }, 30_000);
  });
});
