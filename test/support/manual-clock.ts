import type { Clock } from 'nestjs-lane/contract';

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** What lies outside the process and goes by the clock, such as a server. */
export interface Surroundings {
  /** Called when the clock has reached a time, before the timers of that time fire. */
  reach(now: number): Promise<void>;
  /** Waits until nothing is under way that goes on without the clock. */
  comeToRest(): Promise<void>;
}

/** 2024-01-01T00:00:00Z. */
const defaultStart = 1_704_067_200_000;

/** A clock that stands still until the test moves it. */
export class ManualClock implements Clock {
  #timers: Timer[] = [];
  #now: number;

  constructor(
    start = defaultStart,
    private readonly surroundings: Surroundings = {
      reach: () => Promise.resolve(),
      comeToRest: turnOfTheEventLoop,
    },
  ) {
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
    await this.surroundings.comeToRest();
    for (let at = this.#nextBy(end); at !== undefined; at = this.#nextBy(end)) {
      await this.#reach(at);
      // Not the one that was looked at: it may have been taken back meanwhile.
      if (this.#nextBy(this.#now) !== undefined) this.#timers.shift()?.callback();
      await this.surroundings.comeToRest();
    }
    await this.#reach(end);
  }

  /** Sets the clock to any time, back too, as an operator does. No timer fires, and those that are set keep theirs. */
  set(time: number): void {
    this.#now = time;
  }

  async #reach(time: number): Promise<void> {
    this.#now = Math.max(this.#now, time);
    await this.surroundings.reach(this.#now);
  }

  /** When the next timer is due, if it is by then. */
  #nextBy(end: number): number | undefined {
    const at = this.#timers[0]?.at;
    return at !== undefined && at <= end ? at : undefined;
  }
}

/** Lets every pending microtask run, and those that they start. */
export function turnOfTheEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
