import type { JobCancelledError } from '../../model/errors/job-cancelled.error';
import type { Job } from '../job';

/**
 * A job in a worker's hands, from its claim until its outcome is written.
 *
 * @internal
 */
export class ActiveJob {
  #controller: AbortController | undefined;
  #signalReason: { readonly reason: unknown } | undefined;
  #isAborted = false;

  /** Its handler moves the job; tells whether it has. */
  leaving: Promise<boolean> | undefined;
  /** Its handler has moved the job: there is no outcome to write. */
  hasLeft = false;
  #cancelled: JobCancelledError | undefined;
  #onCancelled: (() => void) | undefined;

  constructor(
    readonly job: Job,
    readonly token: string,
    readonly deferredFailure: string | null,
  ) {}

  get id(): string {
    return this.job.id;
  }

  /**
   * Aborted when the lease is lost, the worker closes or somebody cancels the job. Made on first use, since most
   * handlers take none.
   */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#signalReason !== undefined) {
        this.#controller.abort(this.#signalReason.reason);
      }
    }
    return this.#controller.signal;
  }

  /** Whether `abort` was called. */
  get isAborted(): boolean {
    return this.#isAborted;
  }

  /** Its cancel was requested in the queue: it fails for that, unless it completes. */
  get cancelled(): JobCancelledError | undefined {
    return this.#cancelled;
  }

  /** See `JobRun`. */
  onCancelled(listener: () => void): void {
    this.#onCancelled = listener;
  }

  /**
   * Notes that its cancel was requested. The first request counts.
   *
   * @param isHeard - whether its handler is told, rather than that it is not run at all
   */
  requestCancel(error: JobCancelledError, isHeard: boolean): void {
    this.#cancelled ??= error;
    if (isHeard) {
      this.cancel(this.#cancelled);
      this.#onCancelled?.();
    }
  }

  /** Tells the handler to stop: whatever it still does, its job is handed back. The first reason stays. */
  abort(reason: Error): void {
    this.#isAborted = true;
    this.cancel(reason);
  }

  /** Asks the handler to stop; what it makes of that is the job's outcome. The first reason stays. */
  cancel(reason: unknown): void {
    if (this.#signalReason === undefined) {
      this.#signalReason = { reason };
      this.#controller?.abort(reason);
    }
  }
}
