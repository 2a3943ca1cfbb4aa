import type { Clock } from 'nestjs-lane/contract';

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** 2024-01-01T00:00:00Z. */
const defaultStart = 1_704_067_200_000;

/** A clock that stands still until the test moves it. */
export class ManualClock implements Clock {
  #timers: Timer[] = [];
  #now: number;

  constructor(start = defaultStart) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  setTimer(millis: number, callback: () => void): () => void {
    const timer = { at: this.#now + Math.max(0, millis), callback };
    // Behind its equals: timers of one moment fire in the order in which they were set.
    const behind = this.#timers.findIndex(({ at }) => at > timer.at);
    this.#timers.splice(behind === -1 ? this.#timers.length : behind, 0, timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** How many timers have been set and have neither fired nor been taken back. */
  get pendingTimers(): number {
    return this.#timers.length;
  }

  /**
   * Moves the clock forward. Timers fire on the way, in the order of their times and each at its own; before the
   * first and after every one, all that can go on without the clock does so.
   */
  async advance(millis: number): Promise<void> {
    const end = this.#now + millis;
    await turnOfTheEventLoop();
    for (let timer = this.#due(end); timer !== undefined; timer = this.#due(end)) {
      this.#now = Math.max(this.#now, timer.at);
      this.#timers.shift();
      timer.callback();
      await turnOfTheEventLoop();
    }
    this.#now = Math.max(this.#now, end);
  }

  /** Sets the clock to any time, back too, as an operator does. No timer fires, and those that are set keep theirs. */
  set(time: number): void {
    this.#now = time;
  }

  #due(end: number): Timer | undefined {
    const next = this.#timers[0];
    return next !== undefined && next.at <= end ? next : undefined;
  }
}

/** Lets every pending microtask run, and those that they start. */
function turnOfTheEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
