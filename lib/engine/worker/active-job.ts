import type { Job } from '../job';

/**
 * A job in a worker's hands, from its claim until its outcome is written.
 *
 * @internal
 */
export class ActiveJob {
  #controller: AbortController | undefined;
  #abortReason: Error | undefined;

  constructor(
    readonly job: Job,
    readonly token: string,
    readonly deferredFailure: string | null,
  ) {}

  get id(): string {
    return this.job.id;
  }

  /** Aborted when the lease is lost or the worker closes. Made on first use, since most handlers take none. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#abortReason !== undefined) {
        this.#controller.abort(this.#abortReason);
      }
    }
    return this.#controller.signal;
  }

  /** Whether `abort` was called. */
  get isAborted(): boolean {
    return this.#abortReason !== undefined;
  }

  /** Tells the handler to stop; the first reason stays. */
  abort(reason: Error): void {
    if (this.#abortReason === undefined) {
      this.#abortReason = reason;
      this.#controller?.abort(reason);
    }
  }
}
