import type { Clock } from '../../contract/clock';
import { nextTurn } from './next-turn';

/**
 * When a call is given up: at its deadline, or when its signal is aborted. A store that does not answer at all would
 * be waited for without end otherwise.
 *
 * @internal
 */
export class CallEnd {
  readonly #over: Promise<void>;
  #cancelTimer: (() => void) | undefined;
  #giveUp: () => void = () => undefined;

  constructor(
    clock: Clock,
    deadline: number,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.#over = new Promise((resolve) => (this.#giveUp = resolve));
    if (signal?.aborted === true) {
      this.#giveUp();
      return;
    }
    signal?.addEventListener('abort', this.#giveUp, { once: true });
    // A reply that has come while the event loop was held up is taken in before the call is given up.
    this.#cancelTimer = clock.setTimer(deadline - clock.now(), () => nextTurn(this.#giveUp));
  }

  /** Waits for a promise; `undefined` when the end comes first. */
  async first<T extends object>(promise: Promise<T>): Promise<T | undefined> {
    return Promise.race([promise, this.#over.then(() => undefined)]);
  }

  /** To be called when the call is over: takes back the timer. */
  release(): void {
    this.#cancelTimer?.();
    this.signal?.removeEventListener('abort', this.#giveUp);
  }
}
