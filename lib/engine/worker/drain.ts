import type { Clock } from '../../contract/clock';
import type { ResolvedShutdownOptions } from '../../model/worker-options';
import { endsWithin } from '../runtime/wait';

/**
 * What an orderly close needs of the worker.
 *
 * @internal
 */
export interface Drainable {
  stopClaiming(): void;
  handlersEnded(): Promise<void>;
  /** Resolves once no job is on its way and every outcome is written. */
  outcomesWritten(): Promise<void>;
  /** Whether there is nothing to write: at most, a claim is on its way. */
  holdsNothing(): boolean;
  abortHandlers(): void;
  handBackRunning(): void;
}

/** What a claim that is on its way may take: the jobs that it brings are handed back at once, not when their leases end. */
const CLAIM_PATIENCE = 500;

/**
 * Empties a worker's hands: takes no more jobs, lets handlers finish, then tells them to stop, then hands back what
 * still runs; every outcome is written before it returns, unless the store does not answer in time. A worker whose
 * hands are empty does not wait for a store that is away.
 *
 * @param hurry - ends the time that handlers have
 * @returns whether all outcomes were written
 *
 * @internal
 */
export async function drain(
  worker: Drainable,
  clock: Clock,
  bounds: ResolvedShutdownOptions,
  hurry: AbortSignal,
): Promise<boolean> {
  worker.stopClaiming();
  if (!(await endsWithin(clock, worker.handlersEnded(), bounds.drain, hurry))) {
    worker.abortHandlers();
    if (!(await endsWithin(clock, worker.handlersEnded(), bounds.abort, hurry))) {
      worker.handBackRunning();
    }
  }
  const patience = Math.min(CLAIM_PATIENCE, bounds.close);
  if (await endsWithin(clock, worker.outcomesWritten(), patience)) {
    return true;
  }
  return !worker.holdsNothing() && endsWithin(clock, worker.outcomesWritten(), bounds.close - patience);
}
