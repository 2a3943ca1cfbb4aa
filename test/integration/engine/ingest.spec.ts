import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StoreReadOnlyError } from 'nestjs-lane/contract';
import { defineQueue, job, Queue, type StandardSchema } from 'nestjs-lane/engine';
import { memory } from 'nestjs-lane/memory';
import {
  concat,
  firstValueFrom,
  lastValueFrom,
  map,
  type Observable,
  type Observer,
  of,
  range,
  Subject,
  take,
  throwError,
  toArray,
} from 'rxjs';

import { AlteredBackend } from '../../support/altered-backend';
import { guardAgainstLeaks } from '../../support/leak-guard';
import { waitUntil } from '../../support/wait-until';

guardAgainstLeaks();

interface Letter {
  name: string;
  data: unknown;
}

let backend: AlteredBackend;
let queue: Queue;

beforeEach(() => {
  backend = new AlteredBackend(memory());
  queue = new Queue('email', { backend, addTimeout: 500 });
});

afterEach(() => queue.close());

const letter = (data: unknown): Letter => ({ name: 'send', data });
const letters = (count: number): Letter[] => Array.from({ length: count }, (_, index) => letter(index));

/** Has adds wait until they are let through, and counts them. */
function holdAdds() {
  const adds = { held: 0, letThrough: (): void => undefined };
  const through = new Promise<void>((resolve) => (adds.letThrough = resolve));
  backend.alter('addJobs', (addJobs) => async (request, call) => {
    adds.held += 1;
    await through;
    return addJobs(request, call);
  });
  return adds;
}

async function stored(): Promise<unknown[]> {
  const looking = new Queue('email', { backend });
  const waiting = await looking.getWaiting();
  await looking.close();
  return waiting.map((each) => each.data as unknown);
}

/** A source that can tell whether it was left, and goes on for ever. */
function endless() {
  const source = { isLeft: false, read: 0, [Symbol.asyncIterator]: generate };
  async function* generate() {
    try {
      for (;;) {
        yield await Promise.resolve(letter((source.read += 1)));
      }
    } finally {
      source.isLeft = true;
    }
  }
  return source;
}

describe('queue.ingest', () => {
  it('reads nothing before it is subscribed to, and anew for each subscriber', async () => {
    let begun = 0;
    const source = {
      *[Symbol.iterator]() {
        begun += 1;
        yield letter(begun);
      },
    };

    const ingested = queue.ingest(source);
    expect([begun, await stored()]).toEqual([0, []]);
    await lastValueFrom(ingested);
    await lastValueFrom(ingested);

    expect(await stored()).toEqual([1, 2]);
  });

  it('of an empty source is done at once', async () => {
    expect(await firstValueFrom(queue.ingest([]).pipe(toArray()))).toEqual([
      { jobs: [], refusals: [], added: 0, refused: 0, isDone: true },
    ]);
  });

  it('adds what comes in one turn together, and waits for nothing more', async () => {
    const source = new Subject<Letter>();
    const seen: number[] = [];
    const ended = queue.ingest(source).forEach(({ added }) => void seen.push(added));

    source.next(letter(1));
    source.next(letter(2));
    await waitUntil(() => seen.length > 0, { reason: 'they are stored, though the source goes on' });
    expect(seen).toEqual([2]);
    source.next(letter(3));
    source.complete();
    await ended;

    expect(seen).toEqual([2, 3, 3]);
    expect(await stored()).toEqual([1, 2, 3]);
  });

  it('ends when an Observable brings more than its buffer holds, when all before that is stored', async () => {
    const adds = holdAdds();
    const source = new Subject<Letter>();
    const ended = queue.ingest(source, { buffer: 3, concurrency: 1 }).forEach(() => undefined);
    const refused = ended.catch((error: unknown) => error);

    source.next(letter(0));
    await waitUntil(() => adds.held === 1, { reason: 'the first one is under way' });
    for (const data of [1, 2, 3]) {
      source.next(letter(data));
    }
    expect(source.observed).toBe(true);
    source.next(letter(4));
    expect(source.observed).toBe(false);
    adds.letThrough();

    expect(await refused).toMatchObject({ code: 'LANE_INGEST_OVERFLOW' });
    expect(await stored()).toEqual([0, 1, 2, 3]);
  });

  it('leaves an Observable that brings everything at once as soon as the buffer is full', async () => {
    let brought = 0;
    const source = range(0, 1_000).pipe(map((data) => letter((brought = data))));

    await expect(lastValueFrom(queue.ingest(source, { buffer: 10 }))).rejects.toMatchObject({
      code: 'LANE_INGEST_OVERFLOW',
    });

    expect(brought).toBe(10);
    expect(await stored()).toHaveLength(10);
  });

  it.each(['an Observable', 'an iterable'])(
    'ends with the error of %s, when all before it is stored',
    async (kind) => {
      const failure = new Error('the file is torn');
      function* torn() {
        yield* letters(3);
        throw failure;
      }
      const source =
        kind === 'an iterable'
          ? torn()
          : concat(
              of(...letters(3)),
              throwError(() => failure),
            );

      await expect(lastValueFrom(queue.ingest(source))).rejects.toBe(failure);

      expect(await stored()).toEqual([0, 1, 2]);
    },
  );

  it('reads whatever can be subscribed to, and errors with what its subscribe throws', async () => {
    const foreign = (subscribe: unknown) => ({ subscribe }) as unknown as Observable<Letter>;
    const ones = foreign((to: Observer<Letter>) => {
      to.next(letter(1));
      to.complete();
    });
    const broken = foreign(() => {
      throw new Error('no stream');
    });

    expect(await lastValueFrom(queue.ingest(ones))).toMatchObject({ added: 1, isDone: true });
    await expect(lastValueFrom(queue.ingest(broken))).rejects.toThrow('no stream');
    expect(() => queue.ingest(foreign('me'))).toThrow(expect.objectContaining({ code: 'LANE_BAD_SOURCE' }));
  });

  it('leaves the source when nobody listens any more, and what is under way is stored', async () => {
    const source = endless();

    const { added } = await firstValueFrom(queue.ingest(source).pipe(take(1)));
    await waitUntil(() => source.isLeft, { reason: 'the source was left' });
    await queue.close();

    expect((await stored()).length).toBeGreaterThanOrEqual(added);
    expect((await stored()).length).toBeLessThanOrEqual(source.read);
  });

  it('ends with the reason of its signal, whether it is aborted meanwhile or was before', async () => {
    const source = endless();
    const stop = new AbortController();

    const ended = queue
      .ingest(source, { signal: stop.signal })
      .forEach(() => stop.abort(new Error('enough')));
    await expect(ended).rejects.toThrow('enough');
    await waitUntil(() => source.isLeft, { reason: 'the source was left' });
    const { read } = source;
    await expect(lastValueFrom(queue.ingest(source, { signal: stop.signal }))).rejects.toThrow('enough');

    expect(source.read).toBe(read);
  });

  it('tells in the order of the source, whichever add is answered first', async () => {
    const source = new Subject<Letter>();
    const seen: unknown[] = [];
    let answerFirst: () => void = () => undefined;
    let calls = 0;
    backend.alter('addJobs', (addJobs) => async (request, call) => {
      calls += 1;
      if (calls === 1) {
        await new Promise<void>((resolve) => (answerFirst = resolve));
      }
      return addJobs(request, call);
    });
    const ended = queue.ingest(source).forEach(({ jobs }) => void seen.push(...jobs.map(({ name }) => name)));

    source.next({ name: 'first', data: {} });
    await waitUntil(() => calls === 1, { reason: 'the first one is under way' });
    source.next({ name: 'second', data: {} });
    source.complete();
    await waitUntil(async () => (await stored()).length === 1, { reason: 'the second one is stored' });
    expect(seen).toEqual([]);
    answerFirst();
    await ended;

    expect(seen).toEqual(['first', 'second']);
  });

  it('ends when the store does not take a bulk add, strict or not, and reads no further', async () => {
    const source = endless();
    let calls = 0;
    backend.alter('addJobs', (addJobs) => (request, call) => {
      calls += 1;
      return calls === 1 ? addJobs(request, call) : Promise.reject(new StoreReadOnlyError('memory'));
    });
    const seen: number[] = [];

    await expect(
      queue.ingest(source, { concurrency: 1 }).forEach(({ added }) => void seen.push(added)),
    ).rejects.toMatchObject({ code: 'LANE_JOBS_NOT_ADDED', cause: { code: 'LANE_STORE_READ_ONLY' } });

    await waitUntil(() => source.isLeft, { reason: 'the source was left' });
    expect(seen).toEqual([(await stored()).length]);
  });

  it('holds up no close by a source or a schema that does not answer', async () => {
    const never: StandardSchema<object> = {
      '~standard': { version: 1, vendor: 'hand', validate: () => new Promise(() => undefined) },
    };
    const checked = new Queue(defineQueue('checked', { send: job({ schema: never }) }), { backend });
    let completed = 0;
    const observer = { complete: () => (completed += 1) };
    checked.ingest([{ name: 'send', data: {} }]).subscribe(observer);
    checked.ingest(new Subject<never>()).subscribe(observer);

    await checked.close();

    expect(completed).toBe(2);
  });

  it('waits for a schema, and keeps the order', async () => {
    const slowFirst: StandardSchema<{ n: number }> = {
      '~standard': {
        version: 1,
        vendor: 'hand',
        validate: async (value) => {
          const { n } = value as { n: number };
          for (let turn = 0; turn < 5 - n; turn += 1) {
            await new Promise((resolve) => setImmediate(resolve));
          }
          return n === 2 ? { issues: [{ message: 'not two', path: ['n'] }] } : { value: { n } };
        },
      },
    };
    const checked = new Queue(defineQueue('email', { send: job({ schema: slowFirst }) }), { backend });
    const entries = [0, 1, 2, 3].map((n) => ({ name: 'send' as const, data: { n } }));

    const [first, last] = await firstValueFrom(checked.ingest(entries).pipe(toArray()));

    expect(first!.refusals).toMatchObject([{ entry: entries[2], error: { code: 'LANE_INVALID_DATA' } }]);
    expect(last).toMatchObject({ added: 3, refused: 1, isDone: true });
    expect(await stored()).toEqual([{ n: 0 }, { n: 1 }, { n: 3 }]);
    await checked.close();
  });

  it.each([
    ['no source', undefined, {}, 'LANE_BAD_SOURCE'],
    ['a text', 'send', {}, 'LANE_BAD_SOURCE'],
    ['one job', letter(1), {}, 'LANE_BAD_SOURCE'],
    ['a promise', Promise.resolve([]), {}, 'LANE_BAD_SOURCE'],
    ['an unknown option', [], { concurency: 1 }, 'LANE_UNKNOWN_OPTION'],
    ['options that are none', [], 5, 'LANE_BAD_OPTIONS'],
    ['a bad concurrency', [], { concurrency: 0 }, 'LANE_BAD_STREAM_OPTION'],
    ['a bad buffer', [], { buffer: Infinity }, 'LANE_BAD_STREAM_OPTION'],
    ['a bad flag', [], { strict: 'yes' }, 'LANE_BAD_FLAG'],
  ])('refuses %s at once', (_, source, options, code) => {
    expect(() => queue.ingest(source as never, options as never)).toThrow(expect.objectContaining({ code }));
  });
});
