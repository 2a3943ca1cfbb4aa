import type { Observable } from 'rxjs';

import type { HealthReporter } from '../health/health-reporter';
import type { LaneReport, ReportOptions } from '../health/lane-report';
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
  readonly #health: HealthReporter;

  /** @internal */
  constructor(states: LaneStates, orchestrator: WorkerOrchestrator, health: HealthReporter) {
    this.#states = states;
    this.#orchestrator = orchestrator;
    this.#health = health;
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

  /**
   * Tells how the application is, for probes and dashboards: whether backends answer, workers do their work, and what is
   * wrong. It asks each backend once and takes no longer than `pingWithin`, whatever the backend does.
   *
   * @throws UnknownOptionError, also for a queue in `backlogAge` that the application does not have; InvalidDurationError
   */
  report(options?: ReportOptions): Promise<LaneReport> {
    return this.#health.report(options);
  }
}
