import type { Clock } from '../../contract/clock';
import type { ClaimIdle } from '../../contract/job-handover';
import type { QueueBackend } from '../../contract/queue-backend';
import type { Job } from '../job';
import type { JobGateway } from '../job-gateway';
import { endsWithin } from '../runtime/wait';

interface Waiting {
  readonly woken: Promise<unknown>;
  readonly end: AbortController;
}

/**
 * Fetches jobs for those who run them by hand, and waits for jobs where none is ready. All who wait do so together: a
 * handle waits for one thing at a time.
 *
 * @internal
 */
export class ManualFetching {
  readonly #fetches = new Set<Promise<unknown>>();
  #waiting: Waiting | undefined;
  #isClosed = false;

  /**
   * @param longestWait - milliseconds
   * @param mayWait - asked before and after a wait: whether jobs are to be had at all
   */
  constructor(
    private readonly jobs: JobGateway,
    private readonly clock: Clock,
    private readonly longestWait: number,
    private readonly mayWait: () => boolean,
  ) {}

  /** The next job, or `undefined` when none is ready, or comes while it waits. */
  next(token: string, block: boolean): Promise<Job | undefined> {
    const fetch = this.#next(token, block).finally(() => this.#fetches.delete(fetch));
    this.#fetches.add(fetch);
    return fetch;
  }

  /** Ends what waits. */
  endWaits(): void {
    this.#waiting?.end.abort();
  }

  /**
   * Ends what waits, and lets end what fetches: the job is handed back.
   *
   * @param patience - milliseconds that this may take
   */
  async close(patience: number): Promise<void> {
    this.#isClosed = true;
    this.endWaits();
    await endsWithin(this.clock, Promise.allSettled(this.#fetches), patience);
  }

  async #next(token: string, block: boolean): Promise<Job | undefined> {
    const { job, idle } = await this.jobs.fetcher.fetch(token);
    if (job !== undefined || !block || !this.mayWait()) {
      return this.#deliver(job, token);
    }
    await this.#wait(idle);
    return this.mayWait() ? this.#deliver((await this.jobs.fetcher.fetch(token)).job, token) : undefined;
  }

  async #deliver(job: Job | undefined, token: string): Promise<Job | undefined> {
    if (job !== undefined && this.#isClosed) {
      await this.jobs.fetcher.handBack([job], token);
      return undefined;
    }
    return job;
  }

  async #wait(idle: ClaimIdle | null): Promise<void> {
    if (this.#waiting === undefined) {
      const { backend } = await this.jobs.use('getNextJob');
      if (!this.mayWait()) {
        return;
      }
      this.#waiting ??= this.#begin(backend, idle);
    }
    await this.#waiting.woken;
  }

  #begin(backend: Pick<QueueBackend, 'waitForWork'>, idle: ClaimIdle | null): Waiting {
    const end = new AbortController();
    const block = Math.max(1, Math.min(this.longestWait, idle?.dueIn ?? Infinity));
    const limited = idle?.reason === 'limited' ? { limited: this.jobs.fetcher.limited } : {};
    const woken = backend
      .waitForWork({ block, signal: end.signal, ...limited })
      .finally(() => (this.#waiting = undefined));
    return { woken, end };
  }
}
