/* eslint-disable @typescript-eslint/no-explicit-any -- jobs are untyped where nothing says their types */
import type { LoggerService } from '@nestjs/common';

import type { Job } from '../../engine/job';
import type { JobRun } from '../../engine/worker/job-executor';
import type { Duration } from '../../model/duration';
import { LeaseLostError } from '../../model/errors/lease-lost.error';
import type { JobHeaders } from '../../model/job-headers';
import { JobLogger } from './job-logger';

/**
 * Logger of one job.
 *
 * @public
 */
export type JobLog = Required<Pick<LoggerService, 'log' | 'error' | 'warn' | 'debug' | 'verbose'>>;

/**
 * One run of a job, as its handler sees it. `currentJob()` gives the same object to whatever the handler calls.
 *
 * @typeParam Data - payload of the job
 *
 * @example
 * ```ts
 * @Process('import')
 * async import(job: Job<Import>, ctx: JobContext) {
 *   ctx.logger.log(`attempt ${ctx.attempt} for ${ctx.headers['x-tenant-id']}`);
 *   await this.bank.pay(job.data, { idempotencyKey: ctx.idempotencyKey, signal: ctx.signal });
 *   await ctx.progress(100);
 * }
 * ```
 *
 * @public
 */
export interface JobContext<Data = any> {
  /** The job itself. */
  readonly job: Job<Data>;
  /**
   * Its payload.
   *
   * @throws UnreadableDataError when what another client has stored is no JSON
   */
  readonly data: Data;
  /** What travels with the job besides its data: texts by name, in lower case; frozen, and empty where there are none. */
  readonly headers: JobHeaders;
  /** Number of this attempt, from 1. A run that was handed back or abandoned has not been one. */
  readonly attempt: number;
  /**
   * Aborted when the job's lease is lost, when the attempt takes longer than its `timeout`, when the job is cancelled by
   * `queue.cancel()`, or when the application closes and `shutdown.drain` is over. Its reason is the error that says which.
   * Made when it is first read.
   */
  readonly signal: AbortSignal;
  /**
   * Writes to the log of Nest, under the name of queue and job, and to the log of the job, there in every level: rows of `log`
   * as they are, others behind their level, as in `[warn] …`. A row that cannot be stored is a warning in Nest's log; the
   * job does not fail, nor wait for it.
   */
  readonly logger: JobLog;
  /** The same for all attempts at the job, and of no other job: `email:42`, from the queue's name and the job's id. */
  readonly idempotencyKey: string;
  /**
   * Stores progress and tells it to all listeners of the queue, as `job.updateProgress` does.
   *
   * @param value - any JSON value
   * @throws UnserializableDataError, JobNotFoundError
   */
  progress(value: unknown): Promise<void>;
  /**
   * Lengthens the lease on the job, right before work that keeps the event loop busy for longer than `lockDuration` of the
   * worker. Otherwise the worker sees to it, and with its next renewal `lockDuration` counts again.
   *
   * @param duration - from now on; a bare number is milliseconds
   * @throws InvalidDurationError
   * @throws LeaseLostError when the job is somebody else's by now
   */
  extend(duration: Duration): Promise<void>;
}

/**
 * The context of one run. What it holds is made when it is asked for.
 *
 * @internal
 */
export class RunContext implements JobContext {
  readonly #run: JobRun;
  #logger: JobLog | undefined;
  /** How often its handler was to begin when it had to end already. */
  lateBegins = 0;

  constructor(run: JobRun) {
    this.#run = run;
  }

  get job(): Job {
    return this.#run.job;
  }

  get data(): any {
    // eslint-disable-next-line @typescript-eslint/no-unsafe-return -- untyped, as the job is
    return this.#run.job.data;
  }

  get headers(): JobHeaders {
    return this.#run.job.headers;
  }

  get attempt(): number {
    return this.#run.job.attemptsMade + 1;
  }

  get signal(): AbortSignal {
    return this.#run.signal;
  }

  get logger(): JobLog {
    this.#logger ??= new JobLogger(this.#run.job);
    return this.#logger;
  }

  get idempotencyKey(): string {
    const { queueName, id } = this.#run.job;
    return `${queueName}:${id}`;
  }

  /** See `JobRun`. */
  get hasToEnd(): boolean {
    return this.#run.hasToEnd;
  }

  progress(value: unknown): Promise<void> {
    return this.#run.job.updateProgress(value);
  }

  async extend(duration: Duration): Promise<void> {
    const { job, token } = this.#run;
    if ((await job.extendLock(token, duration)) === 0) {
      throw new LeaseLostError(job.id, job.queueName);
    }
  }
}
