import type { Clock } from '../../contract/clock';
import type { Job } from '../../engine/job';
import { outcomeOf } from '../../engine/worker/outcome-values';
import { JobWarning } from '../context/job-warning';

/** Milliseconds from one write to the next. */
const INTERVAL = 200;

/**
 * Writes values of a stream as the progress of its job: one write at a time, and one in 200 ms. Of values that come
 * meanwhile the newest is written. A write that fails is told in the log, once.
 *
 * @internal
 */
export class StreamProgress {
  #newest: { readonly value: unknown } | undefined;
  #writing: Promise<void> | undefined;
  #notBefore = 0;
  #cancelTimer: (() => void) | undefined;
  #beginsSoon = false;
  readonly #warning: JobWarning;

  constructor(
    private readonly job: Job,
    private readonly clock: Clock,
  ) {
    this.#warning = new JobWarning(job, 'progress');
  }

  /**
   * Takes a value, and begins to write it if it is time.
   *
   * @returns the write that is under way, of this value or one before it; never rejects
   */
  write(value: unknown): Promise<void> | undefined {
    this.#take(value);
    return this.#begin();
  }

  /** As `write`, but what ends the stream at once, as the last values of most Observables do, comes before it. */
  writeSoon(value: unknown): void {
    this.#take(value);
    if (!this.#beginsSoon) {
      this.#beginsSoon = true;
      queueMicrotask(() => {
        this.#beginsSoon = false;
        void this.#begin();
      });
    }
  }

  /** Begins no write any more: the value that waits is the result, or of no use. */
  end(): void {
    this.#newest = undefined;
    this.#stopTimer();
  }

  #take(value: unknown): void {
    // What becomes of the job is no progress.
    if (outcomeOf(value) === undefined) {
      this.#newest = { value };
    }
  }

  #begin(): Promise<void> | undefined {
    if (this.#writing === undefined && this.#newest !== undefined) {
      const now = this.clock.now();
      // A clock that was set back makes nobody wait for longer.
      const left = Math.min(INTERVAL, this.#notBefore - now);
      if (left > 0) {
        this.#cancelTimer ??= this.clock.setTimer(left, () => {
          this.#cancelTimer = undefined;
          this.#notBefore = 0;
          void this.#begin();
        });
      } else {
        this.#stopTimer();
        this.#notBefore = now + INTERVAL;
        this.#writing = this.#store(this.#newest.value);
        this.#newest = undefined;
      }
    }
    return this.#writing;
  }

  async #store(value: unknown): Promise<void> {
    try {
      await this.job.updateProgress(value);
    } catch (error) {
      this.#warning.notWritten(error);
    }
    this.#writing = undefined;
    void this.#begin();
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}
