import type { Duration } from '../../model/duration';
import type { DefaultJobOptions } from '../../model/job-options';
import type { WorkerOptions } from '../../model/worker-options';
import { WORKER_OPTION_NAMES } from '../../model/worker-options';

/**
 * Options of the worker that a queue has in this process: what a `Worker` takes, but for how it starts and stops,
 * which is the module's business.
 *
 * @public
 */
export interface ProcessorOptions extends Omit<WorkerOptions, 'autorun' | 'shutdown'> {
  /**
   * What becomes of a job whose name no handler takes. `release`: it is held back and no attempt is used, since another
   * process may have a handler, as while a new release of the application takes the place of the old one; first for 1 s,
   * then twice as long each time, 5 minutes at most, and after ten times it fails. `fail`: it fails at once. Both fail it
   * for good, with the code `no-handler`. Default `release`.
   */
  unknownJob?: UnknownJob;
}

/**
 * What becomes of jobs whose name no handler takes.
 *
 * @public
 */
export type UnknownJob = 'release' | 'fail';

/** @internal */
export const PROCESSOR_OPTION_NAMES = [
  ...WORKER_OPTION_NAMES.filter((name) => name !== 'autorun' && name !== 'shutdown'),
  'unknownJob',
] as readonly (keyof ProcessorOptions)[];

/**
 * The options of a processor that its `Worker` takes.
 *
 * @internal
 */
export function workerOptionsOf(options: ProcessorOptions): WorkerOptions {
  const { unknownJob, ...others } = options;
  void unknownJob;
  return others;
}

/**
 * Options for all jobs and for the workers of a connection or queue. What is said nearer to the job wins, option by
 * option: the job itself, then its queue, then the connection; for workers `@Processor`, then the queue, then the
 * connection.
 *
 * @public
 */
export interface QueueDefaults {
  /** For every job that does not say otherwise. Default none. */
  job?: DefaultJobOptions;
  /** For the worker. Default: one job at once; leases and sweeps of 30 s. */
  worker?: ProcessorOptions;
  /** How long an add may take when the store is slow or away; a bare number is milliseconds. Default 5 s. */
  addTimeout?: Duration;
}

/** @internal */
export const QUEUE_DEFAULTS_NAMES: readonly (keyof QueueDefaults)[] = ['job', 'worker', 'addTimeout'];

/**
 * What is kept of finished jobs when neither the job nor its queue, connection or worker says: enough to look at,
 * and bounded. The engine by itself keeps all.
 *
 * @internal
 */
export const RETENTION_DEFAULTS = {
  removeOnComplete: { count: 1_000, age: '1d' },
  removeOnFail: { count: 10_000, age: '7d' },
} as const satisfies ProcessorOptions;
