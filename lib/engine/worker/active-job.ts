import type { JobCancelledError } from '../../model/errors/job-cancelled.error';
import type { Clock } from '../../contract/clock';
import type { JobTimeoutError } from '../../model/errors/job-timeout.error';
import type { Job } from '../job';
import type { FinishedJob } from './job-executor';

/**
 * Whoever runs a job, as the job that is run sees it.
 *
 * @internal
 */
export interface RunHost {
  /** @param ofHandler - the time limit of the handler, if it has one */
  begin(active: ActiveJob, ofHandler: number | undefined): void;
}

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
  /** Who runs it. */
  host: RunHost | undefined;
  /** To be called when the run is over. */
  finished: ((finished: FinishedJob | undefined) => void) | undefined;
  /** It took too long: its handler is told to end. */
  overrun: JobTimeoutError | undefined;
  #cancelTimer: (() => void) | undefined;
  #isAbandoned = false;
  #onAbandoned: (() => void) | undefined;
  #settleNow: (() => void) | undefined;

  constructor(
    readonly job: Job,
    readonly token: string,
    readonly deferredFailure: string | null,
  ) {}

  get id(): string {
    return this.job.id;
  }

  /**
   * Aborted when the lease is lost, the worker closes, the job takes too long or somebody cancels it. Made on first use,
   * since most handlers take none.
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

  /** See `JobRun`. */
  get hasToEnd(): boolean {
    return this.#signalReason !== undefined;
  }

  /** See `JobRun`. */
  begin(timeout?: number): void {
    this.host?.begin(this, timeout);
  }

  /** See `JobRun`. */
  onAbandoned(listener: () => void): void {
    this.#onAbandoned = listener;
  }

  /** Whether the run is over though the handler has not ended. */
  get isAbandoned(): boolean {
    return this.#isAbandoned;
  }

  /** Ends the run, whether the handler ends or not. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#onAbandoned?.();
  }

  /** Waits for who is told of its failure for good before that is written, unless `settleNow` ends the wait. */
  untilTold(told: Promise<unknown>): Promise<void> {
    return new Promise((resolve) => {
      this.#settleNow = resolve;
      told.then(
        () => resolve(),
        () => resolve(),
      );
    });
  }

  /** @returns whether its outcome is known and comes now */
  settleNow(): boolean {
    this.#settleNow?.();
    return this.#settleNow !== undefined;
  }

  /** Calls back after a time, in place of what was to be called before; its end takes that back. */
  setTimer(clock: Clock, millis: number, callback: () => void): void {
    this.stopTimer();
    this.#cancelTimer = clock.setTimer(millis, () => {
      this.#cancelTimer = undefined;
      callback();
    });
  }

  stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
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
