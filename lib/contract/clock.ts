/**
 * Time as the engine and the embedded backends see it. Tests hand in one that they move.
 *
 * @public
 */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /**
   * Calls back once, when `millis` have passed. By the reading of `now` it may be a millisecond early, so whoever
   * waits for a moment looks at the time again.
   *
   * @param keepAlive - whether the timer keeps the process alive
   * @returns takes the timer back
   */
  setTimer(millis: number, callback: () => void, keepAlive?: boolean): () => void;
}

/** Largest wait that the platform's timers can hold: 24.8 days. */
const LONGEST_TIMER = 2_147_483_647;

/**
 * The machine's clock.
 *
 * @public
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(millis, callback, keepAlive = true) {
    let timer: NodeJS.Timeout;
    const begin = (left: number): void => {
      const fire = left > LONGEST_TIMER ? () => begin(left - LONGEST_TIMER) : callback;
      timer = setTimeout(fire, Math.min(Math.max(1, Math.ceil(left)), LONGEST_TIMER));
      if (!keepAlive) {
        timer.unref();
      }
    };
    begin(millis);
    return () => clearTimeout(timer);
  },
};
