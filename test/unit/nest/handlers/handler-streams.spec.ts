import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger, type LoggerService } from '@nestjs/common';
import { concat, lastValueFrom, NEVER, Observable, of, Subject, take, toArray } from 'rxjs';

import type { Clock } from '../../../../lib/contract/clock';
import { UnserializableDataError } from '../../../../lib/model/errors/unserializable-data.error';
import type { JobContext } from '../../../../lib/nest/context/job-context';
import { HandlerStreams, type StreamTerms } from '../../../../lib/nest/handlers/handler-streams';
import { guardAgainstLeaks } from '../../../support/leak-guard';
import { ManualClock } from '../../../support/manual-clock';

guardAgainstLeaks();

const HOUR = 3_600_000;

let warnings: unknown[];

beforeEach(() => {
  warnings = [];
  const nothing = (): void => undefined;
  const logger: LoggerService = {
    log: nothing,
    error: nothing,
    warn: (message) => void warnings.push(message),
  };
  Logger.overrideLogger(logger);
});

afterEach(() => {
  Logger.overrideLogger(false);
});

/** A run of a handler whose writes of progress end when the test says so, or at once. */
class Run {
  readonly clock = new ManualClock();
  readonly controller = new AbortController();
  readonly written: unknown[] = [];
  readonly emitted: unknown[] = [];
  readonly ends: unknown[] = [];
  readonly streams: HandlerStreams;
  inFlight = 0;
  mostInFlight = 0;
  store: (value: unknown) => Promise<void> = () => Promise.resolve();
  timeout: number | undefined;

  constructor(terms: Partial<StreamTerms> = {}) {
    this.streams = new HandlerStreams({
      emissions: 'progress',
      clock: this.clock,
      isTimed: false,
      label: 'EmailProcessor.send',
      ...terms,
    });
  }

  get context(): JobContext {
    const { timeout } = this;
    const job = {
      id: '1',
      queueName: 'email',
      timeout,
      updateProgress: (value: unknown) => this.#update(value),
    };
    return { job, signal: this.controller.signal } as unknown as JobContext;
  }

  result(returned: unknown): Observable<unknown> {
    return this.streams.resultOf(returned, this.context) as Observable<unknown>;
  }

  start(returned: unknown): void {
    this.result(returned).subscribe({
      next: (value) => this.emitted.push(value),
      error: (error) => this.ends.push(error),
      complete: () => this.ends.push('complete'),
    });
  }

  async #update(value: unknown): Promise<void> {
    this.written.push(value);
    this.inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
    try {
      await this.store(value);
    } finally {
      this.inFlight -= 1;
    }
  }
}

/** A write that lasts until it is released. */
function held(): { store: () => Promise<void>; release: () => void } {
  const waiting: (() => void)[] = [];
  return {
    store: () => new Promise((resolve) => waiting.push(resolve)),
    release: () => waiting.splice(0).forEach((resolve) => resolve()),
  };
}

describe('what is no stream', () => {
  it.each([
    ['a value', 1],
    ['an array', [1, 2]],
    ['a Map', new Map([[1, 2]])],
    ['a text', 'abc'],
  ])('is the result as it is: %s', (_, value) => {
    expect(new Run().streams.resultOf(value, undefined as never)).toBe(value);
  });

  it('is the result as it is: a generator that is not asynchronous', () => {
    const generator = (function* () {
      yield 1;
    })();

    expect(new Run().streams.resultOf(generator, undefined as never)).toBe(generator);
  });
});

describe('progress of a stream', () => {
  it('NA-7-15 is written once in 200 ms, and the newest value of those that have come meanwhile', async () => {
    const run = new Run();
    const source = new Subject<number>();
    run.start(source);

    source.next(1);
    await run.clock.advance(0);
    expect(run.written).toEqual([1]);
    [2, 3, 4].forEach((value) => source.next(value));
    await run.clock.advance(199);
    expect(run.written).toEqual([1]);
    await run.clock.advance(1);
    expect(run.written).toEqual([1, 4]);

    await run.clock.advance(1_000);
    source.next(5);
    await run.clock.advance(0);
    expect(run.written).toEqual([1, 4, 5]);
    source.complete();
    expect(run.emitted).toEqual([1, 2, 3, 4, 5]);
    expect(run.clock.pendingTimers).toBe(0);
  });

  it('NA-7-15 has one write in flight, however long it takes', async () => {
    const run = new Run();
    const { store, release } = held();
    run.store = store;
    const source = new Subject<number>();
    run.start(source);

    source.next(1);
    await run.clock.advance(0);
    source.next(2);
    await run.clock.advance(1_000);
    source.next(3);
    await run.clock.advance(1_000);
    expect(run.written).toEqual([1]);

    release();
    await run.clock.advance(0);
    expect(run.written).toEqual([1, 3]);
    expect(run.mostInFlight).toBe(1);
    release();
    source.complete();
  });

  it('NA-7-15 has not the last value, if that ends the stream at once or waits to be written', async () => {
    const ofOne = new Run();
    ofOne.start(of('only'));
    await ofOne.clock.advance(1_000);
    expect(ofOne.written).toEqual([]);

    const waiting = new Run();
    const source = new Subject<number>();
    waiting.start(source);
    source.next(1);
    await waiting.clock.advance(10);
    source.next(2);
    await waiting.clock.advance(10);
    source.complete();
    await waiting.clock.advance(1_000);

    expect(waiting.written).toEqual([1]);
    expect(waiting.emitted).toEqual([1, 2]);
  });

  it('NA-7-14 is not written with `ignore`', async () => {
    const run = new Run({ emissions: 'ignore' });
    const source = new Subject<number>();
    run.start(source);

    source.next(1);
    await run.clock.advance(1_000);
    source.complete();

    expect(run.written).toEqual([]);
    expect(run.emitted).toEqual([1]);
  });

  it('that cannot be written is told once, and the stream goes on', async () => {
    const run = new Run();
    run.store = () => Promise.reject(new UnserializableDataError('progress', 'send', 'it holds a BigInt'));
    const source = new Subject<number>();
    run.start(source);

    for (const value of [1, 2, 3]) {
      source.next(value);
      await run.clock.advance(200);
    }
    source.complete();

    expect(run.written).toEqual([1, 2, 3]);
    expect(run.ends).toEqual(['complete']);
    expect(warnings).toEqual([expect.stringMatching(/^progress was not written: /)]);
  });

  it('waits no longer for a clock that was set back', async () => {
    const clock = new ManualClock();
    let setBack = 0;
    const run = new Run({
      clock: {
        now: () => clock.now() - setBack,
        setTimer: (millis, callback) => clock.setTimer(millis, callback),
      },
    });
    const source = new Subject<number>();
    run.start(source);

    source.next(1);
    await clock.advance(0);
    setBack = HOUR;
    source.next(2);
    await clock.advance(200);

    expect(run.written).toEqual([1, 2]);
    source.complete();
  });
});

describe('an Observable', () => {
  it('NA-7-16 is unsubscribed from when the signal is aborted, and fails with the reason', async () => {
    const run = new Run();
    let isTornDown = false;
    run.start(
      new Observable((subscriber) => {
        subscriber.next(1);
        return () => (isTornDown = true);
      }),
    );

    run.controller.abort('cancelled');

    expect(isTornDown).toBe(true);
    expect(run.ends).toEqual(['cancelled']);
    await run.clock.advance(HOUR);
    expect(run.written).toEqual([]);
  });

  it('is not subscribed to when the signal was aborted before', () => {
    const run = new Run();
    let isSubscribed = false;
    run.controller.abort('cancelled');

    run.start(new Observable(() => void (isSubscribed = true)));

    expect(isSubscribed).toBe(false);
    expect(run.ends).toEqual(['cancelled']);
  });
});

describe('an async generator', () => {
  it('NA-7-18 is asked for the next value when the write before has settled', async () => {
    const run = new Run();
    const { store, release } = held();
    run.store = store;
    const asked: number[] = [];
    run.start(
      (async function* () {
        for (const value of [1, 2, 3, 4]) {
          asked.push(value);
          yield await Promise.resolve(value);
        }
        return 'result';
      })(),
    );

    await run.clock.advance(0);
    expect(asked).toEqual([1]);
    release();
    // Whatever is not written for the time being is not waited for.
    await run.clock.advance(0);
    expect(asked).toEqual([1, 2, 3, 4]);
    expect(run.emitted).toEqual([1, 2, 3, 4, 'result']);
    expect(run.written).toEqual([1]);
    expect(run.ends).toEqual(['complete']);
  });

  it('NA-7-18 waits for a write that begins between its values', async () => {
    const run = new Run();
    const { store, release } = held();
    const source = new Subject<number>();
    const asked: number[] = [];
    run.start(
      (async function* () {
        for (const value of [1, 2, 3, 4]) {
          asked.push(value);
          yield await lastValueFrom(source.pipe(take(1)));
        }
      })(),
    );
    source.next(1);
    await run.clock.advance(0);
    source.next(2);
    await run.clock.advance(0);
    run.store = store;
    await run.clock.advance(200);
    expect(run.written).toEqual([1, 2]);

    source.next(3);
    await run.clock.advance(0);
    expect(asked).toEqual([1, 2, 3]);
    release();
    await run.clock.advance(0);
    expect(asked).toEqual([1, 2, 3, 4]);
    source.next(4);
    await run.clock.advance(0);
    expect(run.ends).toEqual(['complete']);
  });

  it('NA-7-18 has what it returns as its last value, or else what it yields last', async () => {
    const last = (generator: unknown) => lastValueFrom(new Run().result(generator));
    async function* yields(value: unknown) {
      yield await Promise.resolve('first');
      yield 'last';
      return value;
    }

    expect(await last(yields('result'))).toBe('result');
    expect(await last(yields(null))).toBe(null);
    expect(await last(yields(undefined))).toBe('last');
    expect(await last((async function* () {})())).toBe(undefined);
  });

  it('fails with what it throws', async () => {
    const run = new Run();
    run.start(
      (async function* () {
        yield await Promise.resolve(1);
        throw new Error('no server');
      })(),
    );

    await run.clock.advance(0);

    expect(run.ends).toEqual([new Error('no server')]);
  });

  it('NA-7-19 that is aborted has its `finally` run, and ends after that', async () => {
    const run = new Run();
    const { signal } = run.controller;
    const cleanUp = new Subject<void>();
    const steps: string[] = [];
    run.start(
      (async function* () {
        try {
          yield 1;
          await new Promise((_, reject) =>
            signal.addEventListener('abort', () => reject(signal.reason as Error)),
          );
        } finally {
          steps.push('cleans up');
          await lastValueFrom(cleanUp, { defaultValue: undefined });
          steps.push('has cleaned up');
        }
      })(),
    );
    await run.clock.advance(0);

    run.controller.abort('cancelled');
    await run.clock.advance(1_000);
    expect(steps).toEqual(['cleans up']);
    expect(run.ends).toEqual([]);

    cleanUp.complete();
    await run.clock.advance(0);
    expect(steps).toEqual(['cleans up', 'has cleaned up']);
    expect(run.ends).toEqual(['cancelled']);
    expect(run.clock.pendingTimers).toBe(0);
  });

  it('NA-7-19 that is aborted while its value is written has its `finally` run at once', async () => {
    const run = new Run();
    run.store = held().store;
    const steps: string[] = [];
    run.start(
      (async function* () {
        try {
          yield await Promise.resolve(1);
          steps.push('goes on');
        } finally {
          steps.push('cleans up');
        }
      })(),
    );
    await run.clock.advance(0);

    run.controller.abort('cancelled');
    await run.clock.advance(0);

    expect(steps).toEqual(['cleans up']);
    expect(run.ends).toEqual(['cancelled']);
  });

  it('NA-7-16 that does not heed the signal ends the run 5 s later', async () => {
    const run = new Run();
    run.start(
      (async function* () {
        yield await lastValueFrom(NEVER);
      })(),
    );

    const keptAlive = jest.spyOn(run.clock as Clock, 'setTimer');

    run.controller.abort('cancelled');
    await run.clock.advance(4_999);
    expect(run.ends).toEqual([]);
    await run.clock.advance(1);

    expect(run.ends).toEqual(['cancelled']);
    expect(run.clock.pendingTimers).toBe(0);
    // A worker that has closed meanwhile is no reason for the process to stay.
    expect(keptAlive.mock.calls.map(([millis, , keepAlive]) => [millis, keepAlive])).toEqual([
      [5_000, false],
    ]);
  });

  it('has a result though it is aborted, if that is what it says to it', async () => {
    const run = new Run();
    const { signal } = run.controller;
    run.start(
      // eslint-disable-next-line require-yield -- that is the case
      (async function* () {
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        return 'half of it';
      })(),
    );

    run.controller.abort('cancelled');
    await run.clock.advance(0);

    expect(run.emitted).toEqual(['half of it']);
    expect(run.ends).toEqual(['complete']);
  });

  it('fails with what its `finally` throws', async () => {
    const run = new Run();
    run.store = held().store;
    run.start(
      (async function* () {
        try {
          yield await Promise.resolve(1);
        } finally {
          // eslint-disable-next-line no-unsafe-finally -- that is the case
          throw new Error('the connection was gone');
        }
      })(),
    );
    await run.clock.advance(0);

    run.controller.abort('cancelled');
    await run.clock.advance(0);

    expect(run.ends).toEqual([new Error('the connection was gone')]);
  });

  it('is not begun when the signal was aborted before', async () => {
    const run = new Run();
    let isBegun = false;
    run.controller.abort('cancelled');

    run.start(
      (async function* () {
        isBegun = true;
        yield await Promise.resolve(1);
      })(),
    );
    await run.clock.advance(0);

    expect(isBegun).toBe(false);
    expect(run.ends).toEqual(['cancelled']);
  });

  it('is told to return when somebody has enough of it', async () => {
    const run = new Run();
    let isCleanedUp = false;
    const values = lastValueFrom(
      run
        .result(
          (async function* () {
            try {
              for (let value = 1; ; value += 1) {
                yield await Promise.resolve(value);
              }
            } finally {
              isCleanedUp = true;
            }
          })(),
        )
        .pipe(take(2), toArray()),
    );
    await run.clock.advance(0);

    expect(await values).toEqual([1, 2]);
    expect(isCleanedUp).toBe(true);
    expect(run.clock.pendingTimers).toBe(0);
  });
});

describe('another asynchronous iterable', () => {
  it('is ended, without a word to it where it has no `return`', async () => {
    const run = new Run();
    const source = new Subject<number>();
    run.start({
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false, value: await lastValueFrom(source.pipe(take(1))) }),
      }),
    });
    source.next(1);
    await run.clock.advance(0);

    run.controller.abort('cancelled');
    source.next(2);
    await run.clock.advance(0);

    expect(run.emitted).toEqual([1]);
    expect(run.ends).toEqual(['cancelled']);
  });

  it.each([
    ['that cannot be begun', { [Symbol.asyncIterator]: () => fail() }],
    ['that cannot be asked', { [Symbol.asyncIterator]: () => ({ next: () => fail() }) }],
  ])('fails the job: one %s', async (_, iterable) => {
    const run = new Run();

    run.start(iterable);
    await run.clock.advance(0);

    expect(run.ends).toEqual([new Error('no server')]);
  });

  function fail(): never {
    throw new Error('no server');
  }
});

describe('a stream that runs for an hour', () => {
  it('NA-7-20 is told in the log, once for each handler', async () => {
    const run = new Run();
    run.start(NEVER);
    run.start(NEVER);

    await run.clock.advance(HOUR - 1);
    expect(warnings).toEqual([]);
    await run.clock.advance(1);
    expect(warnings).toEqual([expect.stringMatching(/EmailProcessor\.send has run for an hour.*timeout/)]);

    run.start(NEVER);
    await run.clock.advance(HOUR);
    expect(warnings).toHaveLength(1);
  });

  it('NA-7-20 is not told of when its time is limited, or when it has ended', async () => {
    const ofHandler = new Run({ isTimed: true });
    ofHandler.start(NEVER);
    const ofJob = new Run();
    ofJob.timeout = 2 * HOUR;
    ofJob.start(NEVER);
    const ended = new Run();
    ended.start(concat(of(1)));

    for (const { clock } of [ofHandler, ofJob, ended]) {
      expect(clock.pendingTimers).toBe(0);
      await clock.advance(HOUR);
    }

    expect(warnings).toEqual([]);
  });
});
