import type { Job } from '../../engine/job';
import type { Worker } from '../../engine/worker/worker';
import { NotStartedError } from '../errors/not-started.error';

/** Tells a host, also one whose class comes from another copy of the package. */
const BRAND = Symbol.for('nestjs-lane.worker-host');

/** Where a host has what finds its worker. */
const WORKER = Symbol.for('nestjs-lane.worker-of-host');

/**
 * Base class of a processor that handles all jobs of its queue by one method. `process` is the handler of every name that
 * no other class of the queue takes; a class that has `@Process` methods besides stops the start with `LANE_MIXED_HOST`.
 *
 * @example
 * ```ts
 * @Processor('audio')
 * export class AudioProcessor extends WorkerHost {
 *   async process(job: Job<Audio>) {
 *     return transcode(job.data);
 *   }
 * }
 * ```
 *
 * @public
 */
export abstract class WorkerHost {
  /** @internal */
  get [BRAND](): true {
    return true;
  }

  /**
   * The worker of the queue in this process.
   *
   * @throws NotStartedError before the last bootstrap hook of the application has ended
   * @throws NoWorkerError when the queue has none in this process, or it was not started yet
   */
  get worker(): Worker {
    const find = (this as { [WORKER]?: () => Worker })[WORKER];
    if (find === undefined) {
      throw new NotStartedError(`worker of ${this.constructor.name}`);
    }
    return find();
  }

  /**
   * Runs one job: what it returns is the result, what it throws a failed attempt.
   *
   * @param job - the job
   * @param token - of the lease on it
   * @param signal - as a handler's `JobContext` has it; a method that declares no more than two parameters is not given
   * one, since it is dear to make
   */
  abstract process(job: Job, token?: string, signal?: AbortSignal): unknown;
}

/**
 * Whether objects of a class are hosts.
 *
 * @internal
 */
export function isWorkerHost(prototype: object): boolean {
  return (prototype as { [BRAND]?: unknown })[BRAND] === true;
}

/**
 * Lets a host find its worker.
 *
 * @internal
 */
export function linkWorkerHost(instance: object, find: () => Worker): void {
  if (isWorkerHost(instance)) {
    Reflect.defineProperty(instance, WORKER, { configurable: true, writable: true, value: find });
  }
}
