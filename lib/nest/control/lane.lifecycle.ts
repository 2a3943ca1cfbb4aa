import type { Observable } from 'rxjs';

import type { LaneState, LaneStates } from '../lifecycle/lane-states';
import type { WorkerOrchestrator } from '../lifecycle/worker.orchestrator';

/**
 * Tells how far the application is, and drains it early. It can be injected wherever `LaneModule.forRoot` is imported.
 *
 * @example
 * ```ts
 * @Post('pre-stop')
 * preStop() {
 *   return this.lifecycle.drain();
 * }
 * ```
 *
 * @public
 */
export class LaneLifecycle {
  readonly #states: LaneStates;
  readonly #orchestrator: WorkerOrchestrator;

  /** @internal */
  constructor(states: LaneStates, orchestrator: WorkerOrchestrator) {
    this.#states = states;
    this.#orchestrator = orchestrator;
  }

  /** How far the application is. */
  get state(): LaneState {
    return this.#states.state;
  }

  /** How far the application is: now, and whenever it changes. Completes when it is closed, never errors. */
  get state$(): Observable<LaneState> {
    return this.#states.state$;
  }

  /**
   * Does the first part of a close: no worker takes jobs any more or starts again, those that run may end, and what still
   * runs when the times of `shutdown` are over is handed back. Jobs can be added until the application is closed, which
   * then has nothing to wait for. Safe to call twice, and before the start; never rejects.
   *
   * @returns resolves when no job runs any more
   */
  drain(): Promise<void> {
    return this.#orchestrator.drain();
  }
}
