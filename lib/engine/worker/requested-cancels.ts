import type { CancelNotice } from '../../contract/job-cancelling';
import { MAX_BATCH } from '../../contract/mutating-call';
import type { JobRecord } from '../../model/job-record';
import type { ActiveJob } from './active-job';
import { cancelOf } from './job-outcome';

/** Notices that are kept of jobs that are not in hand: two claims may be on their way. */
const MOST_EARLY = 2 * MAX_BATCH;

/**
 * Cancels that were requested in the queue for jobs of one worker: brings them to their jobs, whether these are in hand,
 * on their way, or have been noted as cancelled when they come.
 *
 * @internal
 */
export class RequestedCancels {
  /** Notices of jobs that were not in hand, by their leases: the claim that brings one may not have been answered. */
  readonly #early = new Map<string, CancelNotice>();
  readonly #held = new Set<ActiveJob>();

  constructor(private readonly queueName: string) {}

  /** @param actives - jobs in hand */
  take(notice: CancelNotice, actives: Iterable<ActiveJob>): void {
    for (const active of actives) {
      if (active.id === notice.id && active.token === notice.token) {
        const error = cancelOf({ id: notice.id, cancelReason: notice.reason }, this.queueName)!;
        active.requestCancel(error, !this.#held.has(active));
        return;
      }
    }
    this.#early.set(keyOf(notice), notice);
    if (this.#early.size > MOST_EARLY) {
      this.#early.delete(this.#early.keys().next().value!);
    }
  }

  /** A job comes in hand. Its handler is not run. */
  find(active: ActiveJob, { cancelReason }: Pick<JobRecord, 'cancelReason'>): void {
    let reason = cancelReason;
    if (this.#early.size > 0) {
      const key = keyOf(active);
      reason ??= this.#early.get(key)?.reason ?? null;
      this.#early.delete(key);
    }
    const error = cancelOf({ id: active.id, cancelReason: reason }, this.queueName);
    if (error !== undefined) {
      active.requestCancel(error, false);
    }
  }

  /** The signal of a job is used for something else than its handler until it is released. */
  hold(active: ActiveJob): void {
    this.#held.add(active);
  }

  release(active: ActiveJob): void {
    this.#held.delete(active);
  }
}

function keyOf({ id, token }: { readonly id: string; readonly token: string }): string {
  return `${token} ${id}`;
}
