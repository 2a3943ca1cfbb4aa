import { Observable, Subject, type Subscription } from 'rxjs';

import type { Clock } from '../../contract/clock';
import type { JobState } from '../../model/job-state';
import { asError } from '../runtime/safe-emitter';

/**
 * How many jobs are in each state.
 *
 * @public
 */
export type JobCounts = Readonly<Record<JobState, number>>;

/** Milliseconds between two looks while there are events. */
const SHORTEST = 250;

/**
 * The counts of a queue, as long as somebody wants them: looked at now and then, and soon after an event. However many
 * subscribe, the looks are shared.
 *
 * @internal
 */
export class CountsStream {
  readonly counts$: Observable<JobCounts>;
  readonly #changes = new Subject<JobCounts>();
  #last: JobCounts | undefined;
  #lookedAt = -Infinity;
  #isLooking = false;
  #hasNews = false;
  #cancelTimer: (() => void) | undefined;
  #listening: Subscription | undefined;
  #subscribers = 0;

  /** @param every - longest time between two looks, in milliseconds */
  constructor(
    private readonly source: {
      readonly clock: Clock;
      readonly events$: Observable<unknown>;
      fetchCounts(): Promise<JobCounts>;
      onError(error: Error): void;
    },
    private readonly every: number,
  ) {
    this.counts$ = new Observable((subscriber) => {
      this.#subscribers += 1;
      if (this.#last !== undefined) {
        subscriber.next(this.#last);
      }
      const subscription = this.#changes.subscribe(subscriber);
      this.#begin();
      return () => {
        subscription.unsubscribe();
        this.#subscribers -= 1;
        if (this.#subscribers === 0) {
          this.#end();
        }
      };
    });
  }

  #begin(): void {
    if (this.#listening === undefined) {
      const listening = this.source.events$.subscribe({
        next: () => this.#hearNews(),
        complete: () => {
          this.#end();
          this.#changes.complete();
        },
      });
      if (!listening.closed) {
        this.#listening = listening;
        void this.#look();
      }
    }
  }

  #end(): void {
    this.#listening?.unsubscribe();
    this.#listening = undefined;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#last = undefined;
    this.#hasNews = false;
  }

  #hearNews(): void {
    if (!this.#hasNews) {
      this.#hasNews = true;
      if (!this.#isLooking) {
        this.#plan();
      }
    }
  }

  #plan(): void {
    this.#cancelTimer?.();
    const pause = this.#hasNews ? Math.min(SHORTEST, this.every) : this.every;
    const { clock } = this.source;
    const left = Math.max(1, this.#lookedAt + pause - clock.now());
    this.#cancelTimer = clock.setTimer(left, () => void this.#look(), false);
  }

  async #look(): Promise<void> {
    if (this.#isLooking) {
      return;
    }
    this.#isLooking = true;
    this.#hasNews = false;
    this.#lookedAt = this.source.clock.now();
    try {
      const counts = await this.source.fetchCounts();
      if (this.#listening !== undefined && !isSame(counts, this.#last)) {
        this.#last = counts;
        this.#changes.next(counts);
      }
    } catch (error) {
      if (this.#listening !== undefined) {
        this.source.onError(asError(error));
      }
    }
    this.#isLooking = false;
    if (this.#listening !== undefined) {
      this.#plan();
    }
  }
}

function isSame(counts: JobCounts, last: JobCounts | undefined): boolean {
  return (
    last !== undefined && Object.entries(counts).every(([state, count]) => last[state as JobState] === count)
  );
}
