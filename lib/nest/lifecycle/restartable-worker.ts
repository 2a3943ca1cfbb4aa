import type { Logger } from '@nestjs/common';

import type { Worker } from '../../engine/worker/worker';
import type { JobHandler } from '../pipeline/handler-factory';
import type { ListenerRunner } from '../listeners/listener.runner';
import type { PlannedHandler, PlannedListener } from '../planning/processor-check';
import type { WorkerPlan } from '../planning/worker.planner';
import type { LaneConnection } from './lane-resources';
import { QueueWorker } from './queue-worker';

/**
 * What a worker does: `paused` is one that runs and takes no jobs, `stopping` one whose last jobs end.
 *
 * @public
 */
export type WorkerState = 'stopped' | 'running' | 'paused' | 'stopping';

/**
 * The worker of a queue in this process, which can be stopped and started again. A worker of the engine ends for good
 * when it is closed, so each start makes a new one.
 *
 * @internal
 */
export class RestartableWorker {
  #plan: WorkerPlan;
  #last: QueueWorker | undefined;
  #isRunning = false;
  #stopping: Promise<void> | undefined;
  #isWanted = false;
  #isPaused = false;

  constructor(
    plan: WorkerPlan,
    readonly connection: LaneConnection,
    private readonly create: (handler: PlannedHandler) => JobHandler,
    private readonly listeners: ListenerRunner,
    private readonly logger: Logger,
  ) {
    this.#plan = plan;
  }

  get plan(): WorkerPlan {
    return this.#plan;
  }

  get state(): WorkerState {
    if (this.#stopping !== undefined) {
      return 'stopping';
    }
    if (!this.#isRunning) {
      return 'stopped';
    }
    return this.#isPaused ? 'paused' : 'running';
  }

  /** Whether it was started, and does not run though nobody has stopped or paused it. */
  get hasStoppedByItself(): boolean {
    return this.#isWanted && this.#isRunning && !this.#isPaused && this.worker?.isRunning() !== true;
  }

  /** The worker of the engine that runs, or ran last. */
  get worker(): Worker | undefined {
    return this.#last?.worker;
  }

  /** Starts, once a stop that is under way has ended; does nothing where it runs. */
  async start(): Promise<void> {
    this.#isWanted = true;
    await this.#stopping;
    // Another call may have started or stopped it meanwhile.
    if (this.#isWanted && !this.#isRunning) {
      this.#isRunning = true;
      this.#last = new QueueWorker(this.#plan, this.connection, this.create, this.listeners, this.logger);
      this.#last.start(this.#isPaused);
    }
  }

  /** Stops, see `QueueWorker`; does nothing where it does not run. Never rejects. */
  async stop(): Promise<void> {
    this.#isWanted = false;
    if (this.#isRunning) {
      this.#stopping ??= this.#last!.stop().then(() => {
        this.#isRunning = false;
        this.#stopping = undefined;
      });
    }
    await this.#stopping;
  }

  /** Takes no more jobs until `resume`, also when it is stopped and started meanwhile. What runs goes on. */
  async pause(): Promise<void> {
    this.#isPaused = true;
    await this.running?.pause(true);
  }

  /** Takes jobs again. */
  async resume(): Promise<void> {
    this.#isPaused = false;
    await this.running?.resume();
  }

  /**
   * Takes over what came with modules that were loaded later.
   *
   * @param plan - with all that there was before
   */
  async extend(plan: WorkerPlan): Promise<void> {
    const before = this.#plan;
    this.#plan = plan;
    const isOther = plan.exhausted.length > before.exhausted.length || plan.definition !== before.definition;
    if (this.#isWanted && isOther) {
      // Who is told of the last failure of a job, and what form its data has, is settled when a worker is made.
      const stopped = this.stop();
      await Promise.all([stopped, this.start()]);
    } else if (this.#isRunning) {
      this.#last!.extend(
        plan.handlers.filter((handler) => !before.handlers.some((other) => isSame(handler, other))),
        plan.listeners.filter((listener) => !before.listeners.some((other) => isSame(listener, other))),
      );
    }
  }

  /** The worker of the engine that runs now, or whose last jobs end. */
  get running(): Worker | undefined {
    return this.#isRunning ? this.worker : undefined;
  }
}

/** Whether they are one method of one class, for one name or event. */
function isSame<Method extends Partial<PlannedHandler & PlannedListener>>(
  left: Method,
  right: Method,
): boolean {
  return (['found', 'instances', 'method', 'name', 'event'] as const).every(
    (key) => left[key] === right[key],
  );
}
