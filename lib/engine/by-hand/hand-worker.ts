import type { ResolvedWorkerOptions } from '../../model/worker-options';
import { resolveWorkerOptions } from '../../model/worker-options';
import type { Job } from '../job';
import type { StrategyOptions } from '../worker/backoff-strategy';

/**
 * On what terms jobs are fetched and ended by hand, and who is told.
 *
 * @internal
 */
export interface HandWorker {
  readonly options: Pick<
    ResolvedWorkerOptions,
    'name' | 'lockDuration' | 'limiter' | 'runRetryDelay' | 'maxDataPoints' | keyof StrategyOptions
  >;
  /** A job was fetched. */
  onActive?(job: Job): void;
  /** A job that must not run any more was failed in place of being fetched. */
  onFailed?(job: Job, error: Error): void;
  /** Nothing (more) was there to fetch. */
  onDrained?(): void;
  /** A job is about to be moved by whoever has it; resolves with whether it was, and never rejects. */
  onMoving?(job: Job, hasLeft: Promise<boolean>): void;
}

/**
 * Who fetches and ends jobs by hand that came from a `Queue`.
 *
 * @internal
 */
export const HAND_WORKER_OF_QUEUES: HandWorker = { options: resolveWorkerOptions({}, 'Queue') };
