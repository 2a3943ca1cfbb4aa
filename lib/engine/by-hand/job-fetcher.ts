import type { Claim, ClaimIdle, ClaimRequest, Outcome, SettleJobsReply } from '../../contract/job-handover';
import type { PatternIteration } from '../../contract/iteration-planning';
import type { QueueBackend } from '../../contract/queue-backend';
import type { MutatingCall, Reply } from '../../contract/mutating-call';
import { refusalError } from '../../contract/refusal';
import { JobCancelledError } from '../../model/errors/job-cancelled.error';
import type { RateLimit } from '../../model/rate-limit';
import { Job } from '../job';
import type { JobOwner } from '../job-owner';
import { dueAfter } from '../worker/iteration-planner';
import {
  cancelledOutcome,
  cancelOf,
  failedOutcome,
  handedBackOutcome,
  refusalToRun,
} from '../worker/job-outcome';
import type { HandWorker } from './hand-worker';

/** @internal */
export type Command = <R extends Reply>(
  name: string,
  send: (backend: QueueBackend, call: MutatingCall) => Promise<R>,
) => Promise<R>;

/** What a fetch brought: a job, or why there is none. @internal */
export interface Fetched {
  readonly job: Job | undefined;
  readonly idle: ClaimIdle | null;
}

/**
 * Fetches jobs one by one for whoever runs them by hand. What a worker does for the jobs that it claims is done here:
 * jobs that must not run any more are failed, and what follows an iteration of a job scheduler is planned.
 *
 * @internal
 */
export class JobFetcher {
  /**
   * @param owner - of the jobs
   * @param command - makes changing calls
   */
  constructor(
    private readonly owner: JobOwner,
    private readonly command: Command,
    private readonly worker: HandWorker,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** The claim of one job. */
  claimOf(token: string): ClaimRequest {
    const { lockDuration, name } = this.worker.options;
    return { count: 1, leaseDuration: lockDuration, workerName: name, token, ...this.limited };
  }

  /** The rate that claims go by. */
  get limited(): { readonly limiter?: RateLimit } {
    const { limiter } = this.worker.options;
    return limiter === undefined ? {} : { limiter };
  }

  /** Fetches the next job, if one is ready. */
  async fetch(token: string): Promise<Fetched> {
    const request = this.claimOf(token);
    const { claim } = await this.command('getNextJob', (backend, call) => backend.claimJobs(request, call));
    return this.take(claim);
  }

  /** Takes what a claim brought; fetches on while that is a job that must not run. */
  async take(first: Claim): Promise<Fetched> {
    for (let claim = first; ;) {
      const [record] = claim.jobs;
      if (record === undefined) {
        if (claim.idle?.reason === 'empty') {
          this.worker.onDrained?.();
        }
        return { job: undefined, idle: claim.idle };
      }
      const job = new Job(this.owner, record, claim.token);
      const refusal =
        cancelOf(record, this.owner.queueName) ??
        refusalToRun(job, record.deferredFailure, this.worker.options);
      if (refusal !== null) {
        claim = await this.#failAndFetch(job, claim.token, refusal);
      } else if (await this.#plan(claim.iterations[0])) {
        this.worker.onActive?.(job);
        return { job, idle: null };
      } else {
        await this.handBack([job], claim.token);
        return { job: undefined, idle: { reason: 'blocked', dueIn: this.worker.options.runRetryDelay } };
      }
    }
  }

  /** Gives back jobs that were fetched. */
  async handBack(jobs: readonly Job[], token: string): Promise<void> {
    const outcomes = jobs.map((job) => handedBackOutcome({ job, token }));
    await this.#settle(outcomes, null);
  }

  async #failAndFetch(job: Job, token: string, error: Error): Promise<Claim> {
    const { options } = this.worker;
    const outcome =
      error instanceof JobCancelledError
        ? cancelledOutcome({ job, token }, error, options)
        : failedOutcome({ job, token }, error, options);
    const { now, refusals, claim } = await this.#settle([outcome], this.claimOf(token));
    const [refusal] = refusals;
    if (refusal == null) {
      job.takeOutcome(outcome, now);
      this.worker.onFailed?.(job, error);
    } else {
      this.onError(refusalError(refusal, job.id, this.owner.queueName));
    }
    return claim!;
  }

  #settle(outcomes: readonly Outcome[], claim: ClaimRequest | null): Promise<SettleJobsReply> {
    const { maxDataPoints } = this.worker.options;
    return this.command('getNextJob', (backend, call) =>
      backend.settleJobs({ outcomes, claim, maxDataPoints }, call),
    );
  }

  /** @returns whether the job may run: what follows it is planned, or nothing ever will */
  async #plan(iteration: PatternIteration | undefined): Promise<boolean> {
    if (iteration === undefined) {
      return true;
    }
    const due = dueAfter(iteration, this.onError);
    if (due === null) {
      return true;
    }
    const request = { id: iteration.id, due };
    try {
      await this.command('getNextJob', (backend, call) => backend.planIteration(request, call));
      return true;
    } catch (error) {
      this.onError(error);
      return false;
    }
  }
}
