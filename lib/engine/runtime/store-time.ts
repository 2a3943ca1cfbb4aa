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
      this.#asking ??= this.#ask().finally(() => (this.#asking = undefined));
      await this.#asking;
    }
  }

  /** Whether the store was asked already. */
  get isKnown(): boolean {
    return this.#offset !== undefined;
  }

  /**
   * Takes in the store time of a reply.
   *
   * The store was at that time some time between the sending and now, so the two clocks differ by something between
   * two bounds. A reply that came late, or was repeated, leaves them wide apart and does not spoil what is known.
   *
   * @param sentAt - time of this machine when the call was first sent
   */
  observe(storeNow: number, sentAt: number): void {
    const least = storeNow - this.clock.now();
    const most = storeNow - sentAt;
    this.#offset = Math.max(least, Math.min(most, this.#offset ?? least));
  }

  /** Has the store asked again: what is known has proved wrong, as after a jump of one of the clocks. */
  forget(): void {
    this.#offset = undefined;
  }

  /** Store time now. */
  now(): number {
    return this.clock.now() + (this.#offset ?? 0);
  }

  async #ask(): Promise<void> {
    const sentAt = this.clock.now();
    this.observe(await this.backend.time(), sentAt);
  }
}
