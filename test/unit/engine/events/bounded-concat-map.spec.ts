import { describe, expect, it } from '@jest/globals';
import { Subject } from 'rxjs';

import {
  boundedConcatMap,
  type BoundedConcatMapOptions,
} from '../../../../lib/engine/events/bounded-concat-map';
import type { EventGap, QueueEvent } from '../../../../lib/model/queue-event';

/** A hot stream whose handler holds the first event until `release`. */
function slowly(options: BoundedConcatMapOptions) {
  const source = new Subject<QueueEvent | EventGap>();
  const handled: string[] = [];
  const ends: unknown[] = [];
  let release = (): void => undefined;
  const subscription = source
    .pipe(
      boundedConcatMap((event, index) => {
        handled.push(event.type === 'gap' ? `${event.from}..${event.to}` : event.id);
        return index === 0 ? new Promise<void>((resolve) => (release = resolve)) : [];
      }, options),
    )
    .subscribe({ error: (error) => ends.push(error), complete: () => ends.push('complete') });
  return {
    source,
    handled,
    ends,
    subscription,
    write: (...numbers: number[]) =>
      numbers.forEach((number) => source.next({ type: 'paused', id: `${number}-0` })),
    release: async () => {
      release();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

describe('boundedConcatMap on a hot stream', () => {
  it('handles one event after the other, and all of them while they fit', async () => {
    const slow = slowly({ buffer: 3 });
    slow.write(1, 2, 3, 4);
    expect(slow.handled).toEqual(['1-0']);
    slow.source.complete();
    expect(slow.ends).toEqual([]);
    await slow.release();
    expect(slow.handled).toEqual(['1-0', '2-0', '3-0', '4-0']);
    expect(slow.ends).toEqual(['complete']);
  });

  it('NA-7-10 drops the oldest by default, with a gap in their place, and keeps 1,000', async () => {
    const slow = slowly({});
    slow.write(...upTo(1_001));
    slow.write(1_002, 1_003);
    await slow.release();
    expect(slow.handled.slice(0, 3)).toEqual(['1-0', '1-0..4-0', '4-0']);
    expect(slow.handled).toHaveLength(2 + 1_000);
    slow.write(1_004);
    expect(slow.handled.at(-1)).toBe('1004-0');
  });

  it('NA-7-10 keeps the newest alone with latest, without a word', async () => {
    const slow = slowly({ buffer: 2, overflow: 'latest' });
    slow.write(1, 2, 3, 4);
    await slow.release();
    expect(slow.handled).toEqual(['1-0', '4-0']);
  });

  it('NA-7-10 ends with error', async () => {
    const slow = slowly({ buffer: 2, overflow: 'error' });
    slow.write(1, 2, 3);
    expect(slow.ends).toEqual([]);
    slow.write(4);
    expect(slow.ends).toMatchObject([{ code: 'LANE_EVENT_OVERFLOW' }]);
    await slow.release();
    expect(slow.handled).toEqual(['1-0']);
  });

  it('handles any number of waiting events at once without filling the stack', async () => {
    const slow = slowly({ buffer: 100_000 });
    slow.write(...upTo(50_000));
    await slow.release();
    expect(slow.handled).toHaveLength(50_000);
    expect(slow.ends).toEqual([]);
  });

  it('passes on what a handler throws, and what its promise rejects with', async () => {
    for (const project of [
      () => {
        throw new Error('broken');
      },
      () => Promise.reject(new Error('broken')),
    ]) {
      const source = new Subject<QueueEvent>();
      const failed = new Promise((resolve) =>
        source.pipe(boundedConcatMap(project)).subscribe({ error: resolve }),
      );
      source.next({ type: 'paused', id: '1-0' });
      expect(await failed).toMatchObject({ message: 'broken' });
      expect(source.observed).toBe(false);
    }
  });

  it('lets go of its source when nobody subscribes any more', () => {
    const slow = slowly({});
    slow.write(1, 2);
    slow.subscription.unsubscribe();
    expect(slow.source.observed).toBe(false);
  });

  it.each<[object, string]>([
    [{ buffer: 0 }, 'LANE_BAD_STREAM_OPTION'],
    [{ buffer: 1.5 }, 'LANE_BAD_STREAM_OPTION'],
    [{ buffer: '5' }, 'LANE_BAD_STREAM_OPTION'],
    [{ overflow: 'oldest' }, 'LANE_BAD_STREAM_OPTION'],
    [{ bufer: 5 }, 'LANE_UNKNOWN_OPTION'],
    [null as never, 'LANE_BAD_OPTIONS'],
  ])('refuses %p', (options, code) => {
    expect(() => boundedConcatMap(() => [], options)).toThrow(expect.objectContaining({ code }));
  });
});
