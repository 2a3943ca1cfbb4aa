import type { Clock } from '../../contract/clock';
import { endsWithin, withoutKeepingAlive } from '../../engine/runtime/wait';

/** Milliseconds that an iterable has to come to its end, once it is told to. */
const GRACE = 5_000;

/**
 * Tells the one who pulls values to stop.
 *
 * @internal
 */
export class Stop {
  #wake: (() => void) | undefined;
  #isCalled = false;

  /** @param reasonOf - gives what is thrown for a stop */
  constructor(private readonly reasonOf: () => unknown) {}

  get isCalled(): boolean {
    return this.#isCalled;
  }

  get reason(): unknown {
    return this.reasonOf();
  }

  /** Stops; a second call does nothing. */
  now(): void {
    this.#isCalled = true;
    this.#wake?.();
  }

  /** Waits until the promise has settled, or the stop comes. Never rejects. */
  orSettled(promise: Promise<unknown>): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      if (this.#isCalled) {
        resolve();
      }
      promise.then(
        () => resolve(),
        () => resolve(),
      );
    });
  }
}

/**
 * Asks an iterable for its values, one after the other.
 *
 * When it is stopped, the iterable is told to return, by which an asynchronous generator runs its `finally`, and has some
 * seconds for that. A result that it has at that moment counts.
 *
 * @param take - is given each value; the next one is asked for when its promise, if there is one, has settled
 * @returns what the iterable returns
 * @throws what it throws, or the reason of the stop
 *
 * @internal
 */
export async function pull(
  source: AsyncIterable<unknown>,
  stop: Stop,
  clock: Clock,
  take: (value: unknown) => Promise<void> | undefined,
): Promise<unknown> {
  const iterator: AsyncIterator<unknown, unknown> = source[Symbol.asyncIterator]();
  while (!stop.isCalled) {
    const asked = Promise.resolve(iterator.next());
    await stop.orSettled(asked);
    if (stop.isCalled) {
      return leave(iterator, stop, clock, asked);
    }
    const { done, value } = await asked;
    if (done === true) {
      return value;
    }
    const taken = take(value);
    if (taken !== undefined) {
      await stop.orSettled(taken);
    }
  }
  return leave(iterator, stop, clock);
}

async function leave(
  iterator: AsyncIterator<unknown>,
  stop: Stop,
  clock: Clock,
  asked?: Promise<IteratorResult<unknown, unknown>>,
): Promise<unknown> {
  const ended = lastOf(asked, Promise.resolve(iterator.return?.()));
  // A worker that has closed meanwhile is no reason to stay.
  if (await endsWithin(withoutKeepingAlive(clock), ended, GRACE)) {
    const last = await ended;
    if (last?.done === true) {
      return last.value;
    }
  }
  throw stop.reason;
}

/** What was asked for last, when the iterable has returned. */
async function lastOf(
  asked: Promise<IteratorResult<unknown, unknown>> | undefined,
  returned: Promise<unknown>,
): Promise<IteratorResult<unknown, unknown> | undefined> {
  const [last] = await Promise.all([asked, returned]);
  return last;
}
