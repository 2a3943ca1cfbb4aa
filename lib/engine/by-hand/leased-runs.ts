import type { Claim, Outcome } from '../../contract/job-handover';
import { MAX_BATCH } from '../../contract/mutating-call';
import { refusalError } from '../../contract/refusal';
import type { Duration } from '../../model/duration';
import { durationToMillis, LONGEST_DELAY } from '../../model/duration';
import { InvalidDelayError } from '../../model/errors/invalid-delay.error';
import { InvalidTokenError } from '../../model/errors/invalid-token.error';
import { checkStoredJobId } from '../../model/job-id';
import { checkLeaseToken } from '../../model/lease-token';
import { toJson } from '../../model/payload';
import type { Job } from '../job';
import type { RunControl } from '../job-owner';
import type { StoreTime } from '../runtime/store-time';
import { asError } from '../runtime/safe-emitter';
import { askStrategy } from '../worker/backoff-strategy';
import { completedOutcome, failedOutcome, handedBackOutcome } from '../worker/job-outcome';
import type { HandWorker } from './hand-worker';
import type { Command, JobFetcher } from './job-fetcher';

/**
 * Ends the runs of jobs for whoever holds their tokens: handlers that move their own job, and those who run jobs by
 * hand.
 *
 * @internal
 */
export class LeasedRuns implements RunControl {
  /**
   * @param time - of the store, once a call was made
   * @param now - time of this machine
   */
  constructor(
    private readonly command: Command,
    private readonly fetcher: JobFetcher,
    private readonly worker: HandWorker,
    private readonly time: () => StoreTime,
    private readonly now: () => number,
  ) {}

  async delay(job: Job, timestamp: number, token: string | undefined): Promise<void> {
    const lease = { job, token: checkLeaseToken(token) };
    if (!Number.isFinite(timestamp) || timestamp - this.now() > LONGEST_DELAY) {
      throw new InvalidDelayError(
        'timestamp',
        timestamp,
        'a time in milliseconds since 1970, a hundred years ahead at most',
        'Use Date.now() plus the time to wait.',
      );
    }
    await this.#settle('moveToDelayed', lease, false, () => {
      const until = Math.ceil(this.time().now() + timestamp - this.now());
      return { kind: 'delayed', id: job.id, token: lease.token, until };
    });
  }

  async handBack(job: Job, token: string | undefined): Promise<void> {
    const lease = { job, token: checkLeaseToken(token) };
    await this.#settle('moveToWait', lease, false, () => handedBackOutcome(lease));
  }

  async complete(
    job: Job,
    value: unknown,
    token: string | undefined,
    fetchNext: boolean,
  ): Promise<Job | undefined> {
    const lease = { job, token: checkLeaseToken(token) };
    const json = toJson(value, 'null', 'result', job.name);
    const { options } = this.worker;
    return this.#settle('moveToCompleted', lease, fetchNext, () => completedOutcome(lease, json, options));
  }

  async fail(
    job: Job,
    thrown: unknown,
    token: string | undefined,
    fetchNext: boolean,
  ): Promise<Job | undefined> {
    const lease = { job, token: checkLeaseToken(token) };
    const error = asError(thrown);
    const { options } = this.worker;
    const answer = await askStrategy(job, error, options);
    const outcome = failedOutcome(lease, answer?.error ?? error, options, answer);
    return this.#settle('moveToFailed', lease, fetchNext, () => outcome);
  }

  async extend(job: Job, token: string | undefined, duration: Duration): Promise<boolean> {
    const failed = await this.extendAll([job.id], [checkLeaseToken(token)], duration, 'extendLock');
    return failed.length === 0;
  }

  /** @returns ids of the jobs whose leases were not lengthened */
  async extendAll(
    ids: readonly string[],
    tokens: readonly string[],
    duration: Duration,
    name: string,
  ): Promise<string[]> {
    const leaseDuration = durationToMillis('duration', duration);
    if (ids.length !== tokens.length) {
      throw new InvalidTokenError(
        'tokens',
        tokens,
        'as many texts as there are ids',
        'Give one for each job.',
      );
    }
    tokens.forEach(checkLeaseToken);
    for (const id of ids) {
      checkStoredJobId(id);
    }
    const failed: string[] = [];
    for (let from = 0; from < ids.length; from += MAX_BATCH) {
      const leases = ids
        .slice(from, from + MAX_BATCH)
        .map((id, index) => ({ id, token: tokens[from + index]! }));
      const { refusals } = await this.command(name, (backend, call) =>
        backend.renewLeases({ leases, leaseDuration }, call),
      );
      failed.push(...leases.filter((_, index) => refusals[index] !== null).map(({ id }) => id));
    }
    return failed;
  }

  /** @param toOutcome - called when the store's time is known */
  #settle(
    name: string,
    lease: Lease,
    fetchNext: boolean,
    toOutcome: () => Outcome,
  ): Promise<Job | undefined> {
    const settled = this.#send(name, lease, fetchNext, toOutcome);
    const hasLeft = settled.then(
      () => true,
      () => false,
    );
    this.worker.onMoving?.(lease.job, hasLeft);
    return settled.then(async (claim) => claim && (await this.fetcher.take(claim)).job);
  }

  async #send(
    name: string,
    { job, token }: Lease,
    fetchNext: boolean,
    toOutcome: () => Outcome,
  ): Promise<Claim | undefined> {
    const { maxDataPoints } = this.worker.options;
    const request = fetchNext ? this.fetcher.claimOf(token) : null;
    let outcome: Outcome | undefined;
    const { now, refusals, claim } = await this.command(name, (backend, call) => {
      // A call that is made again says the same.
      outcome ??= toOutcome();
      return backend.settleJobs({ outcomes: [outcome], claim: request, maxDataPoints }, call);
    });
    const [refusal] = refusals;
    if (refusal == null) {
      job.takeOutcome(outcome!, now);
      return claim ?? undefined;
    }
    const next = claim === null ? undefined : (await this.fetcher.take(claim)).job;
    if (next !== undefined) {
      await this.fetcher.handBack([next], token);
    }
    throw refusalError(refusal, job.id, job.queueName);
  }
}

interface Lease {
  readonly job: Job;
  readonly token: string;
}
