import type {
  BeforeApplicationShutdown,
  OnApplicationBootstrap,
  OnApplicationShutdown,
  OnModuleDestroy,
  OnModuleInit,
} from '@nestjs/common';
import { Logger } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';

import { LaneConfigError } from '../errors/lane-config.error';
import type { HandlerFactory } from '../pipeline/handler-factory';
import { guardDestroyHooks } from '../nest-internals/destroy-hooks';
import { afterLastBootstrapHook } from '../nest-internals/last-bootstrap-hook';
import { onFailedHook } from '../nest-internals/start-hooks';
import type { WorkerPlan, WorkerPlanner } from '../planning/worker.planner';
import type { LaneConnection, LaneResources } from './lane-resources';
import { QueueWorker } from './queue-worker';

/** Milliseconds in which the next phase of a close has begun, if there is one. */
const CLOSE_AFTER = 2_000;

interface Planned {
  readonly plan: WorkerPlan;
  readonly connection: LaneConnection;
}

/**
 * Starts and stops the workers of the application.
 *
 * - init: everything is checked; no job is taken
 * - after the last bootstrap hook: the servers of the connections are asked, then workers start
 * - before the first destroy hook of anybody: workers drain, once for all hooks, while everything that handlers
 *   need is still there; queues stay open, since handlers that end may add jobs
 * - shutdown: queues close
 * - a start that fails: whatever is open is closed, since Nest calls no further hook then
 *
 * @internal
 */
export class WorkerOrchestrator
  implements
    OnModuleInit,
    OnApplicationBootstrap,
    OnModuleDestroy,
    BeforeApplicationShutdown,
    OnApplicationShutdown
{
  readonly #logger = new Logger('LaneModule');
  #planned: Planned[] = [];
  #workers: QueueWorker[] = [];
  #startsInOwnHook = false;
  #unwatchStart: (() => void)[] = [];
  #givenUp: NodeJS.Timeout | undefined;
  #draining: Promise<void> | undefined;

  constructor(
    private readonly modules: ModulesContainer,
    private readonly resources: LaneResources,
    private readonly planner: WorkerPlanner,
    private readonly handlers: HandlerFactory,
  ) {}

  /** @throws LaneConfigError with everything that is wrong */
  async onModuleInit(): Promise<void> {
    const { workers, problems, warnings } = this.planner.plan();
    if (problems.length > 0) {
      await this.resources.close();
      throw new LaneConfigError(problems);
    }
    warnings.forEach((warning) => this.#logger.warn(warning));
    this.#planned = await Promise.all(
      workers.map(async (plan) => ({
        plan,
        connection: (await this.resources.connection(plan.connection))!,
      })),
    );
    this.resources.checkLateRegistrations(() => this.#checkLateRegistrations());
    this.#startsInOwnHook = !afterLastBootstrapHook(this.modules, () => this.#start());
    this.#unwatchStart = ['onModuleInit', 'onApplicationBootstrap'].map((hook) =>
      onFailedHook(this.modules, hook, () => this.#closeAll()),
    );
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.#startsInOwnHook) {
      await this.#start();
    }
  }

  async onModuleDestroy(): Promise<void> {
    await this.#drain();
  }

  beforeApplicationShutdown(): void {
    // The close goes on, so the queues are closed in their turn.
    clearTimeout(this.#givenUp);
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.#givenUp);
    await this.resources.close();
  }

  async #start(): Promise<void> {
    if (this.#draining !== undefined) {
      return;
    }
    this.#unwatchStart.forEach((unwatch) => unwatch());
    try {
      await this.resources.checkConnections();
    } catch (error) {
      await this.#closeAll();
      throw error;
    }
    // The application may have been closed meanwhile.
    if (this.#draining === undefined) {
      this.#startWorkers();
    }
  }

  #startWorkers(): void {
    this.#workers = this.#planned.map(
      ({ plan, connection }) =>
        new QueueWorker(plan, connection, (handler) => this.handlers.create(handler), this.#logger),
    );
    this.#drainBeforeDestroyHooks();
    this.#workers.forEach((worker) => worker.start());
  }

  #drainBeforeDestroyHooks(): void {
    const frozen = guardDestroyHooks(this.modules, {
      before: () => this.#drain(),
      failed: () => this.#closeUnlessGoingOn(),
    });
    if (frozen.length > 0 && this.#workers.length > 0) {
      this.#logger.warn(
        `onModuleDestroy of ${frozen.join(', ')} may run before jobs have ended: the object cannot be changed.`,
      );
    }
  }

  /**
   * After a destroy hook that has thrown, Nest 12 goes on with the close and Nest 10 and 11 do not: if it does not, nobody
   * but us closes the queues.
   */
  #closeUnlessGoingOn(): void {
    clearTimeout(this.#givenUp);
    this.#givenUp = setTimeout(() => void this.resources.close(), CLOSE_AFTER).unref();
  }

  async #closeAll(): Promise<void> {
    this.#unwatchStart.forEach((unwatch) => unwatch());
    await this.#drain();
    await this.resources.close();
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
