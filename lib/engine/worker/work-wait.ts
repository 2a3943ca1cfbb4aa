import type { Clock } from '../../contract/clock';
import type { WaitForWorkRequest, WorkSignal } from '../../contract/work-signal';
import type { ResolvedWorkerOptions } from '../../model/worker-options';
import { wait } from '../runtime/wait';

/**
 * What a claim loop waits for when it has claimed all that there was: for work, or, where a rate limit held jobs back,
 * for the end of that limit. One wait at a time.
 *
 * @internal
 */
export class WorkWait {
  #limitedUntil = 0;
  #lifts = 0;
  #present: { readonly controller: AbortController; readonly isForLimit: boolean } | undefined;

  /**
   * @param options - of the worker; `limiter` is what its claims go by
   * @param host - is told of every wait that ends, whatever ended it
   */
  constructor(
    private readonly signals: WorkSignal,
    private readonly clock: Clock,
    private readonly options: Pick<
      ResolvedWorkerOptions,
      'drainDelay' | 'limiter' | 'maximumRateLimitDelay' | 'runRetryDelay'
    >,
    private readonly host: { onEnd(): void; onError(error: unknown): void },
  ) {}

  /** Whether a rate limit lets nothing through just now, as far as is known. */
  get isLimited(): boolean {
    return this.clock.now() < this.#limitedUntil;
  }

  /** How often a limit has ended, by time or because it was lifted: what was asked for before does not tell of it. */
  get lifts(): number {
    return this.#lifts;
  }

  /** A claim was told that nothing is let through. A wait for work would take signals that others can use. */
  limitFor(millis: number): void {
    const { maximumRateLimitDelay } = this.options;
    this.#limitedUntil = this.clock.now() + Math.max(1, Math.min(millis, maximumRateLimitDelay));
    if (this.#present?.isForLimit === false) {
      this.end();
    }
  }

  /**
   * Begins a wait, unless there is one.
   *
   * @param dueIn - milliseconds until the next delayed job is due, or `null`
   */
  begin(dueIn: number | null): void {
    if (this.#present !== undefined) {
      return;
    }
    const controller = new AbortController();
    const { signal } = controller;
    const isForLimit = this.isLimited;
    this.#present = { controller, isForLimit };
    this.signals
      .waitForWork({ signal, ...this.#termsOf(isForLimit, dueIn) })
      .catch((error: unknown) => {
        if (signal.aborted) {
          return false;
        }
        this.host.onError(error);
        return wait(this.clock, this.options.runRetryDelay, signal);
      })
      .then(() => {
        this.#present = undefined;
        if (isForLimit && !signal.aborted) {
          this.#limitedUntil = 0;
          this.#lifts += 1;
        }
        this.host.onEnd();
      })
      .catch((error: unknown) => this.host.onError(error));
  }

  /** Ends the wait. */
  end(): void {
    this.#present?.controller.abort();
  }

  #termsOf(isForLimit: boolean, dueIn: number | null): Omit<WaitForWorkRequest, 'signal'> {
    const { limiter, drainDelay } = this.options;
    if (isForLimit) {
      const block = Math.max(1, this.#limitedUntil - this.clock.now());
      return { block, limited: limiter === undefined ? {} : { limiter } };
    }
    return { block: Math.max(1, Math.min(drainDelay, dueIn ?? Infinity)) };
  }
}
