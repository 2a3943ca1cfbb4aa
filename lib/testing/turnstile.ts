/**
 * Says how many jobs workers may take.
 *
 * @internal
 */
export class Turnstile {
  #left = 0;
  #only: string | undefined;
  readonly #waiting = new Set<() => void>();

  /** @param isAlwaysOpen - lets everybody through, always */
  constructor(private readonly isAlwaysOpen: boolean) {}

  /**
   * Lets jobs through.
   *
   * @param jobs - how many
   * @param only - of which queue; default: any
   */
  open(jobs: number, only?: string): void {
    this.#left = jobs;
    this.#only = only;
    [...this.#waiting].forEach((tell) => tell());
  }

  close(): void {
    this.#left = 0;
  }

  /** How many jobs of a queue may be taken. */
  room(queue: string): number {
    if (this.isAlwaysOpen) {
      return Infinity;
    }
    return this.#only === undefined || this.#only === queue ? this.#left : 0;
  }

  take(jobs: number): void {
    this.#left -= jobs;
  }

  /** Has a listener called when it is opened. */
  onOpen(listener: () => void): () => void {
    this.#waiting.add(listener);
    return () => this.#waiting.delete(listener);
  }
}
