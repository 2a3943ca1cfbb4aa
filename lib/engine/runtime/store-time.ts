import type { Clock } from '../../contract/clock';
import type { QueueBackend } from '../../contract/queue-backend';

/**
 * The store's time, known from its replies: deadlines of calls are in store time, and the machine's own clock may
 * be off.
 *
 * @internal
 */
export class StoreTime {
  #offset: number | undefined;
  #asking: Promise<void> | undefined;

  constructor(
    private readonly backend: QueueBackend,
    private readonly clock: Clock,
  ) {}

  /** Asks the store once; later replies keep the answer fresh. */
  async known(): Promise<void> {
    if (this.#offset === undefined) {
      this.#asking ??= this.backend
        .time()
        .then((now) => this.observe(now))
        .finally(() => (this.#asking = undefined));
      await this.#asking;
    }
  }

  /** Whether the store was asked already. */
  get isKnown(): boolean {
    return this.#offset !== undefined;
  }

  /** Takes in the store time of a reply that just came. */
  observe(storeNow: number): void {
    this.#offset = storeNow - this.clock.now();
  }

  /** Store time now. */
  now(): number {
    return this.clock.now() + (this.#offset ?? 0);
  }
}
