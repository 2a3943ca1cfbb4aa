/* eslint-disable @typescript-eslint/no-explicit-any -- untyped queues are used as in BullMQ */
import type { PatternIteration } from '../../contract/iteration-planning';
import { Refusal, refusalError } from '../../contract/refusal';
import { AlreadyRunningError } from '../../model/errors/already-running.error';
import { CallExpiredError } from '../../model/errors/call-expired.error';
import { InvalidProcessorError } from '../../model/errors/invalid-processor.error';
import { OutcomeUnknownError } from '../../model/errors/outcome-unknown.error';
import { QueueClosedError } from '../../model/errors/queue-closed.error';
import { StoreError } from '../../model/errors/store.error';
import { WorkerClosingError } from '../../model/errors/worker-closing.error';
import type { JobRecord } from '../../model/job-record';
import { checkQueueName } from '../../model/queue-options';
import type { ResolvedWorkerOptions, WorkerOptions } from '../../model/worker-options';
import { resolveWorkerOptions } from '../../model/worker-options';
import { Job } from '../job';
import { JobGateway } from '../job-gateway';
import type { ConnectionOptions, OpenConnection } from '../runtime/queue-connection';
import { CONNECTION_OPTION_NAMES, QueueConnection } from '../runtime/queue-connection';
import { RepeatedErrors } from '../runtime/repeated-errors';
import { asError, SafeEmitter } from '../runtime/safe-emitter';
import { AbandonedJobRecovery } from './abandoned-job-recovery';
import { ActiveJob } from './active-job';
import type { ClaimedJob } from './claim-loop';
import { ClaimLoop } from './claim-loop';
import { drain } from './drain';
import { IterationPlanner } from './iteration-planner';
import type { FinishedJob, Processor } from './job-executor';
import { JobExecutor } from './job-executor';
import { handedBackOutcome } from './job-outcome';
import { LeaseKeeper } from './lease-keeper';

/**
 * Events of a `Worker`: what this worker does.
 *
 * @public
 */
export interface WorkerListeners {
  /** A handler is about to run. */
  active: [job: Job, prev: string];
  /** A result was written. */
  completed: [job: Job, result: unknown, prev: string];
  /** A failed attempt was written, whether or not the job will be tried again. */
  failed: [job: Job, error: Error, prev: string];
  /** A handler reported progress. */
  progress: [job: Job, progress: unknown];
  /** A job was taken back from a worker that is gone. */
  stalled: [jobId: string, prev: string];
  /** Nothing is left to run for now. */
  drained: [];
  /** `pause()` took effect. */
  paused: [];
  /** `resume()` took effect. */
  resumed: [];
  /** The worker runs. */
  ready: [];
  /** `close()` began. */
  closing: [message: string];
  /** `close()` ended. */
  closed: [];
  /** Leases were lengthened. */
  locksRenewed: [renewed: { count: number; jobIds: string[] }];
  /** Leases were lost; the signals of these jobs are aborted. */
  lockRenewalFailed: [jobIds: string[]];
  /** Something failed that the worker survives. */
  error: [error: Error];
}

/**
 * Options of a `Worker` with where its queue is stored.
 *
 * @public
 */
export type WorkerSettings = WorkerOptions & ConnectionOptions;

interface Parts {
  readonly loop: ClaimLoop<FinishedJob>;
  readonly leases: LeaseKeeper;
  readonly recovery: AbandonedJobRecovery;
  readonly planner: IterationPlanner;
}

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
> extends SafeEmitter<WorkerListeners> {
  readonly #options: ResolvedWorkerOptions;
  readonly #connection: QueueConnection;
  readonly #jobs: JobGateway;
  readonly #executor: JobExecutor;
  readonly #storeErrors: RepeatedErrors;
  readonly #running = new Map<ActiveJob, (finished: FinishedJob) => void>();
  #parts: Parts | undefined;
  #lifetime: Promise<void> | undefined;
  #isPaused = false;
  #closing: Promise<void> | undefined;

  /**
   * @param name - the queue
   * @param processor - runs one job
   * @throws InvalidQueueNameError, InvalidProcessorError, InvalidOptionsError, UnknownOptionError,
   * InvalidBackendError, or the error of a bad option
   */
  constructor(
    readonly name: string,
    processor: Processor<Data, Result, Name>,
    readonly opts: WorkerSettings,
  ) {
    super(`Worker "${checkQueueName(name)}"`);
    if (typeof processor !== 'function') {
      throw new InvalidProcessorError(processor);
    }
    this.#options = resolveWorkerOptions(opts, 'Worker', CONNECTION_OPTION_NAMES);
    this.#executor = new JobExecutor(processor as Processor, this.#options);
    this.#connection = new QueueConnection(name, `Worker "${name}"`, 'worker', opts, this.#options.name);
    this.#storeErrors = new RepeatedErrors(this.#connection.clock, (error) => this.emit('error', error));
    this.#jobs = new JobGateway(this.#connection, opts, {
      onProgress: (job, progress) => this.emit('progress', job, progress),
      onError: (error) => this.emit('error', error),
    });
    if (this.#options.autorun) {
      this.run().catch((error: unknown) => this.#report(error));
    }
  }

  /** Jobs run at once. */
  get concurrency(): number {
    return this.#options.concurrency;
  }

  /**
   * Starts taking jobs, for `autorun: false`; resolves when the worker was closed.
   *
   * @throws AlreadyRunningError when it runs already
   * @throws QueueClosedError after `close()`
   */
  async run(): Promise<void> {
    if (this.#closing !== undefined) {
      throw new QueueClosedError(`Worker "${this.name}"`, 'run');
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

  /** Whether the worker was started and not closed. */
  isRunning(): boolean {
    return this.#parts !== undefined && this.#closing === undefined;
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
    if (!this.#isPaused) {
      this.#isPaused = true;
      this.#parts?.loop.stopClaiming();
      this.emit('paused');
    }
    if (!doNotWaitActive) {
      await this.#parts?.loop.outcomesWritten();
    }
  }

  /** Takes jobs again. */
  resume(): void {
    if (this.#isPaused) {
      this.#isPaused = false;
      if (this.#closing === undefined) {
        this.#parts?.loop.claim();
      }
      this.emit('resumed');
    }
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
   * @param force - aborts and hands back at once
   */
  close(force = false): Promise<void> {
    this.#closing ??= this.#close(force);
    return this.#closing;
  }

  async #close(force: boolean): Promise<void> {
    // A worker that is closed in the tick of its making must see that before it opens anything.
    await Promise.resolve();
    this.emit('closing', `closing worker of queue "${this.name}"`);
    const parts = this.#parts;
    if (parts !== undefined) {
      const { shutdown } = this.#options;
      const bounds = force ? { ...shutdown, drain: 0, abort: 0 } : shutdown;
      await drain(
        {
          stopClaiming: () => parts.loop.stopClaiming(),
          handlersEnded: () => parts.loop.handlersEnded(),
          outcomesWritten: () => parts.loop.outcomesWritten(),
          holdsNothing: () => parts.loop.holdsNothing(),
          abortHandlers: () => this.#abortHandlers(),
          handBackRunning: () => this.#handBackRunning(),
        },
        this.#connection.clock,
        bounds,
      );
      await Promise.all([parts.loop.stop(), parts.leases.stop(), parts.recovery.stop()]);
    }
    await this.#jobs.close(this.#options.shutdown.close);
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
    const parts = this.#build(open);
    this.#parts = parts;
    parts.leases.start();
    parts.recovery.start();
    if (this.#isPaused) {
      parts.loop.stopClaiming();
    }
    parts.loop.start();
    // Whoever made the worker has not had a chance to listen yet.
    queueMicrotask(() => this.emit('ready'));
  }

  #build(open: OpenConnection): Parts {
    const { clock } = this.#connection;
    const options = this.#options;
    const onError = (error: unknown): void => this.#report(error);
    return {
      leases: new LeaseKeeper(open, this.name, clock, options.lockDuration, {
        onRenewed: (jobIds) => this.emit('locksRenewed', { count: jobIds.length, jobIds }),
        onRenewalFailed: (jobIds) => this.emit('lockRenewalFailed', jobIds),
        onError,
      }),
      recovery: new AbandonedJobRecovery(open, clock, options.stalledInterval, options.maxStalledCount, {
        onRecovered: (jobIds) => jobIds.forEach((id) => this.emit('stalled', id, 'active')),
        onError,
      }),
      planner: new IterationPlanner(open, clock, options.lockDuration, onError),
      loop: new ClaimLoop(open, clock, options, {
        run: (claimed, ended) => this.#take(claimed, ended),
        decline: (record, token) => this.#handBack(this.#activate(record, token)),
        settled: (finished, refusal, now) => this.#settled(finished, refusal, now),
        drained: () => this.emit('drained'),
        onError,
      }),
    };
  }

  #activate(record: JobRecord, token: string): ActiveJob {
    const active = new ActiveJob(new Job(this.#jobs, record, token), token, record.deferredFailure);
    this.#parts!.leases.track(active);
    return active;
  }

  #take({ record, token, iteration }: ClaimedJob, ended: (finished: FinishedJob) => void): void {
    const active = this.#activate(record, token);
    this.#running.set(active, ended);
    if (iteration === undefined) {
      this.#run(active);
    } else {
      void this.#planAndRun(active, iteration);
    }
  }

  async #planAndRun(active: ActiveJob, iteration: PatternIteration): Promise<void> {
    const mayRun = await this.#parts!.planner.plan(iteration, active.signal);
    if (mayRun && !active.isAborted) {
      this.#run(active);
    } else {
      this.#ended(active, this.#handBack(active));
    }
  }

  #run(active: ActiveJob): void {
    this.emit('active', active.job, 'waiting');
    this.#executor.run(active, (finished) => this.#ended(active, finished));
  }

  /** Of a handler that ends and a close that hands back, the first one names the outcome. */
  #ended(active: ActiveJob, finished: FinishedJob): void {
    const ended = this.#running.get(active);
    if (ended !== undefined) {
      this.#running.delete(active);
      ended(finished);
    }
  }

  #abortHandlers(): void {
    for (const active of this.#running.keys()) {
      active.abort(new WorkerClosingError(this.name));
    }
  }

  #handBackRunning(): void {
    for (const active of [...this.#running.keys()]) {
      this.#ended(active, this.#handBack(active));
    }
  }

  #handBack(active: ActiveJob): FinishedJob {
    return { active, outcome: handedBackOutcome(active), result: undefined, error: undefined };
  }

  /** @returns the outcome that has to be written in place of a refused one */
  #settled(
    { active, outcome, result, error }: FinishedJob,
    refusal: Refusal | null,
    now: number,
  ): FinishedJob | Promise<FinishedJob> | undefined {
    const { job } = active;
    if (refusal === Refusal.PendingChildren || refusal === Refusal.FailedChildren) {
      return this.#executor.refused(active, refusalError(refusal, job.id, this.name));
    }
    this.#parts!.leases.release(active);
    if (refusal !== null) {
      this.emit('error', refusalError(refusal, job.id, this.name));
      return undefined;
    }
    job.takeOutcome(outcome, now);
    if (outcome.kind === 'completed') {
      this.emit('completed', job, result, 'active');
    } else if (outcome.kind !== 'handed-back') {
      this.emit('failed', job, error!, 'active');
    }
    return undefined;
  }

  #report(error: unknown): void {
    // Whether a call of the worker's own took effect is nobody's concern: it is made again. That the store is away is.
    const reason = error instanceof OutcomeUnknownError ? (error.cause ?? error) : error;
    if (reason instanceof StoreError || reason instanceof CallExpiredError) {
      this.#storeErrors.take(reason);
    } else {
      this.emit('error', asError(reason));
    }
  }
}
