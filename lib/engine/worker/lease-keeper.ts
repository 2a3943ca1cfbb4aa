import type { Clock } from '../../contract/clock';
import type { CancelNotice } from '../../contract/job-cancelling';
import { MAX_BATCH } from '../../contract/mutating-call';
import { LeaseLostError } from '../../model/errors/lease-lost.error';
import type { ResolvedWorkerOptions } from '../../model/worker-options';
import type { OpenConnection } from '../runtime/queue-connection';
import { Service } from '../runtime/service';
import type { ActiveJob } from './active-job';

/**
 * What lease keeping tells the worker.
 *
 * @internal
 */
export interface LeaseKeeperListener {
  onRenewed(jobIds: string[]): void;
  onRenewalFailed(jobIds: string[]): void;
  /** A job in the worker's hands was cancelled. */
  onCancel(notice: CancelNotice): void;
  onError(error: unknown): void;
}

/**
 * Renews the leases of the jobs in a worker's hands until their outcomes are written; a job whose lease is lost has its
 * signal aborted at once.
 *
 * @internal
 */
export class LeaseKeeper extends Service {
  readonly #held = new Map<string, ActiveJob>();
  readonly #stopped = new AbortController();
  #cancelTimer: (() => void) | undefined;
  #renewing: Promise<void> = Promise.resolve();

  constructor(
    private readonly connection: OpenConnection,
    private readonly queueName: string,
    private readonly clock: Clock,
    private readonly options: Pick<
      ResolvedWorkerOptions,
      'lockDuration' | 'lockRenewTime' | 'skipLockRenewal'
    >,
    private readonly listener: LeaseKeeperListener,
  ) {
    super();
  }

  /** Takes a claimed job into care. */
  track(active: ActiveJob): void {
    this.#held.set(active.id, active);
  }

  /** Its outcome is written, or its lease is lost. */
  release(active: ActiveJob): void {
    if (this.#held.get(active.id) === active) {
      this.#held.delete(active.id);
    }
  }

  protected onStart(): void {
    if (!this.options.skipLockRenewal) {
      this.#schedule();
    }
  }

  protected async onStop(): Promise<void> {
    this.#stopped.abort();
    this.#cancelTimer?.();
    await this.#renewing;
  }

  #schedule(): void {
    this.#cancelTimer = this.clock.setTimer(
      this.options.lockRenewTime,
      () => {
        this.#renewing = this.#renewAll().finally(() => {
          if (this.isStarted) {
            this.#schedule();
          }
        });
      },
      false,
    );
  }

  async #renewAll(): Promise<void> {
    const held = [...this.#held.values()];
    for (let from = 0; from < held.length; from += MAX_BATCH) {
      try {
        await this.#renew(held.slice(from, from + MAX_BATCH));
      } catch (error) {
        if (!this.#stopped.signal.aborted) {
          this.listener.onError(error);
        }
      }
    }
  }

  async #renew(actives: readonly ActiveJob[]): Promise<void> {
    const { control, backend } = this.connection;
    const leaseDuration = this.options.lockDuration;
    const { refusals, cancels } = await control.call(
      {
        name: 'renewLeases',
        validFor: leaseDuration / 3,
        reissue: 'once',
        signal: this.#stopped.signal,
      },
      (call) => backend.renewLeases({ leases: actives, leaseDuration }, call),
    );
    cancels.forEach((notice) => this.listener.onCancel(notice));
    // A job whose outcome was written meanwhile has no lease to lose, and one that moves itself may have given it up.
    const lost = actives.filter(
      (active, index) =>
        refusals[index] !== null && this.#held.get(active.id) === active && active.leaving === undefined,
    );
    for (const active of lost) {
      this.release(active);
      active.abort(new LeaseLostError(active.id, this.queueName));
    }
    if (lost.length > 0) {
      this.listener.onRenewalFailed(lost.map((active) => active.id));
    }
    const renewed = actives.filter((_, index) => refusals[index] === null).map((active) => active.id);
    if (renewed.length > 0) {
      this.listener.onRenewed(renewed);
    }
  }
}
