import type { RateLimit } from '../model/rate-limit';
import type { CancelNotice } from './job-cancelling';

/**
 * How long to wait for work.
 *
 * @public
 */
export interface WaitForWorkRequest {
  /** Longest wait in milliseconds, above 0. */
  readonly block: number;
  /** Ends the wait. */
  readonly signal: AbortSignal;
  /**
   * The last claim was `limited`: only the end of the limit is waited for, before its time, and not that jobs are
   * added. The `limiter` is that of the claims. Default: the wait is for work.
   */
  readonly limited?: { readonly limiter?: RateLimit };
  /** No job is wanted just now: what is waited for is only what `onCancel` is told. Default `false`. */
  readonly busy?: boolean;
  /**
   * Told, while the wait lasts, of jobs that were cancelled in the hands of this handle, also of those that were
   * shortly before it. Such news may get lost; `renewLeases` tells them as well.
   */
  readonly onCancel?: (notice: CancelNotice) => void;
}

/**
 * Waiting until a claim is worth a try.
 *
 * @public
 */
export interface WorkSignal {
  /**
   * Resolves `true` when work may be ready (jobs were added or came due, the queue was resumed, a job was
   * abandoned or handed back, another worker saw more than it took, a ceiling was raised or a limit lifted), `false` when the time is over or the signal
   * was aborted, always for `busy`. A wake-up may be in vain; work that is ready never goes unnoticed.
   */
  waitForWork(request: WaitForWorkRequest): Promise<boolean>;
}
