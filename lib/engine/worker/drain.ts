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
  outcomesWritten(): Promise<void>;
  abortHandlers(): void;
  handBackRunning(): void;
}

/**
 * Empties a worker's hands: takes no more jobs, lets handlers finish, then tells them to stop, then hands back what
 * still runs; every outcome is written before it returns, unless the store does not answer in time.
 *
 * @returns whether all outcomes were written
 *
 * @internal
 */
export async function drain(
  worker: Drainable,
  clock: Clock,
  bounds: ResolvedShutdownOptions,
): Promise<boolean> {
  worker.stopClaiming();
  if (!(await endsWithin(clock, worker.handlersEnded(), bounds.drain))) {
    worker.abortHandlers();
    if (!(await endsWithin(clock, worker.handlersEnded(), bounds.abort))) {
      worker.handBackRunning();
    }
  }
  return endsWithin(clock, worker.outcomesWritten(), bounds.close);
}
