import { Logger } from '@nestjs/common';

import type { Worker } from '../../engine/worker/worker';
import { nearestName } from '../../model/nearest-name';
import { linkWorkerHost } from '../control/worker-host';
import { DrainingError } from '../errors/draining.error';
import { NoWorkerError } from '../errors/no-worker.error';
import { NotStartedError } from '../errors/not-started.error';
import type { HandlerFactory } from '../pipeline/handler-factory';
import {
  hasNoProcessor,
  isLeftOut,
  isNotRegistered,
  isNotStarted,
  isProducer,
} from '../messages/worker.messages';
import { getQueueToken } from '../lane.tokens';
import type { ListenerRunner } from '../listeners/listener.runner';
import type { WorkerPlan } from '../planning/worker.planner';
import { worksOn } from '../registration/checked-work';
import type { LaneConnection, LaneResources } from './lane-resources';
import type { LaneStates } from './lane-states';
import { RestartableWorker } from './restartable-worker';

/**
 * The workers of this process, one a queue, whether they run or not.
 *
 * @internal
 */
export class WorkerPool {
  readonly #logger = new Logger('LaneModule');
  readonly #workers = new Map<string, RestartableWorker>();
  #isOpen = false;

  constructor(
    private readonly handlers: HandlerFactory,
    private readonly listeners: ListenerRunner,
    private readonly resources: LaneResources,
    private readonly states: LaneStates,
  ) {}

  /** Those that there are, in the order in which they were made. */
  get workers(): readonly RestartableWorker[] {
    return [...this.#workers.values()];
  }

  /** Whether workers may be started by hand: the application has started. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Lets workers be started by hand. */
  open(): void {
    this.#isOpen = true;
  }

  /** Makes a worker, which does not run yet, unless this process is not to work on its queue. */
  add(plan: WorkerPlan, connection: LaneConnection): RestartableWorker | undefined {
    this.#link(plan);
    if (!worksOn(connection.registration.work, plan.queue)) {
      return undefined;
    }
    const worker = new RestartableWorker(
      plan,
      connection,
      (handler) =>
        this.handlers.create(handler, plan, connection.surroundings.clock, (instance) =>
          this.#linkOne(instance, plan),
        ),
      this.listeners,
      this.#logger,
    );
    this.#workers.set(getQueueToken(plan.queue, plan.connection), worker);
    return worker;
  }

  /** Has a worker take over what came later, see `RestartableWorker`. */
  async extend(worker: RestartableWorker, plan: WorkerPlan): Promise<void> {
    this.#link(plan);
    await worker.extend(plan);
  }

  find(queue: string, connection: string): RestartableWorker | undefined {
    return this.#workers.get(getQueueToken(queue, connection));
  }

  /**
   * Workers, for somebody who asks by hand.
   *
   * @param call - what was asked, for the error
   * @param queues - default: all
   * @throws NotStartedError, NoWorkerError
   */
  get(call: string, queues?: readonly { queue: string; connection: string }[]): readonly RestartableWorker[] {
    if (!this.#isOpen) {
      throw new NotStartedError(call);
    }
    return queues === undefined
      ? this.workers
      : queues.map(
          ({ queue, connection }) => this.find(queue, connection) ?? this.#refuse(queue, connection),
        );
  }

  /**
   * Does something to workers, for somebody who asks by hand.
   *
   * @throws NotStartedError, NoWorkerError; then nothing is done to any
   */
  async each(
    call: string,
    queues: readonly { queue: string; connection: string }[] | undefined,
    act: (worker: RestartableWorker) => Promise<void>,
  ): Promise<void> {
    await Promise.all(this.get(call, queues).map(act));
  }

  /**
   * The worker of a queue by itself: that which runs, or ran last.
   *
   * @param what - what was asked, for the error
   * @throws NotStartedError, NoWorkerError
   */
  workerOf(what: string, queue: { queue: string; connection: string }): Worker {
    const { worker } = this.get(what, [queue])[0]!;
    if (worker === undefined) {
      throw new NoWorkerError(queue.queue, queue.connection, isNotStarted(queue.queue, queue.connection));
    }
    return worker;
  }

  /**
   * Starts workers.
   *
   * @param call - what asks for it, for the error
   * @throws DrainingError when the application takes no more jobs
   */
  async start(call: string, workers: readonly RestartableWorker[]): Promise<void> {
    if (this.states.isEnding) {
      throw new DrainingError(call);
    }
    await Promise.all(workers.map((worker) => worker.start()));
  }

  /** Stops all workers. Never rejects. */
  async stop(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.stop()));
  }

  #link(plan: WorkerPlan): void {
    for (const { found } of plan.handlers) {
      const { shared } = found.instances;
      if (shared !== undefined) {
        this.#linkOne(shared, plan);
      }
    }
  }

  #linkOne(instance: object, plan: WorkerPlan): void {
    linkWorkerHost(instance, () => this.workerOf(`worker of ${instance.constructor.name}`, plan));
  }

  #refuse(queue: string, connection: string): never {
    throw new NoWorkerError(queue, connection, this.#reasonOfAbsence(queue, connection));
  }

  #reasonOfAbsence(queue: string, connection: string): string {
    const known = this.resources.queues.filter((one) => one.connection === connection);
    const names = known.map(({ name }) => name);
    const work = this.resources.connections.find(({ registration }) => registration.name === connection)
      ?.registration.work;
    if (work === undefined || !names.includes(queue)) {
      return isNotRegistered(queue, connection, nearestName(queue, names));
    }
    if (work.role === 'producer') {
      return isProducer(queue, connection);
    }
    return worksOn(work, queue) ? hasNoProcessor(queue, connection) : isLeftOut(queue, connection);
  }
}
