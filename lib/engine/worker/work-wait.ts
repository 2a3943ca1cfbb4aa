import type { Clock } from '../../contract/clock';
import type { CancelNotice } from '../../contract/job-cancelling';
import type { WaitForWorkRequest, WorkSignal } from '../../contract/work-signal';
import type { ResolvedWorkerOptions } from '../../model/worker-options';
import { wait } from '../runtime/wait';

type Kind = 'work' | 'limit' | 'news';

/** What is told to whoever waits. */
interface WorkWaitHost {
  /** A wait for work or for the end of a limit has ended, whatever ended it. */
  onEnd(): void;
  /** No wait for news is on any more. */
  onListened(): void;
  onCancel(notice: CancelNotice): void;
  onError(error: unknown): void;
}

/**
 * Milliseconds for which a worker that waits for nothing else puts off listening for news, which are kept that long.
 * Mostly it is idle again before: then it waits for work, and to change from one wait to the other takes calls.
 */
const LISTENS_AFTER = 100;

/**
 * What a claim loop waits for when it has claimed all that there was: for work, or, where a rate limit held jobs back,
 * for the end of that limit. When its hands are full, it listens for news of jobs that are cancelled, of which every wait
 * tells. One wait at a time.
 *
 * @internal
 */
export class WorkWait {
  #limitedUntil = 0;
  #lifts = 0;
  #present: { readonly controller: AbortController; readonly kind: Kind } | undefined;
  #cancelListening: (() => void) | undefined;

  /** @param options - of the worker; `limiter` is what its claims go by */
  constructor(
    private readonly signals: WorkSignal,
    private readonly clock: Clock,
    private readonly options: Pick<
      ResolvedWorkerOptions,
      'drainDelay' | 'limiter' | 'maximumRateLimitDelay' | 'runRetryDelay'
    >,
    private readonly host: WorkWaitHost,
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
    if (this.#present?.kind === 'work') {
      this.end();
    }
  }

  /**
   * Begins a wait for work or for the end of a limit, unless there is one. One for news is ended first: then it has to be
   * called again.
   *
   * @param dueIn - milliseconds until the next delayed job is due, or `null`
   */
  begin(dueIn: number | null): void {
    this.#putOffListening();
    if (this.#present === undefined) {
      this.#wait(this.isLimited ? 'limit' : 'work', dueIn);
    } else if (this.#present.kind === 'news') {
      this.#present.controller.abort();
    }
  }

  /** Waits for news, soon, unless there is a wait. */
  listen(): void {
    if (this.#present === undefined && this.#cancelListening === undefined) {
      const begin = (): void => {
        this.#cancelListening = undefined;
        this.#wait('news', null);
      };
      this.#cancelListening = this.clock.setTimer(LISTENS_AFTER, begin, false);
    }
  }

  /** Ends the wait, unless it is one for news. */
  end(): void {
    if (this.#present?.kind !== 'news') {
      this.#present?.controller.abort();
    }
  }

  /** Ends the wait, whatever it is for. */
  stop(): void {
    this.#putOffListening();
    this.#present?.controller.abort();
  }

  #putOffListening(): void {
    this.#cancelListening?.();
    this.#cancelListening = undefined;
  }

  #wait(kind: Kind, dueIn: number | null): void {
    const controller = new AbortController();
    const { signal } = controller;
    this.#present = { controller, kind };
    const onCancel = (notice: CancelNotice): void => this.host.onCancel(notice);
    this.signals
      .waitForWork({ signal, onCancel, ...this.#termsOf(kind, dueIn) })
      .catch((error: unknown) => {
        if (signal.aborted) {
          return false;
        }
        this.host.onError(error);
        return wait(this.clock, this.options.runRetryDelay, signal);
      })
      .then(() => {
        this.#present = undefined;
        if (kind === 'news') {
          this.host.onListened();
          return;
        }
        if (kind === 'limit' && !signal.aborted) {
          this.#limitedUntil = 0;
          this.#lifts += 1;
        }
        this.host.onEnd();
      })
      .catch((error: unknown) => this.host.onError(error));
  }

  #termsOf(kind: Kind, dueIn: number | null): Omit<WaitForWorkRequest, 'signal' | 'onCancel'> {
    const { limiter, drainDelay } = this.options;
    switch (kind) {
      case 'limit': {
        const block = Math.max(1, this.#limitedUntil - this.clock.now());
        return { block, limited: limiter === undefined ? {} : { limiter } };
      }
      case 'news':
        return { block: Math.max(1, drainDelay), busy: true };
      case 'work':
        return { block: Math.max(1, Math.min(drainDelay, dueIn ?? Infinity)) };
    }
  }
}
