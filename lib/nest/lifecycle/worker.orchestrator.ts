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
import { nothingToWorkOn, worksElsewhere } from '../messages/worker.messages';
import type { QueueListeners } from '../listeners/queue-listeners';
import { guardDestroyHooks } from '../nest-internals/destroy-hooks';
import { afterLastBootstrapHook } from '../nest-internals/last-bootstrap-hook';
import { onFailedHook } from '../nest-internals/start-hooks';
import type { ModuleEnhancers } from '../pipeline/module-enhancers';
import type { WorkerPlanner } from '../planning/worker.planner';
import type { LaneResources } from './lane-resources';
import type { LateModules } from './late-modules';
import type { LaneStates } from './lane-states';
import type { OwnStart } from './own-start';
import type { QueueCeilings } from './queue-ceilings';
import { checkShutdownHooks } from './shutdown-hooks-check';
import { ShutdownTime } from './shutdown-time';
import type { WorkerPool } from './worker-pool';

/** Milliseconds in which the next phase of a close has begun, if there is one. */
const CLOSE_AFTER = 2_000;

/**
 * Starts and stops the application's part of ours, at the hooks of Nest.
 *
 * - init: everything is checked; no job is taken
 * - after the last bootstrap hook: the servers of the connections are asked, then listeners begin to hear, then
 *   workers start
 * - before the first destroy hook of anybody: workers drain and listeners end, once for all hooks, while everything that handlers
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
  readonly #time = new ShutdownTime(() =>
    this.resources.connections.map(({ registration }) => registration.shutdown),
  );
  #startsInOwnHook = false;
  #unwatchStart: (() => void)[] = [];
  #givenUp: NodeJS.Timeout | undefined;
  #callOffCheck: (() => void) | undefined;
  #draining: Promise<void> | undefined;

  constructor(
    private readonly modules: ModulesContainer,
    private readonly resources: LaneResources,
    private readonly planner: WorkerPlanner,
    private readonly enhancers: ModuleEnhancers,
    private readonly pool: WorkerPool,
    private readonly ownStart: OwnStart,
    private readonly lateModules: LateModules,
    private readonly ceilings: QueueCeilings,
    private readonly states: LaneStates,
    private readonly listeners: QueueListeners,
  ) {}

  /** @throws LaneConfigError with everything that is wrong */
  async onModuleInit(): Promise<void> {
    const { workers, connections, listeners, problems: found, warnings } = this.planner.plan();
    const problems = [...found, ...(await this.enhancers.prepare(connections))];
    if (problems.length > 0) {
      await this.#close();
      throw new LaneConfigError(problems);
    }
    warnings.forEach((warning) => this.#logger.warn(warning));
    for (const plan of workers) {
      this.pool.add(plan, (await this.resources.connection(plan.connection))!);
    }
    this.#tellOfRoles();
    for (const plan of listeners) {
      this.listeners.add(plan, this.resources.find(plan.queue, plan.connection)!);
    }
    this.lateModules.watch();
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
    await this.drain();
  }

  beforeApplicationShutdown(): void {
    // The close goes on, so the queues are closed in their turn.
    clearTimeout(this.#givenUp);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#close();
  }

  /** Stops all workers, for good. Never rejects, and ends within the bounds of `shutdown`. */
  drain(): Promise<void> {
    this.states.reach('draining');
    this.lateModules.stop();
    this.#callOffCheck?.();
    this.#draining ??= this.#drain();
    return this.#draining;
  }

  async #drain(): Promise<void> {
    await this.#time.spend(() => this.pool.stop());
    // They hear how the last jobs have ended.
    await this.#time.spend(() => this.listeners.stop(this.#time.ofListeners));
    this.states.reach('drained');
  }

  async #start(): Promise<void> {
    if (this.states.isEnding) {
      return;
    }
    this.#unwatchStart.forEach((unwatch) => unwatch());
    try {
      await this.#setCeilings(await this.resources.checkConnections());
    } catch (error) {
      await this.#closeAll();
      throw error;
    }
    // The application may have been closed meanwhile.
    if (this.states.isEnding) {
      return;
    }
    this.#drainBeforeDestroyHooks();
    // They hear of the first job that a worker takes.
    await this.listeners.start();
    if (this.states.isEnding) {
      return;
    }
    this.pool.open();
    if (this.pool.workers.length > 0) {
      this.#callOffCheck = checkShutdownHooks(this.#logger);
    }
    const begun = this.ownStart.begin().then(() => this.states.reach('running'));
    // What a cache needs to be warm is no reason for a server not to listen.
    if (!this.ownStart.waits) {
      await begun;
    }
  }

  /** Those of servers that are away are not waited for. */
  async #setCeilings(away: ReadonlySet<string>): Promise<void> {
    this.resources.added$.subscribe((queue) => void this.ceilings.set(queue));
    const sets = this.resources.queues.map((queue) => ({ queue, set: this.ceilings.set(queue) }));
    await Promise.all(sets.filter(({ queue }) => !away.has(queue.connection)).map(({ set }) => set));
  }

  /** A role that was not meant, or has nothing to do, shows in the log. */
  #tellOfRoles(): void {
    for (const { registration } of this.resources.connections) {
      const { name, work } = registration;
      if (work.role === 'producer') {
        this.#logger.log(worksElsewhere(name));
      } else if (work.role === 'worker' && this.pool.workers.every(({ plan }) => plan.connection !== name)) {
        this.#logger.warn(nothingToWorkOn(name));
      }
    }
  }

  #drainBeforeDestroyHooks(): void {
    const { frozen, shared } = guardDestroyHooks(this.modules, {
      before: () => this.drain(),
      failed: () => this.#closeUnlessGoingOn(),
    });
    this.#warnOfUnguarded(frozen, 'the object cannot be changed.');
    this.#warnOfUnguarded(shared, 'another application has the object too.');
  }

  #warnOfUnguarded(names: readonly string[], reason: string): void {
    if (names.length > 0 && this.pool.workers.length > 0) {
      this.#logger.warn(`onModuleDestroy of ${names.join(', ')} may run before jobs have ended: ${reason}`);
    }
  }

  /**
   * After a destroy hook that has thrown, Nest 12 goes on with the close and Nest 10 and 11 do not: if it does not, nobody
   * but us closes the queues.
   */
  #closeUnlessGoingOn(): void {
    clearTimeout(this.#givenUp);
    this.#givenUp = setTimeout(() => void this.#close(), CLOSE_AFTER).unref();
  }

  async #closeAll(): Promise<void> {
    this.#unwatchStart.forEach((unwatch) => unwatch());
    await this.drain();
    await this.#close();
  }

  async #close(): Promise<void> {
    clearTimeout(this.#givenUp);
    this.ceilings.stop();
    await this.#time.spend(() => this.resources.close(this.#time.ofQueues));
    this.states.reach('closed');
  }
}
