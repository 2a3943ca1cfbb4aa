import type { Clock } from '../../contract/clock';
import type { OpenConnection } from '../runtime/queue-connection';
import { Service } from '../runtime/service';
import { wait } from '../runtime/wait';
import type { ExpiredJobs } from './expired-jobs';

/** Milliseconds that a sweep may take however often there is to be one: connections have to be made first. */
const LEAST_VALIDITY = 5_000;

/**
 * Looks for jobs whose worker is gone, at start and then once an interval, and has the store take them back; and for jobs
 * that have expired. All workers of a queue look; the store lets one look an interval for abandoned jobs count.
 *
 * @internal
 */
export class AbandonedJobRecovery extends Service {
  readonly #stopped = new AbortController();
  #loop: Promise<void> = Promise.resolve();

  constructor(
    private readonly connection: OpenConnection,
    private readonly clock: Clock,
    private readonly sweepInterval: number,
    private readonly maxStalledCount: number,
    private readonly expired: Pick<ExpiredJobs, 'fail'>,
    private readonly listener: { onRecovered(jobIds: string[]): void; onError(error: unknown): void },
  ) {
    super();
  }

  protected onStart(): void {
    this.#loop = this.#run();
  }

  protected async onStop(): Promise<void> {
    this.#stopped.abort();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      try {
        await this.#sweep();
        await this.expired.fail(signal);
      } catch (error) {
        if (!signal.aborted) {
          this.listener.onError(error);
        }
      }
      await wait(this.clock, this.sweepInterval, signal);
    }
  }

  async #sweep(): Promise<void> {
    const { control, backend } = this.connection;
    const { sweepInterval, maxStalledCount } = this;
    const terms = {
      name: 'recoverAbandonedJobs',
      validFor: Math.max(sweepInterval, LEAST_VALIDITY),
      reissue: 'once',
      signal: this.#stopped.signal,
    } as const;
    let more = true;
    while (more && !this.#stopped.signal.aborted) {
      const reply = await control.call(terms, (call) =>
        backend.recoverAbandonedJobs({ sweepInterval, maxStalledCount }, call),
      );
      if (reply.recovered.length > 0) {
        this.listener.onRecovered(reply.recovered);
      }
      more = reply.more;
    }
  }
}
