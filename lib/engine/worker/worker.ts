/* eslint-disable @typescript-eslint/no-explicit-any -- untyped queues are used as in BullMQ */
import { randomUUID } from 'node:crypto';

import { AlreadyRunningError } from '../../model/errors/already-running.error';
import { isLaneError, isStoreError } from '../../model/errors/lane-error';
import type { Duration } from '../../model/duration';
import { InvalidProcessorError } from '../../model/errors/invalid-processor.error';
import { MissingProcessorError } from '../../model/errors/missing-processor.error';
import { OutcomeUnknownError } from '../../model/errors/outcome-unknown.error';
import { QueueClosedError } from '../../model/errors/queue-closed.error';
import { RateLimitError } from '../../model/errors/rate-limit.error';
import { checkStoredJobId } from '../../model/job-id';
import { checkLeaseToken } from '../../model/lease-token';
import { checkQueueName } from '../../model/queue-options';
import { checkLimitDuration } from '../../model/rate-limit';
import type { ResolvedWorkerOptions, WorkerOptions } from '../../model/worker-options';
import { checkConcurrency, resolveWorkerOptions } from '../../model/worker-options';
import type { DefinedQueue, JobShapes, UniformShapes } from '../definition/job-shapes';
import { isQueueDefinition, queueNameOf } from '../definition/queue-definition';
import { type GetNextJobOptions, checkGetNextJobOptions } from '../by-hand/get-next-job-options';
import { ManualFetching } from '../by-hand/manual-fetching';
import type { Job } from '../job';
import { JobGateway } from '../job-gateway';
import type { ConnectionOptions, OpenConnection } from '../runtime/queue-connection';
import { CONNECTION_OPTION_NAMES, QueueConnection } from '../runtime/queue-connection';
import { RepeatedErrors } from '../runtime/repeated-errors';
import { asError, SafeEmitter } from '../runtime/safe-emitter';
import { AbandonedJobRecovery } from './abandoned-job-recovery';
import { ExpiredJobs } from './expired-jobs';
import type { Processor } from './job-executor';
import { JobExecutor } from './job-executor';
import { JobRunner } from './job-runner';
import type { WorkerListeners } from './worker-listeners';
import type { WorkerVitals } from './worker-vitals';

export type { WorkerListeners } from './worker-listeners';

/**
 * Options of a `Worker` with where its queue is stored.
 *
 * @public
 */
export type WorkerSettings = WorkerOptions & ConnectionOptions;

/**
 * Runs the jobs of a queue.
 *
 * A handler runs at least once per job and once per claim: when its outcome cannot be written, the writing is
 * repeated, not the handler. Jobs whose worker dies are run again by another one.
 *
 * @typeParam Data - payload of the jobs
 * @typeParam Result - what the handler returns
 * @typeParam Name - names of the jobs
 *
 * @example
 * ```ts
 * const worker = new Worker('email', async (job) => mailer.send(job.data), { backend, concurrency: 10 });
 * ```
 *
 * @public
 */
export class Worker<
  Data = any,
  Result = any,
  Name extends string = string,
  Shapes extends JobShapes<Name> = UniformShapes<Data, Result, Name>,
> extends SafeEmitter<WorkerListeners> {
  /** The queue. */
  readonly name: string;
  readonly #options: ResolvedWorkerOptions;
  readonly #connection: QueueConnection;
  readonly #jobs: JobGateway;
  readonly #manual: ManualFetching;
  readonly #executor: JobExecutor | undefined;
  readonly #storeErrors: RepeatedErrors;
  readonly #hurry = new AbortController();
  #runner: JobRunner | undefined;
  #recovery: AbandonedJobRecovery | undefined;
  #lifetime: Promise<void> | undefined;
  #isPaused = false;
  #pauses = 0;
  #closing: Promise<void> | undefined;

  /** Random, and this worker's own. */
  readonly id: string = randomUUID();

  /**
   * @param queue - its name, or its definition, by which the data of its jobs is brought up to date and validated
   * @param processor - runs one job; `null` or `undefined` for a worker by which jobs are fetched by hand
   * @throws InvalidQueueNameError, InvalidProcessorError, InvalidOptionsError, UnknownOptionError,
   * InvalidBackendError, or the error of a bad option
   */
  constructor(
    queue: string | DefinedQueue<Data, Result, Name, Shapes>,
    processor: Processor<Data, Result, Name, Shapes[Name]['job']> | null | undefined,
    readonly opts: WorkerSettings,
  ) {
    const name = checkQueueName(queueNameOf(queue));
    super(`Worker "${name}"`);
    this.name = name;
    if (processor != null && typeof processor !== 'function') {
      throw new InvalidProcessorError(processor);
    }
    this.#options = resolveWorkerOptions(opts, 'Worker', CONNECTION_OPTION_NAMES);
    this.#connection = new QueueConnection(name, `Worker "${name}"`, 'worker', opts, this.#options.name);
    const { clock } = this.#connection;
    this.#executor =
      processor == null
        ? undefined
        : new JobExecutor(
            processor as Processor,
            this.#options,
            clock,
            {
              storeTime: () => this.#connection.opened!.time.now(),
              limitClaims: (millis) => this.rateLimit(millis).catch((error: unknown) => this.#report(error)),
              onError: (error) => this.emit('error', error),
            },
            isQueueDefinition(queue) ? queue : undefined,
          );
    this.#storeErrors = new RepeatedErrors(clock, (error) => this.emit('error', error));
    const listener = {
      onProgress: (job: Job, progress: unknown) => this.emit('progress', job, progress),
      onError: (error: Error) => this.emit('error', error),
    };
    this.#jobs = new JobGateway(this.#connection, opts, listener, {
      options: this.#options,
      onActive: (job) => this.emit('active', job, 'waiting'),
      onFailed: (job, error) => this.emit('failed', job, error, 'active'),
      onDrained: () => this.emit('drained'),
      onMoving: (job, hasLeft) => this.#runner?.moving(job, hasLeft),
    });
    this.#manual = new ManualFetching(
      this.#jobs,
      clock,
      this.#options.drainDelay,
      () => this.#runner === undefined && this.#mayFetch,
    );
    if (this.#options.autorun && this.#executor !== undefined) {
      this.run().catch((error: unknown) => this.#report(error));
    }
  }

  /** Makes the error that a handler throws when it has met a rate limit, as `new RateLimitError()` does. */
  static RateLimitError(): RateLimitError {
    return new RateLimitError();
  }

  /** Jobs run at once. */
  get concurrency(): number {
    return this.#options.concurrency;
  }

  /**
   * May change while the worker runs: for a higher number it takes more jobs at once, for a lower one none until enough
   * of those that run have ended.
   *
   * @throws InvalidWorkerOptionError unless it is an integer of at least 1
   */
  set concurrency(concurrency: number) {
    this.#options.concurrency = checkConcurrency('concurrency', concurrency);
    this.#runner?.adjust();
  }

  /**
   * Starts taking jobs, for `autorun: false`; resolves when the worker was closed.
   *
   * @throws MissingProcessorError when it was made without a function to run jobs with
   * @throws AlreadyRunningError when it runs already
   * @throws QueueClosedError after `close()`
   */
  async run(): Promise<void> {
    if (this.#closing !== undefined) {
      throw new QueueClosedError(`Worker "${this.name}"`, 'run');
    }
    if (this.#executor === undefined) {
      throw new MissingProcessorError(this.name);
    }
    if (this.#lifetime !== undefined) {
      throw new AlreadyRunningError(`Worker "${this.name}"`);
    }
    this.#lifetime = new Promise((resolve) => this.once('closed', () => resolve()));
    try {
      this.#begin(this.#connection.opened ?? (await this.#connection.use('run')));
    } catch (error) {
      // A worker that is closed while its backend is being loaded just does not begin.
      if (this.#closing === undefined) {
        throw error;
      }
    }
    await this.#lifetime;
  }

  /** Whether the worker takes jobs, or still has some: it was started and not closed, and is not paused with idle hands. */
  isRunning(): boolean {
    if (this.#runner === undefined || this.#closing !== undefined) {
      return false;
    }
    return !this.#isPaused || !this.#runner.holdsNothing();
  }

  /** Tells, for checks of health, whether the worker does its work; of one that does not run, that nothing runs. */
  vitals(): WorkerVitals {
    return this.#runner?.vitals() ?? { running: 0, longestRun: 0, silentFor: null, longestSilence: 0 };
  }

  /** Whether the worker was told to take no jobs. */
  isPaused(): boolean {
    return this.#isPaused;
  }

  /**
   * Takes no more jobs, in this worker alone.
   *
   * @param doNotWaitActive - resolves at once, rather than when the running jobs have ended and are written, or
   * `resume()` is called
   */
  async pause(doNotWaitActive = false): Promise<void> {
    const isFirst = !this.#isPaused;
    if (isFirst) {
      this.#isPaused = true;
      this.#pauses += 1;
      this.#runner?.pause();
      this.#manual.endWaits();
    }
    const pause = this.#pauses;
    if (!doNotWaitActive) {
      await this.#runner?.outcomesWritten();
    }
    if (isFirst && this.#isPaused && pause === this.#pauses) {
      this.emit('paused');
    }
  }

  /** Takes jobs again. */
  async resume(): Promise<void> {
    if (this.#isPaused) {
      this.#isPaused = false;
      if (this.#closing === undefined) {
        this.#runner?.resume();
      }
      this.emit('resumed');
    }
    return Promise.resolve();
  }

  /**
   * Fetches the next job, for whoever runs jobs by hand: its lease is not renewed, and `job.moveToCompleted`,
   * `moveToFailed`, `moveToDelayed` or `moveToWait` end its run. A job that was abandoned too often is not fetched but
   * failed.
   *
   * @param token - proves the lease, here and wherever it is known; of the caller's choosing, and best a new one for
   * each job
   * @param options - `block`: waits for a job, `drainDelay` at most, when none is ready; not while a function of this
   * worker runs jobs too. Default `true`.
   * @returns `undefined` when no job is ready, or the worker is paused or closed
   * @throws InvalidTokenError, InvalidFlagError, InvalidOptionsError or UnknownOptionError
   */
  async getNextJob(token: string, options: GetNextJobOptions = {}): Promise<Shapes[Name]['job'] | undefined> {
    checkLeaseToken(token);
    const block = checkGetNextJobOptions(options);
    if (!this.#mayFetch) {
      return undefined;
    }
    return this.#manual.next(token, block) as Promise<Shapes[Name]['job'] | undefined>;
  }

  /**
   * Lengthens the leases on jobs that were fetched by `getNextJob`.
   *
   * @param jobIds - the jobs
   * @param tokens - of their leases, in the same order
   * @param duration - from now on; a bare number is milliseconds
   * @returns ids of the jobs that are not leased under their tokens (any more)
   * @throws InvalidJobIdError, InvalidTokenError, InvalidDurationError
   */
  async extendJobLocks(
    jobIds: readonly string[],
    tokens: readonly string[],
    duration: Duration,
  ): Promise<string[]> {
    return this.#jobs.runs.extendAll(jobIds, tokens, duration, 'extendJobLocks');
  }

  /**
   * Looks for abandoned jobs from now on, until the worker is closed, where nothing else starts it: `run()` does. Does
   * nothing with `skipStalledCheck`.
   */
  async startStalledCheckTimer(): Promise<void> {
    if (!this.#options.skipStalledCheck && this.#closing === undefined) {
      this.#recover(await this.#connection.use('startStalledCheckTimer'));
    }
  }

  /**
   * Aborts the signal of a job that this worker runs. What its handler makes of that is the outcome: a result, or an
   * error, which is retried as others are; throw an `UnrecoverableError` for no retry.
   *
   * @param jobId - the job
   * @param reason - `signal.reason`; left out, an `AbortError`
   * @returns whether this worker runs the job
   * @throws InvalidJobIdError when the id is no text
   */
  cancelJob(jobId: string, reason?: string): boolean {
    checkStoredJobId(jobId);
    return this.#runner?.cancel(reason, jobId) ?? false;
  }

  /**
   * Aborts the signals of all jobs that this worker runs, see `cancelJob`.
   *
   * @param reason - `signal.reason`; left out, an `AbortError`
   */
  cancelAllJobs(reason?: string): void {
    this.#runner?.cancel(reason);
  }

  /**
   * Lets no jobs of the queue through for a time, as `queue.rateLimit` does; a handler throws a `RateLimitError` then.
   *
   * @param duration - a bare number is milliseconds
   * @throws InvalidDurationError unless it is a time above 0, QueueClosedError after `close()`
   */
  async rateLimit(duration: Duration): Promise<void> {
    const millis = checkLimitDuration('duration', duration);
    await this.#jobs.command('rateLimit', (backend, call) => backend.limitClaims({ duration: millis }, call));
  }

  /** Resolves once the store can be reached. */
  async waitUntilReady(): Promise<void> {
    const { backend } = await this.#connection.use('waitUntilReady');
    await backend.ready();
  }

  /**
   * Takes no more jobs, lets running handlers end, aborts the signals of those that take longer than
   * `shutdown.drain`, hands back, without costing an attempt, what still runs `shutdown.abort` later, and frees the
   * connections. Never rejects; safe to call twice. With no job in its hands it does not wait for a store that is away.
   *
   * @param force - aborts and hands back at once, also where a close without it is under way
   */
  close(force = false): Promise<void> {
    if (force) {
      this.#hurry.abort();
    }
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    // A worker that is closed in the tick of its making must see that before it opens anything.
    await Promise.resolve();
    this.emit('closing', `closing worker of queue "${this.name}"`);
    const { shutdown } = this.#options;
    const fetched = this.#manual.close(shutdown.close);
    await this.#runner?.stop(this.#hurry.signal);
    await Promise.all([fetched, this.#recovery?.stop()]);
    await this.#jobs.close(shutdown.close);
    try {
      await this.#connection.close();
    } catch (error) {
      this.#report(error);
    }
    this.emit('closed');
  }

  #begin(open: OpenConnection): void {
    if (this.#closing !== undefined) {
      return;
    }
    this.#runner = new JobRunner(open, this.#connection.clock, this.#options, this.#executor!, this.#jobs, {
      emit: (name, ...args) => this.emit(name, ...args),
      onError: (error) => this.#report(error),
    });
    if (!this.#options.skipStalledCheck) {
      this.#recover(open);
    }
    this.#runner.start(this.#isPaused);
    // Whoever made the worker has not had a chance to listen yet.
    queueMicrotask(() => this.emit('ready'));
  }

  #recover(open: OpenConnection): void {
    if (this.#recovery !== undefined || this.#closing !== undefined) {
      return;
    }
    const { stalledInterval, maxStalledCount } = this.#options;
    const { clock } = this.#connection;
    const expired = new ExpiredJobs(open, this.#jobs, this.#options, {
      onFailed: (job, error) => this.emit('failed', job, error, 'active'),
      onError: (error) => this.#report(error),
    });
    this.#recovery = new AbandonedJobRecovery(open, clock, stalledInterval, maxStalledCount, expired, {
      onRecovered: (jobIds) => jobIds.forEach((id) => this.emit('stalled', id, 'active')),
      onError: (error) => this.#report(error),
    });
    this.#recovery.start();
  }

  /** Whether jobs may be fetched by hand. */
  get #mayFetch(): boolean {
    return !this.#isPaused && this.#closing === undefined;
  }

  #report(error: unknown): void {
    // Whether a call of the worker's own took effect is nobody's concern: it is made again. That the store is away is.
    const reason = error instanceof OutcomeUnknownError ? (error.cause ?? error) : error;
    if (isStoreError(reason) || isLaneError(reason, 'LANE_CALL_EXPIRED')) {
      this.#storeErrors.take(reason);
    } else {
      this.emit('error', asError(reason));
    }
  }
}
