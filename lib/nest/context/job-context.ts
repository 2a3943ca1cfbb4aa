import type { JobRun } from '../../engine/worker/job-executor';

/**
 * What a handler is given besides its job.
 *
 * @public
 */
export interface JobContext {
  /**
   * Aborted when the job's lease is lost, when the attempt takes longer than its `timeout`, when the job is cancelled by
   * `queue.cancel()`, or when the application closes and `shutdown.drain` is over. Its reason is the error that says which.
   * Made when it is first read.
   */
  readonly signal: AbortSignal;
}

/**
 * The context of one run.
 *
 * @internal
 */
export class RunContext implements JobContext {
  readonly #run: JobRun;

  constructor(run: JobRun) {
    this.#run = run;
  }

  get signal(): AbortSignal {
    return this.#run.signal;
  }
}
