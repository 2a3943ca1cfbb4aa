import type { Worker } from '../../engine/worker/worker';
import type { WorkerState } from '../lifecycle/restartable-worker';
import type { WorkerPool } from '../lifecycle/worker-pool';

/**
 * The worker of one queue in this process. It can be injected with `@InjectWorker` before the worker is there; what
 * needs the worker says so until the application has started.
 *
 * @example
 * ```ts
 * constructor(@InjectWorker('email') private readonly worker: WorkerHandle) {}
 *
 * slowDown() {
 *   this.worker.worker.concurrency = 1;
 * }
 * ```
 *
 * @public
 */
export class WorkerHandle {
  readonly #pool: WorkerPool;

  /** @internal */
  constructor(
    pool: WorkerPool,
    /** Name of the queue. */
    readonly queue: string,
    /** Name of its connection; `default` for the one without a name. */
    readonly connection: string,
  ) {
    this.#pool = pool;
  }

  /** What the worker does; `stopped` too where the queue has none in this process. */
  get state(): WorkerState {
    return this.#pool.find(this.queue, this.connection)?.state ?? 'stopped';
  }

  /**
   * The worker by itself: that which runs, or ran last. Each start makes a new one.
   *
   * @throws NotStartedError before the last bootstrap hook of the application has ended
   * @throws NoWorkerError when the queue has none in this process, or it was not started yet
   */
  get worker(): Worker {
    return this.#pool.workerOf(`worker of ${this.#name}`, this);
  }

  /**
   * See `LaneRunner.start`.
   *
   * @throws NotStartedError, NoWorkerError, DrainingError
   */
  async start(): Promise<void> {
    const call = `start() of ${this.#name}`;
    await this.#pool.start(call, this.#pool.get(call, [this]));
  }

  /**
   * See `LaneRunner.stop`.
   *
   * @throws NotStartedError, NoWorkerError
   */
  async stop(): Promise<void> {
    await this.#pool.each(`stop() of ${this.#name}`, [this], (worker) => worker.stop());
  }

  /**
   * See `LaneRunner.pause`.
   *
   * @throws NotStartedError, NoWorkerError
   */
  async pause(): Promise<void> {
    await this.#pool.each(`pause() of ${this.#name}`, [this], (worker) => worker.pause());
  }

  /**
   * See `LaneRunner.resume`.
   *
   * @throws NotStartedError, NoWorkerError
   */
  async resume(): Promise<void> {
    await this.#pool.each(`resume() of ${this.#name}`, [this], (worker) => worker.resume());
  }

  get #name(): string {
    return `the worker of queue "${this.queue}"`;
  }
}
