import type { Logger } from '@nestjs/common';

import type { Worker } from '../../engine/worker/worker';
import type { JobHandler } from '../pipeline/handler-factory';
import type { ListenerRunner } from '../listeners/listener.runner';
import type { PlannedHandler } from '../planning/processor-check';
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
  #running: QueueWorker | undefined;
  #stopping: Promise<void> | undefined;
  #isWanted = false;
  #isPaused = false;

  constructor(
    readonly plan: WorkerPlan,
    readonly connection: LaneConnection,
    private readonly create: (handler: PlannedHandler) => JobHandler,
    private readonly listeners: ListenerRunner,
    private readonly logger: Logger,
  ) {}

  get state(): WorkerState {
    if (this.#running === undefined) {
      return this.#stopping === undefined ? 'stopped' : 'stopping';
    }
    return this.#isPaused ? 'paused' : 'running';
  }

  /** Whether it was started, and does not run though nobody has stopped or paused it. */
  get hasStoppedByItself(): boolean {
    return this.#isWanted && !this.#isPaused && this.worker?.isRunning() !== true;
  }

  /** The worker of the engine that runs now. */
  get worker(): Worker | undefined {
    return this.#running?.worker;
  }

  /** Starts, once a stop that is under way has ended; does nothing where it runs. */
  async start(): Promise<void> {
    this.#isWanted = true;
    await this.#stopping;
    // Another call may have started or stopped it meanwhile.
    if (this.#isWanted && this.#running === undefined) {
      this.#running = new QueueWorker(this.plan, this.connection, this.create, this.listeners, this.logger);
      this.#running.start(this.#isPaused);
    }
  }

  /** Stops, see `QueueWorker`; does nothing where it does not run. Never rejects. */
  async stop(): Promise<void> {
    this.#isWanted = false;
    const running = this.#running;
    if (running !== undefined) {
      this.#running = undefined;
      this.#stopping = running.stop().then(() => {
        this.#stopping = undefined;
      });
    }
    await this.#stopping;
  }

  /** Takes no more jobs until `resume`, also when it is stopped and started meanwhile. What runs goes on. */
  async pause(): Promise<void> {
    this.#isPaused = true;
    await this.worker?.pause(true);
  }

  /** Takes jobs again. */
  async resume(): Promise<void> {
    this.#isPaused = false;
    await this.worker?.resume();
  }
}
