import type { Logger } from '@nestjs/common';

import { systemClock } from '../../contract/clock';
import { endsWithin } from '../../engine/runtime/wait';
import { processorOfRuns } from '../../engine/worker/job-executor';
import { Worker } from '../../engine/worker/worker';
import type { JobHandler } from '../pipeline/handler-factory';
import { JobDispatcher } from '../handlers/job-dispatcher';
import { capitalized, queueNamed } from '../messages/wording';
import { handedBack, noHandlerYet } from '../messages/worker.messages';
import { exhaustedHook } from '../listeners/exhausted-jobs';
import { workerEventOf } from '../listeners/worker-event';
import type { ListenerRunner } from '../listeners/listener.runner';
import { workerOptionsOf } from '../options/queue-defaults';
import type { PlannedHandler, PlannedListener } from '../planning/processor-check';
import type { WorkerPlan } from '../planning/worker.planner';
import type { LaneConnection } from './lane-resources';
import { ShutdownTime } from './shutdown-time';
import { stackOf } from './stack-of';

/**
 * The worker of one queue in this process, with the handlers and listeners of all its processor classes.
 *
 * @internal
 */
export class QueueWorker {
  readonly #plan: WorkerPlan;
  readonly #runner: ListenerRunner;
  readonly #logger: Logger;
  readonly #dispatcher: JobDispatcher;
  readonly #worker: Worker;
  readonly #closeWithin: number;

  constructor(
    plan: WorkerPlan,
    { backend, surroundings, registration: { shutdown } }: LaneConnection,
    create: (handler: PlannedHandler) => JobHandler,
    runner: ListenerRunner,
    logger: Logger,
  ) {
    this.#plan = plan;
    this.#runner = runner;
    this.#logger = logger;
    this.#closeWithin = ShutdownTime.ofWorker(shutdown);
    const { unknownJob = surroundings.unknownJob } = plan.options;
    this.#dispatcher = new JobDispatcher(plan, create, {
      releases: unknownJob === 'release',
      onRelease: (name, known) => logger.warn(noHandlerYet(name, plan.queue, plan.connection, known)),
    });
    this.#worker = new Worker(
      plan.queue,
      processorOfRuns(
        surroundings.processing(plan, (run) => this.#dispatcher.dispatch(run)),
        exhaustedHook(plan.exhausted, plan, runner, surroundings.clock),
      ),
      { ...workerOptionsOf(plan.options), backend, shutdown, autorun: false, clock: surroundings.clock },
    );
    this.#worker.on('error', (error) => this.#report(error.message, error));
    plan.listeners.forEach((listener) => this.#listen(listener));
    surroundings.workerMade(this.#worker, plan);
  }

  /** The worker of the engine. */
  get worker(): Worker {
    return this.#worker;
  }

  /** Takes over handlers and listeners that came up later. */
  extend(handlers: readonly PlannedHandler[], listeners: readonly PlannedListener[]): void {
    this.#dispatcher.add(handlers);
    listeners.forEach((listener) => this.#listen(listener));
  }

  /** Begins to take jobs, or to wait until it is told to resume. */
  start(isPaused: boolean): void {
    if (isPaused) {
      void this.#worker.pause(true);
    }
    this.#worker.run().catch((error: unknown) => this.#report('cannot run', error));
    const names = this.#plan.handlers.map(({ name }) => name ?? 'any other');
    this.#logger.log(
      `${this.#name}: working, concurrency ${this.#worker.concurrency}, jobs: ${names.join(', ')}`,
    );
  }

  /**
   * Takes no more jobs, lets those that run end, and hands back the rest. Never throws, and ends within the bounds of
   * the connection's `shutdown`.
   */
  async stop(): Promise<void> {
    const ids: string[] = [];
    this.#worker.on('handedBack', ({ id }) => ids.push(id));
    const closed = this.#worker.close();
    this.#dispatcher.stop();
    if (!(await endsWithin(systemClock, closed, this.#closeWithin))) {
      this.#report('the worker did not stop in time; its jobs will be taken up when their leases end');
    }
    if (ids.length > 0) {
      this.#logger.warn(`${this.#name}: ${handedBack(ids)}`);
    }
  }

  /** Such as `Queue "email"`. */
  get #name(): string {
    return capitalized(queueNamed(this.#plan.queue, this.#plan.connection));
  }

  #listen(listener: PlannedListener): void {
    const { event } = listener;
    const heard = { queue: this.#plan.queue, connection: this.#plan.connection, event };
    // An asynchronous listener is not waited for.
    this.#worker.on(event, (...args: unknown[]) => {
      void this.#runner.run(listener, heard, { args, request: () => workerEventOf(heard, args) });
    });
  }

  #report(message: string, error?: unknown): void {
    this.#logger.error(`${this.#name}: ${message}`, stackOf(error));
  }
}
