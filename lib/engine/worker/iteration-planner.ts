import type { Clock } from '../../contract/clock';
import type { PatternIteration } from '../../contract/iteration-planning';
import { nextRunTime } from '../../model/policy/next-run-time';
import type { OpenConnection } from '../runtime/queue-connection';
import { wait } from '../runtime/wait';

/**
 * Plans what follows the iterations of job schedulers that a worker claims, before they run: if the worker dies while
 * one runs, the schedule goes on.
 *
 * @internal
 */
export class IterationPlanner {
  /**
   * @param leaseDuration - of the jobs, of which planning takes a third at most
   * @param pauseAfterError - milliseconds for which a job is held back whose successor the store did not take
   * @param onError - told why a schedule ends, or why a job is not run
   */
  constructor(
    private readonly connection: OpenConnection,
    private readonly clock: Clock,
    private readonly leaseDuration: number,
    private readonly pauseAfterError: number,
    private readonly onError: (error: unknown) => void,
  ) {}

  /**
   * Plans what follows an iteration.
   *
   * @param signal - ends the planning
   * @returns whether the iteration may run: what follows it is planned, or nothing ever will
   */
  async plan(iteration: PatternIteration, signal: AbortSignal): Promise<boolean> {
    const due = dueAfter(iteration, this.onError);
    if (due === null) {
      return true;
    }
    try {
      await this.#send(iteration.id, due, signal);
      return true;
    } catch (error) {
      if (!signal.aborted) {
        this.onError(error);
        // It comes back at once when it is handed back, and a store that fails would be asked without end.
        await wait(this.clock, this.pauseAfterError, signal);
      }
      return false;
    }
  }

  async #send(id: string, due: number, signal: AbortSignal): Promise<void> {
    const { control, backend } = this.connection;
    const terms = {
      name: 'planIteration',
      validFor: this.leaseDuration / 3,
      reissue: 'once',
      signal,
    } as const;
    await control.call(terms, (call) => backend.planIteration({ id, due }, call));
  }
}

/**
 * When what follows an iteration is due, or `null` when nothing does.
 *
 * @param onError - told why a schedule ends that cannot be read
 *
 * @internal
 */
export function dueAfter(iteration: PatternIteration, onError: (error: unknown) => void): number | null {
  try {
    return nextRunTime(iteration);
  } catch (error) {
    onError(error);
    return null;
  }
}
