import type {
  OnApplicationBootstrap,
  OnApplicationShutdown,
  OnModuleDestroy,
  OnModuleInit,
} from '@nestjs/common';
import { Logger } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';

import { LaneConfigError } from '../errors/lane-config.error';
import type { HandlerFactory } from '../handlers/handler-factory';
import { beforeDestroyHooks } from '../nest-internals/destroy-hooks';
import { afterLastBootstrapHook } from '../nest-internals/last-bootstrap-hook';
import type { WorkerPlan, WorkerPlanner } from '../planning/worker.planner';
import type { LaneConnection, LaneRegistry } from './lane.registry';
import { QueueWorker } from './queue-worker';

interface Planned {
  readonly plan: WorkerPlan;
  readonly connection: LaneConnection;
}

/**
 * Starts and stops the workers of the application.
 *
 * - init: everything is checked; no job is taken
 * - after the last bootstrap hook: workers start
 * - before the first destroy hook of anybody: workers drain, once for all hooks, while everything that handlers
 *   need is still there; queues stay open, since handlers that end may add jobs
 * - shutdown: queues close
 *
 * @internal
 */
export class WorkerOrchestrator
  implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown
{
  readonly #logger = new Logger('LaneModule');
  #planned: Planned[] = [];
  #workers: QueueWorker[] = [];
  #startsInOwnHook = false;
  #draining: Promise<void> | undefined;

  constructor(
    private readonly modules: ModulesContainer,
    private readonly registry: LaneRegistry,
    private readonly planner: WorkerPlanner,
    private readonly handlers: HandlerFactory,
  ) {}

  /** @throws LaneConfigError with everything that is wrong */
  async onModuleInit(): Promise<void> {
    const { workers, problems, warnings } = this.planner.plan();
    if (problems.length > 0) {
      await this.registry.close();
      throw new LaneConfigError(problems);
    }
    warnings.forEach((warning) => this.#logger.warn(warning));
    this.#planned = await Promise.all(
      workers.map(async (plan) => ({
        plan,
        connection: (await this.registry.connection(plan.connection))!,
      })),
    );
    this.registry.checkLateRegistrations(() => this.#checkLateRegistrations());
    this.#startsInOwnHook = !afterLastBootstrapHook(this.modules, () => this.#start());
  }

  onApplicationBootstrap(): void {
    if (this.#startsInOwnHook) {
      this.#start();
    }
  }

  async onModuleDestroy(): Promise<void> {
    await this.#drain();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.registry.close();
  }

  #start(): void {
    if (this.#draining !== undefined) {
      return;
    }
    this.#workers = this.#planned.map(
      ({ plan, connection }) =>
        new QueueWorker(plan, connection, (handler) => this.handlers.create(handler), this.#logger),
    );
    if (this.#workers.length > 0) {
      this.#drainBeforeDestroyHooks();
    }
    this.#workers.forEach((worker) => worker.start());
  }

  #drainBeforeDestroyHooks(): void {
    const frozen = beforeDestroyHooks(this.modules, () => this.#drain());
    if (frozen.length > 0) {
      this.#logger.warn(
        `onModuleDestroy of ${frozen.join(', ')} may run before jobs have ended: the object cannot be changed.`,
      );
    }
  }

  #drain(): Promise<void> {
    this.#draining ??= Promise.all(this.#workers.map((worker) => worker.stop())).then(() => undefined);
    return this.#draining;
  }

  #checkLateRegistrations(): void {
    const problems = this.planner.checkLateRegistrations();
    if (problems.length > 0) {
      throw new LaneConfigError(problems);
    }
  }
}
