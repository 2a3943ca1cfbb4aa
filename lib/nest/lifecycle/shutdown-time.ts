import type { ResolvedShutdownOptions } from '../../model/worker-options';

/**
 * Of `shutdown.close`, what is kept for the listeners, and again for the queues, however long those before them take: a
 * server that does not answer the workers of one connection leaves the others time to end well.
 */
const KEPT = 1 / 6;

/**
 * What a shutdown may still take. Its phases share one bound, `drain`, `abort` and `close` together: what one of them does
 * not use is there for the next, and none waits longer than is left. Where connections have bounds of their own, the
 * longest sum counts. What passes between the phases, such as the destroy hooks of others, is not ours to bound, nor
 * counted.
 *
 * @internal
 */
export class ShutdownTime {
  #spent = 0;

  /** @param bounds - those of the connections that there are */
  constructor(private readonly bounds: () => readonly ResolvedShutdownOptions[]) {}

  /** Milliseconds in which a worker has ended. */
  static ofWorker(bounds: ResolvedShutdownOptions): number {
    return sum(bounds) - 2 * KEPT * bounds.close;
  }

  /** Runs a phase; what it takes is spent. */
  async spend(phase: () => Promise<void>): Promise<void> {
    const begun = performance.now();
    await phase();
    this.#spent += performance.now() - begun;
  }

  /** Milliseconds that are left to listeners. */
  get ofListeners(): number {
    const longest = Math.max(0, ...this.bounds().map(({ close }) => close));
    return Math.min(
      longest,
      this.#left((bounds) => sum(bounds) - KEPT * bounds.close),
    );
  }

  /** Milliseconds that are left to queues. */
  get ofQueues(): number {
    return this.#left(sum);
  }

  #left(until: (bounds: ResolvedShutdownOptions) => number): number {
    return Math.max(0, ...this.bounds().map((bounds) => until(bounds) - this.#spent));
  }
}

function sum({ drain, abort, close }: ResolvedShutdownOptions): number {
  return drain + abort + close;
}
