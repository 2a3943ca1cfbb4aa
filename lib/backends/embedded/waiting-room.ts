import type { Clock } from '../../contract/clock';

/**
 * Where calls wait for something to happen, each for a time, until a signal, or until its handle closes. Nothing of
 * a wait is left when it ends: no timer, and no listener at its signal.
 *
 * @internal
 */
export class WaitingRoom {
  readonly #waits = new Set<{ readonly owner: object; readonly end: (woken: boolean) => void }>();

  /** @param keepsAlive - whether who waits keeps the process alive */
  constructor(
    private readonly clock: Clock,
    private readonly keepsAlive: boolean,
  ) {}

  /** Whether nobody waits. */
  get isEmpty(): boolean {
    return this.#waits.size === 0;
  }

  /**
   * Waits.
   *
   * @param owner - the handle that waits
   * @param block - longest time in milliseconds
   * @returns `true` when it was woken, `false` when the wait ended otherwise
   */
  enter(owner: object, block: number, signal: AbortSignal | undefined): Promise<boolean> {
    if (signal?.aborted === true) {
      return Promise.resolve(false);
    }
    return new Promise((resolve) => {
      const wait = {
        owner,
        end: (woken: boolean): void => {
          this.#waits.delete(wait);
          cancelTimer();
          signal?.removeEventListener('abort', onAbort);
          resolve(woken);
        },
      };
      const onAbort = (): void => wait.end(false);
      const cancelTimer = this.clock.setTimer(block, () => wait.end(false), this.keepsAlive);
      signal?.addEventListener('abort', onAbort);
      this.#waits.add(wait);
    });
  }

  /** Wakes all. */
  wake(): void {
    for (const wait of this.#waits) {
      wait.end(true);
    }
  }

  /** Ends the waits of a handle. */
  leave(owner: object): void {
    for (const wait of this.#waits) {
      if (wait.owner === owner) {
        wait.end(false);
      }
    }
  }
}
