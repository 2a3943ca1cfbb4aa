import type { Clock } from '../contract/clock';
import { type Duration, durationToMillis } from '../model/duration';
import { refuseUnknownOptions } from '../model/option-names';
import { realTime, realTimer } from './turns';

/**
 * Fake timers of a test runner: what `jest` and `vi` have in common.
 *
 * @public
 */
export interface FakeTimers {
  advanceTimersByTimeAsync(millis: number): Promise<unknown>;
}

/**
 * How time is moved.
 *
 * @public
 */
export interface AdvanceOptions {
  /** `jest` or `vi`, once fake timers are installed: they are moved along. Default: timers of handlers go by real time. */
  with?: FakeTimers;
}

interface Timer {
  readonly at: number;
  readonly keepAlive: boolean;
  readonly callback: () => void;
  cancel: () => void;
}

/**
 * The time of queues and workers in a test. It stands still but for `advance`; in the mode `auto` it goes on with the
 * machine's, and `advance` moves it ahead.
 *
 * @public
 */
export class TestClock implements Clock {
  #timers: Timer[] = [];
  /** The present time; in a clock that runs, what it is ahead of the machine's. */
  #time: number;
  readonly #runs: boolean;
  readonly #comeToRest: () => Promise<void>;
  #peek: (() => number) | undefined;

  /**
   * @param start - time in milliseconds
   * @param runs - whether it goes on by itself
   * @param comeToRest - waits until nothing is under way that goes on without the clock
   *
   * @internal
   */
  constructor(start: number, runs: boolean, comeToRest: () => Promise<void>) {
    this.#runs = runs;
    this.#time = runs ? start - realTime() : start;
    this.#comeToRest = comeToRest;
  }

  /** Milliseconds since 1970. */
  now(): number {
    return (this.#runs ? realTime() + this.#time : this.#time) + (this.#peek?.() ?? 0);
  }

  /**
   * Moves time ahead. Whatever comes due on the way does so in the order of its time, each at its own: delays and
   * back-off end, leases run out, attempts take too long. Jobs that come due are ready then; in the mode `manual` they
   * wait for `runUntilIdle()`, in the others they run.
   *
   * @param time - how far; a bare number is milliseconds
   * @throws InvalidDurationError for what is no time, UnknownOptionError, InvalidOptionsError
   *
   * @example
   * ```ts
   * await lane.clock.advance('1h');
   * ```
   */
  async advance(time: Duration, options: AdvanceOptions = {}): Promise<void> {
    refuseUnknownOptions('advance()', options, ['with'] satisfies (keyof AdvanceOptions)[]);
    const end = this.now() + durationToMillis('time', time);
    await this.#comeToRest();
    for (let next = this.#nextBy(end); next !== undefined; next = this.#nextBy(end)) {
      await this.#reach(next, options.with);
      this.#fireNext();
      await this.#comeToRest();
    }
    await this.#reach(end, options.with);
    await this.#comeToRest();
    this.#arm();
  }

  /** Part of what a `Clock` is, for the engine. */
  setTimer(millis: number, callback: () => void, keepAlive = true): () => void {
    const timer: Timer = {
      at: this.now() + Math.max(0, millis),
      callback,
      keepAlive,
      cancel: () => undefined,
    };
    // Behind its equals: timers of one moment fire in the order in which they were set.
    const behind = this.#timers.findIndex(({ at }) => at > timer.at);
    this.#timers.splice(behind === -1 ? this.#timers.length : behind, 0, timer);
    this.#armOne(timer);
    return () => this.#remove(timer);
  }

  /**
   * Timers that are set.
   *
   * @internal
   */
  get pendingTimers(): number {
    return this.#timers.length;
  }

  /**
   * Goes to the next timer, wherever it is, and fires it.
   *
   * @internal
   */
  skip(): void {
    const [next] = this.#timers;
    if (next !== undefined) {
      this.#set(next.at);
      this.#fireNext();
      this.#arm();
    }
  }

  async #reach(time: number, fake: FakeTimers | undefined): Promise<void> {
    const left = time - this.now();
    if (fake !== undefined && left > 0) {
      // While theirs moves on, so does ours, as far as the test has made `Date` a fake too.
      const before = Date.now();
      this.#peek = () => Math.min(left, Math.max(0, Date.now() - before));
      try {
        await fake.advanceTimersByTimeAsync(left);
      } finally {
        this.#peek = undefined;
      }
    }
    this.#set(time);
  }

  #set(time: number): void {
    this.#time += Math.max(0, time - this.now());
  }

  #nextBy(end: number): number | undefined {
    const at = this.#timers[0]?.at;
    return at !== undefined && at <= end ? at : undefined;
  }

  /** Not one that was looked at before: it may have been taken back meanwhile. */
  #fireNext(): void {
    const [next] = this.#timers;
    if (next !== undefined && next.at <= this.now()) {
      this.#remove(next);
      next.callback();
    }
  }

  #remove(timer: Timer): void {
    timer.cancel();
    this.#timers = this.#timers.filter((other) => other !== timer);
  }

  /** Whatever was set before is due sooner by the machine's clock. */
  #arm(): void {
    for (const timer of this.#timers) {
      timer.cancel();
      this.#armOne(timer);
    }
  }

  #armOne(timer: Timer): void {
    if (!this.#runs) {
      return;
    }
    const fire = (): void => {
      if (timer.at > this.now()) {
        this.#armOne(timer);
        return;
      }
      this.#remove(timer);
      timer.callback();
    };
    timer.cancel = realTimer(timer.at - this.now(), fire, timer.keepAlive);
  }
}
