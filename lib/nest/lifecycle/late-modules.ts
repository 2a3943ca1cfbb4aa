import { Logger } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';

import { DrainingError } from '../errors/draining.error';
import { InvalidModuleRefError } from '../errors/invalid-module-ref.error';
import { LaneConfigError } from '../errors/lane-config.error';
import { NotStartedError } from '../errors/not-started.error';
import { reachableModules } from '../nest-internals/reachable-modules';
import type { QueueListeners } from '../listeners/queue-listeners';
import type { WorkerPlan, WorkerPlanner } from '../planning/worker.planner';
import type { LaneResources } from './lane-resources';
import type { LaneStates } from './lane-states';
import type { OwnStart } from './own-start';
import type { WorkerPool } from './worker-pool';

/** Milliseconds in which whoever loads a module has registered it. */
const REGISTERED_WITHIN = 2_000;

const CALL = 'LaneRunner.register()';

/**
 * Sees to modules that are loaded while the application runs.
 *
 * @internal
 */
export class LateModules {
  readonly #logger = new Logger('LaneModule');
  #reminder: NodeJS.Timeout | undefined;

  constructor(
    private readonly modules: ModulesContainer,
    private readonly resources: LaneResources,
    private readonly planner: WorkerPlanner,
    private readonly pool: WorkerPool,
    private readonly ownStart: OwnStart,
    private readonly states: LaneStates,
    private readonly listeners: QueueListeners,
  ) {}

  /** Has every queue that modules register from now on checked at once, since the check of the start is over. */
  watch(): void {
    this.resources.checkLateRegistrations(() => {
      const problems = this.planner.checkLateRegistrations();
      if (problems.length > 0) {
        throw new LaneConfigError(problems);
      }
      clearTimeout(this.#reminder);
      this.#reminder = setTimeout(() => this.#remind(), REGISTERED_WITHIN).unref();
    });
  }

  /** Reminds nobody any more. */
  stop(): void {
    clearTimeout(this.#reminder);
  }

  /**
   * Starts what the processors of a module and of those it imports handle, as the start would have done.
   *
   * @throws NotStartedError, DrainingError, InvalidModuleRefError, LaneConfigError
   */
  async register(moduleRef: unknown): Promise<void> {
    if (!this.pool.isOpen) {
      throw new NotStartedError(CALL);
    }
    if (this.states.isEnding) {
      throw new DrainingError(CALL);
    }
    const reachable = reachableModules(this.modules, moduleRef);
    if (reachable === undefined) {
      throw new InvalidModuleRefError(moduleRef);
    }
    const { workers, listeners, problems, warnings } = this.planner.planLate(
      reachable,
      (queue, connection) => this.pool.find(queue, connection)?.plan,
    );
    if (problems.length > 0) {
      throw new LaneConfigError(problems, `${CALL} was refused`);
    }
    warnings.forEach((warning) => this.#logger.warn(warning));
    listeners.forEach((plan) =>
      this.listeners.addLate(plan, this.resources.find(plan.queue, plan.connection)!),
    );
    await Promise.all(workers.map((plan) => this.#takeOver(plan)));
  }

  async #takeOver(plan: WorkerPlan): Promise<void> {
    const worker = this.pool.find(plan.queue, plan.connection);
    if (worker !== undefined) {
      await this.pool.extend(worker, plan);
      return;
    }
    const added = this.pool.add(plan, (await this.resources.connection(plan.connection))!);
    if (added !== undefined && this.ownStart.hasBegun(plan.connection) && !this.states.isEnding) {
      await added.start();
    }
  }

  #remind(): void {
    this.planner.takeUnregistered().forEach((warning) => this.#logger.warn(warning));
  }
}
