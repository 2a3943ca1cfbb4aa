import type { Observable, Subscription } from 'rxjs';

import type { Clock } from '../../contract/clock';
import type { JobRecord } from '../../model/job-record';
import type { EventGap, QueueEvent } from '../../model/queue-event';
import { endsWithin } from '../runtime/wait';
import { parseOrText } from './queue-event-codec';
import { nextTurn } from '../runtime/next-turn';

/**
 * How a job came to its end. `gone`: the queue does not hold it (any more).
 *
 * @internal
 */
export type JobEnd =
  | { readonly kind: 'completed'; readonly returnvalue: unknown }
  | { readonly kind: 'failed'; readonly reason: string; readonly code: string | undefined }
  | { readonly kind: 'gone' };

/**
 * Who wants to know what becomes of one job. After `onEnd` or `onClose` it is told nothing more.
 *
 * @internal
 */
export interface JobWatcher {
  /** Told once, what was stored of the job when the watch began, unless it has ended before that was read. */
  onRecord?(record: JobRecord | null): void;
  onProgress?(progress: unknown): void;
  onEnd(end: JobEnd): void;
  /** There will be no more news. */
  onClose(): void;
}

/**
 * Where a watch has its knowledge from.
 *
 * @internal
 */
export interface JobNews {
  readonly clock: Clock;
  /** Completes when there will be no more news. */
  readonly events$: Observable<QueueEvent | EventGap>;
  /** Reads what is stored, once events that are written from then on are sure to be told. */
  fetchRecords(ids: readonly string[]): Promise<(JobRecord | null)[]>;
  /** Resolves once every event was told that had been written when it was called. */
  caughtUp(): Promise<void>;
}

/** Milliseconds between two looks at all watched jobs: some ways to remove a job write no event of it. */
const LOOK_INTERVAL = 10_000;

/** Milliseconds until a look that failed is taken again. */
const PAUSE_AFTER_ERROR = 1_000;

/** Milliseconds for which events that were written before a job was gone are waited for. */
const PATIENCE = 2_000;

/** Ends that are kept for jobs whose ids are known later; of more, the oldest are read from the store, as far as it has them. */
const MOST_EARLY_ENDS = 10_000;

/** Jobs that are read with one call. */
const PORTION = 1_000;

/**
 * Follows single jobs to their ends, any number of them by one stream of events. It listens first and reads then, so
 * that no end is lost between the two; and reads again where events may be missing.
 *
 * @internal
 */
export class JobWatch {
  readonly #watchers = new Map<string, Set<JobWatcher>>();
  /** Those that have not been told what is stored. */
  readonly #fresh = new Set<JobWatcher>();
  /** Those whose job has failed, before they are told. */
  readonly #failing = new Set<JobWatcher>();
  /** How many jobs are expected. */
  #expected = 0;
  /** Ends that were told while jobs are expected, by job. */
  readonly #earlyEnds = new Map<string, QueueEvent>();
  #listening: Subscription | undefined;
  #cancelLook: (() => void) | undefined;
  #isLooking = false;
  #isAskedAgain = false;
  #isScheduled = false;

  constructor(private readonly news: JobNews) {}

  /**
   * Listens for a job that is about to be added: if it has ended when its watch begins, it is told how, also where nothing
   * is kept of it.
   *
   * @returns to be called once, when its watch has begun or it was not added
   */
  expect(): () => void {
    this.#expected += 1;
    this.#listen();
    return () => {
      this.#expected -= 1;
      if (this.#expected === 0) {
        this.#earlyEnds.clear();
        this.#endWhenIdle();
      }
    };
  }

  /**
   * Begins to watch a job.
   *
   * @returns ends the watch
   */
  watch(id: string, watcher: JobWatcher): () => void {
    const others = this.#watchers.get(id) ?? new Set();
    others.add(watcher);
    this.#watchers.set(id, others);
    this.#fresh.add(watcher);
    this.#listen();
    const early = this.#earlyEnds.get(id);
    if (early !== undefined) {
      queueMicrotask(() => this.#hear(early));
    }
    // All that begin in one turn of the event loop are looked at together.
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      nextTurn(() => {
        this.#isScheduled = false;
        this.#look();
      });
    }
    return () => {
      this.#failing.delete(watcher);
      this.#forget(id, watcher);
    };
  }

  #listen(): void {
    if (this.#listening === undefined) {
      const listening = this.news.events$.subscribe({
        next: (event) => this.#hear(event),
        complete: () => this.#end((watcher) => watcher.onClose()),
      });
      // What is closed already has completed at once.
      this.#listening = listening.closed ? undefined : listening;
    }
  }

  #hear(event: QueueEvent | EventGap): void {
    if (this.#expected > 0) {
      this.#keepEnd(event);
    }
    if (event.type === 'progress') {
      this.#watchers.get(event.jobId)?.forEach((watcher) => watcher.onProgress?.(event.data));
    } else if (event.type === 'completed') {
      this.#finish(event.jobId, { kind: 'completed', returnvalue: event.returnvalue });
    } else if (event.type === 'failed') {
      if (this.#watchers.has(event.jobId)) {
        void this.#fail(event.jobId, event.failedReason);
      }
    } else if (event.type === 'removed') {
      this.#finish(event.jobId, { kind: 'gone' });
    } else if (event.type === 'gap' || event.type === 'cleaned') {
      this.#look();
    }
  }

  #keepEnd(event: QueueEvent | EventGap): void {
    if (event.type === 'added') {
      // An id may be used again.
      this.#earlyEnds.delete(event.jobId);
    } else if (event.type === 'completed' || event.type === 'failed' || event.type === 'removed') {
      if (!this.#earlyEnds.has(event.jobId)) {
        this.#earlyEnds.set(event.jobId, event);
      }
      if (this.#earlyEnds.size > MOST_EARLY_ENDS) {
        this.#earlyEnds.delete(this.#earlyEnds.keys().next().value!);
      }
    }
  }

  /** The event has no code, the job has, if it is still there. */
  async #fail(id: string, reason: string): Promise<void> {
    const watchers = [...(this.#watchers.get(id) ?? [])];
    for (const watcher of watchers) {
      // From here on nothing else is their end, such as that the job is not there.
      this.#forget(id, watcher);
      this.#failing.add(watcher);
    }
    let code: string | undefined;
    try {
      const [record] = await this.news.fetchRecords([id]);
      code = (record?.failedReason === reason ? record.failedCode : null) ?? undefined;
    } catch {
      // It is told without.
    }
    for (const watcher of watchers) {
      if (this.#failing.delete(watcher)) {
        watcher.onEnd({ kind: 'failed', reason, code });
      }
    }
  }

  #finish(id: string, end: JobEnd): void {
    for (const watcher of this.#watchers.get(id) ?? []) {
      this.#tell(id, watcher, end);
    }
  }

  #tell(id: string, watcher: JobWatcher, end: JobEnd): void {
    if (this.#watchers.get(id)?.has(watcher) === true) {
      this.#forget(id, watcher);
      watcher.onEnd(end);
    }
  }

  #forget(id: string, watcher: JobWatcher): void {
    this.#fresh.delete(watcher);
    const others = this.#watchers.get(id);
    if (others?.delete(watcher) === true && others.size === 0) {
      this.#watchers.delete(id);
    }
    this.#endWhenIdle();
  }

  #endWhenIdle(): void {
    if (this.#watchers.size === 0 && this.#expected === 0) {
      this.#end(() => undefined);
    }
  }

  #end(tell: (watcher: JobWatcher) => void): void {
    const left = [...this.#watchers.values()].flatMap((watchers) => [...watchers]);
    this.#watchers.clear();
    this.#fresh.clear();
    this.#cancelLook?.();
    this.#cancelLook = undefined;
    this.#listening?.unsubscribe();
    this.#listening = undefined;
    left.forEach(tell);
  }

  /** Reads what is stored of all jobs, one look at a time. */
  #look(): void {
    if (this.#isLooking) {
      this.#isAskedAgain = true;
      return;
    }
    this.#cancelLook?.();
    this.#cancelLook = undefined;
    this.#isLooking = true;
    void this.#lookAtAll().then((pause) => {
      this.#isLooking = false;
      if (this.#watchers.size === 0) {
        return;
      }
      if (this.#isAskedAgain) {
        this.#isAskedAgain = false;
        this.#look();
      } else {
        this.#cancelLook = this.news.clock.setTimer(pause, () => this.#look(), false);
      }
    });
  }

  /** @returns milliseconds until the next look */
  async #lookAtAll(): Promise<number> {
    const ids = [...this.#watchers.keys()];
    const watched = new Map(ids.map((id) => [id, [...this.#watchers.get(id)!]]));
    try {
      for (let first = 0; first < ids.length; first += PORTION) {
        const portion = ids.slice(first, first + PORTION).filter((id) => this.#watchers.has(id));
        const records = await this.news.fetchRecords(portion);
        if (records.includes(null)) {
          // A job that has ended and was not kept has its event on the way.
          await endsWithin(this.news.clock, this.news.caughtUp(), PATIENCE);
        }
        portion.forEach((id, index) => this.#take(id, records[index]!, watched.get(id)!));
      }
      return LOOK_INTERVAL;
    } catch {
      // What was is unknown, what comes is not: the events go on.
      return PAUSE_AFTER_ERROR;
    }
  }

  #take(id: string, record: JobRecord | null, watchers: readonly JobWatcher[]): void {
    for (const watcher of watchers) {
      if (this.#fresh.delete(watcher)) {
        watcher.onRecord?.(record);
      }
      const end = endOf(record);
      if (end !== undefined) {
        this.#tell(id, watcher, end);
      }
    }
  }
}

/**
 * How a job came to its end, by what is stored of it; `undefined` before its end.
 *
 * @internal
 */
export function endOf(record: JobRecord | null): JobEnd | undefined {
  if (record === null) {
    return { kind: 'gone' };
  }
  if (record.state === 'completed') {
    return { kind: 'completed', returnvalue: parseOrText(record.returnValue ?? 'null') };
  }
  return record.state === 'failed'
    ? { kind: 'failed', reason: record.failedReason ?? '', code: record.failedCode ?? undefined }
    : undefined;
}
