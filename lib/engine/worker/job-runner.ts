import { Refusal, refusalError } from '../../contract/refusal';
import type { PatternIteration } from '../../contract/iteration-planning';
import type { Clock } from '../../contract/clock';
import { JobNotMovedError } from '../../model/errors/job-not-moved.error';
import { WorkerClosingError } from '../../model/errors/worker-closing.error';
import type { JobRecord } from '../../model/job-record';
import type { ResolvedWorkerOptions } from '../../model/worker-options';
import { Job } from '../job';
import type { JobOwner } from '../job-owner';
import type { OpenConnection } from '../runtime/queue-connection';
import { ActiveJob } from './active-job';
import type { ClaimedJob } from './claim-loop';
import { ClaimLoop } from './claim-loop';
import { drain } from './drain';
import { IterationPlanner } from './iteration-planner';
import type { FinishedJob, JobExecutor } from './job-executor';
import { handedBackOutcome } from './job-outcome';
import { RequestedCancels } from './requested-cancels';
import { LeaseKeeper } from './lease-keeper';
import type { WorkerListeners } from './worker-listeners';
import type { WorkerVitals } from './worker-vitals';

/**
 * Whom a runner tells what happens.
 *
 * @internal
 */
export interface JobRunnerListener {
  emit<Name extends keyof WorkerListeners>(name: Name, ...args: WorkerListeners[Name]): void;
  onError(error: unknown): void;
}

/**
 * Runs the jobs that its loop claims, from claim to outcome.
 *
 * @internal
 */
export class JobRunner {
  readonly #loop: ClaimLoop<FinishedJob>;
  readonly #leases: LeaseKeeper;
  readonly #planner: IterationPlanner;
  readonly #requested: RequestedCancels;
  readonly #storeTime: () => number;
  readonly #running = new Map<ActiveJob, (finished: FinishedJob | undefined) => void>();

  constructor(
    open: OpenConnection,
    private readonly clock: Clock,
    private readonly options: ResolvedWorkerOptions,
    private readonly executor: JobExecutor,
    private readonly owner: JobOwner,
    private readonly listener: JobRunnerListener,
  ) {
    this.#storeTime = () => open.time.now();
    const onError = (error: unknown): void => listener.onError(error);
    this.#leases = new LeaseKeeper(open, owner.queueName, clock, options, {
      onRenewed: (jobIds) => listener.emit('locksRenewed', { count: jobIds.length, jobIds }),
      onRenewalFailed: (jobIds) => listener.emit('lockRenewalFailed', jobIds),
      onCancel: (notice) => this.#requested.take(notice, this.#running.keys()),
      onError,
    });
    this.#requested = new RequestedCancels(owner.queueName);
    this.#planner = new IterationPlanner(open, clock, options.lockDuration, options.runRetryDelay, onError);
    this.#loop = new ClaimLoop(open, clock, options, {
      run: (claimed, ended) => this.#take(claimed, ended),
      decline: (record, token) => this.#handBack(this.#activate(record, token)),
      settled: (finished, refusal, now) => this.#settled(finished, refusal, now),
      drained: () => listener.emit('drained'),
      onCancel: (notice) => this.#requested.take(notice, this.#running.keys()),
      onError,
    });
  }

  /** Begins. */
  start(isPaused: boolean): void {
    this.#leases.start();
    if (isPaused) {
      this.#loop.stopClaiming();
    }
    this.#loop.start();
  }

  /** Takes no more jobs. */
  pause(): void {
    this.#loop.stopClaiming();
  }

  /** Takes jobs again. */
  resume(): void {
    this.#loop.claim();
  }

  /** See `ClaimLoop`. */
  adjust(): void {
    this.#loop.adjust();
  }

  /** See `ClaimLoop`. */
  outcomesWritten(): Promise<void> {
    return this.#loop.outcomesWritten();
  }

  /** Tells whether it does its work. */
  vitals(): WorkerVitals {
    const { drainDelay, maximumRateLimitDelay, lockDuration } = this.options;
    const now = this.#storeTime();
    const begun = [...this.#running.keys()].map(({ job }) => job.processedOn ?? now);
    return {
      running: begun.length,
      longestRun: begun.reduce((longest, at) => Math.max(longest, now - at), 0),
      silentFor: this.#loop.silentFor,
      // A wait takes one of the first two at most, and a call is given up when the last one is over.
      longestSilence: Math.max(drainDelay, maximumRateLimitDelay, lockDuration),
    };
  }

  /** See `ClaimLoop`. */
  holdsNothing(): boolean {
    return this.#loop.holdsNothing();
  }

  /**
   * Ends in an orderly way.
   *
   * @param hurry - ends the time that handlers have
   */
  async stop(hurry: AbortSignal): Promise<void> {
    await drain(
      {
        stopClaiming: () => this.#loop.stopClaiming(),
        handlersEnded: () => this.#loop.handlersEnded(),
        outcomesWritten: () => this.#loop.outcomesWritten(),
        holdsNothing: () => this.#loop.holdsNothing(),
        abortHandlers: () => this.#abortHandlers(),
        handBackRunning: () => this.#handBackRunning(),
      },
      this.clock,
      this.options.shutdown,
      hurry,
    );
    await Promise.all([this.#loop.stop(), this.#leases.stop()]);
  }

  /**
   * Aborts the signal of a running job, or of all.
   *
   * @returns whether there was one
   */
  cancel(reason: string | undefined, jobId?: string): boolean {
    const actives = [...this.#running.keys()].filter(
      (active) => !active.hasLeft && (jobId === undefined || active.id === jobId),
    );
    actives.forEach((active) => active.cancel(reason));
    return actives.length > 0;
  }

  /** The handler of a job moves it: its lease is not missed, and there is no outcome to write if it has left. */
  moving(job: Job, hasLeft: Promise<boolean>): void {
    const active = [...this.#running.keys()].find((running) => running.job === job);
    if (active === undefined) {
      return;
    }
    const leaving = hasLeft.then((left) => {
      if (left) {
        active.hasLeft = true;
        this.#leases.release(active);
      } else if (active.leaving === leaving) {
        active.leaving = undefined;
      }
      return left;
    });
    active.leaving = leaving;
  }

  #activate(record: JobRecord, token: string): ActiveJob {
    const active = new ActiveJob(new Job(this.owner, record, token), token, record.deferredFailure);
    this.#requested.find(active, record);
    this.#leases.track(active);
    return active;
  }

  #take({ record, token, iteration }: ClaimedJob, ended: (finished: FinishedJob | undefined) => void): void {
    const active = this.#activate(record, token);
    this.#running.set(active, ended);
    if (iteration === undefined) {
      this.#run(active);
    } else {
      void this.#planAndRun(active, iteration);
    }
  }

  async #planAndRun(active: ActiveJob, iteration: PatternIteration): Promise<void> {
    // Whoever cancels the job does not want its scheduler to end.
    this.#requested.hold(active);
    const mayRun = await this.#planner.plan(iteration, active.signal);
    this.#requested.release(active);
    if (mayRun && !active.isAborted) {
      this.#run(active);
    } else {
      this.#ended(active, this.#handBack(active));
    }
  }

  #run(active: ActiveJob): void {
    this.listener.emit('active', active.job, 'waiting');
    this.executor.run(active, (finished) => this.#ended(active, finished));
  }

  /** Of a handler that ends and a close that hands back, the first one names the outcome. */
  #ended(active: ActiveJob, finished: FinishedJob | undefined): void {
    const ended = this.#running.get(active);
    if (ended !== undefined) {
      active.stopTimer();
      this.#running.delete(active);
      ended(finished);
    }
  }

  #abortHandlers(): void {
    for (const active of this.#running.keys()) {
      active.abort(new WorkerClosingError(this.owner.queueName));
    }
  }

  #handBackRunning(): void {
    for (const active of [...this.#running.keys()]) {
      if (active.settleNow() || this.executor.abandonOverrun(active)) {
        continue;
      }
      if (active.leaving === undefined) {
        this.#ended(active, this.#handBack(active));
      } else {
        void active.leaving.then((left) => this.#ended(active, left ? undefined : this.#handBack(active)));
      }
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
      return this.executor.refused(active, refusalError(refusal, job.id, this.owner.queueName));
    }
    this.#leases.release(active);
    if (refusal !== null) {
      // Its handler says that it has moved it, which may be true of a job that it got at by other ways.
      if (error instanceof JobNotMovedError) {
        return undefined;
      }
      this.listener.emit('error', refusalError(refusal, job.id, this.owner.queueName));
      return undefined;
    }
    job.takeOutcome(outcome, now);
    if (outcome.kind === 'completed') {
      this.listener.emit('completed', job, result, 'active');
    } else if (outcome.kind === 'handed-back') {
      this.listener.emit('handedBack', job);
    } else if (outcome.kind === 'failed' || outcome.kind === 'retry') {
      this.listener.emit('failed', job, error!, 'active');
    }
    return undefined;
  }
}
