import type { ModuleRef } from '@nestjs/core';

import type { LateModules } from '../lifecycle/late-modules';
import type { WorkerPool } from '../lifecycle/worker-pool';
import type { QueueChoice } from './queue-choice';
import { chosenQueues } from './queue-choice';

/**
 * Starts, stops, pauses and resumes the workers of this process, all or those of some queues. Other processes are not
 * concerned; `queue.pause()` holds for all of them.
 *
 * It can be injected wherever `LaneModule.forRoot` is imported, and be called once the application has started. Calls
 * that ask for what is so already do nothing.
 *
 * @example
 * ```ts
 * LaneModule.forRoot({ backend, start: 'manual' });
 *
 * const app = await NestFactory.createApplicationContext(AppModule);
 * await app.get(LaneRunner).start();
 * ```
 *
 * @public
 */
export class LaneRunner {
  readonly #pool: WorkerPool;
  readonly #lateModules: LateModules;

  /** @internal */
  constructor(pool: WorkerPool, lateModules: LateModules) {
    this.#pool = pool;
    this.#lateModules = lateModules;
  }

  /**
   * Starts what a module that was loaded while the application runs, and the modules it imports, handle: workers of queues
   * that had none, by the same rules as at the start, and handlers and listeners of those that have one. Until then their
   * processors take no jobs, which is told in the log. They may not ask for other options than a worker has that is there
   * already. Nothing is done twice.
   *
   * @param moduleRef - what `LazyModuleLoader.load()` resolved with
   * @throws InvalidModuleRefError for anything else
   * @throws LaneConfigError with everything that is wrong; then nothing of it starts
   * @throws NotStartedError before the last bootstrap hook of the application has ended
   * @throws DrainingError when the application drains or closes
   *
   * @example
   * ```ts
   * await this.runner.register(await this.loader.load(() => ReportModule));
   * ```
   */
  async register(moduleRef: ModuleRef): Promise<void> {
    await this.#lateModules.register(moduleRef);
  }

  /**
   * Starts workers, those too that wait for `startWhen` or for a start by hand; resolves when they run.
   *
   * @param queues - default: all that this process works on
   * @throws NotStartedError before the last bootstrap hook of the application has ended
   * @throws NoWorkerError for a queue without a worker in this process, then none starts
   * @throws DrainingError when the application drains or closes
   */
  async start(queues?: QueueChoice): Promise<void> {
    const call = 'LaneRunner.start()';
    await this.#pool.start(call, this.#pool.get(call, chosenQueues(call, queues)));
  }

  /**
   * Stops workers as the close of the application does: they take no more jobs, those that run may end, and what still
   * runs when the times of `shutdown` are over is handed back. Resolves when that is done; `start()` may follow.
   *
   * @param queues - default: all
   * @throws NotStartedError before the last bootstrap hook of the application has ended
   * @throws NoWorkerError for a queue without a worker in this process, then none stops
   */
  async stop(queues?: QueueChoice): Promise<void> {
    const call = 'LaneRunner.stop()';
    await this.#pool.each(call, chosenQueues(call, queues), (worker) => worker.stop());
  }

  /**
   * Has workers take no more jobs; those that run go on. It holds until `resume()`, for workers that do not run as well,
   * which then start paused.
   *
   * @param queues - default: all
   * @throws NotStartedError before the last bootstrap hook of the application has ended
   * @throws NoWorkerError for a queue without a worker in this process, then none is paused
   */
  async pause(queues?: QueueChoice): Promise<void> {
    const call = 'LaneRunner.pause()';
    await this.#pool.each(call, chosenQueues(call, queues), (worker) => worker.pause());
  }

  /**
   * Has workers take jobs again.
   *
   * @param queues - default: all
   * @throws NotStartedError before the last bootstrap hook of the application has ended
   * @throws NoWorkerError for a queue without a worker in this process, then none resumes
   */
  async resume(queues?: QueueChoice): Promise<void> {
    const call = 'LaneRunner.resume()';
    await this.#pool.each(call, chosenQueues(call, queues), (worker) => worker.resume());
  }
}
