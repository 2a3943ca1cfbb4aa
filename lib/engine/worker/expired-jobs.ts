import type { Claim } from '../../contract/job-handover';
import { MAX_BATCH } from '../../contract/mutating-call';
import { refusalError } from '../../contract/refusal';
import type { ResolvedWorkerOptions } from '../../model/worker-options';
import { Job } from '../job';
import type { JobOwner } from '../job-owner';
import type { OpenConnection } from '../runtime/queue-connection';
import { failedOutcome, refusalToRun } from './job-outcome';

/** Milliseconds that a call may take. */
const VALIDITY = 5_000;

/**
 * Fails jobs that nobody has started in time, wherever they wait.
 *
 * @internal
 */
export class ExpiredJobs {
  constructor(
    private readonly connection: OpenConnection,
    private readonly owner: JobOwner,
    private readonly options: ResolvedWorkerOptions,
    private readonly listener: { onFailed(job: Job, error: Error): void; onError(error: unknown): void },
  ) {}

  /**
   * Fails those that have expired by now.
   *
   * @param signal - takes no more of them
   */
  async fail(signal: AbortSignal): Promise<void> {
    const { control, backend } = this.connection;
    const { lockDuration: leaseDuration, name: workerName } = this.options;
    const terms = { name: 'claimExpiredJobs', validFor: VALIDITY, reissue: 'once', signal } as const;
    for (let more = true; more && !signal.aborted;) {
      const reply = await control.call(terms, (call) =>
        backend.claimExpiredJobs({ count: MAX_BATCH, leaseDuration, workerName }, call),
      );
      await this.#fail(reply.claim);
      more = reply.more;
    }
  }

  async #fail({ jobs, token }: Claim): Promise<void> {
    if (jobs.length === 0) {
      return;
    }
    const { control, backend } = this.connection;
    const { maxDataPoints } = this.options;
    const failures = jobs.map((record) => {
      const job = new Job(this.owner, record, token);
      const error = refusalToRun(job, record.deferredFailure, this.options)!;
      return { job, error, outcome: failedOutcome({ job, token }, error, this.options) };
    });
    const outcomes = failures.map(({ outcome }) => outcome);
    // Jobs that are in hand are let go of even if the worker closes.
    const terms = { name: 'settleJobs', validFor: VALIDITY, reissue: 'once' } as const;
    const { now, refusals } = await control.call(terms, (call) =>
      backend.settleJobs({ outcomes, claim: null, maxDataPoints }, call),
    );
    failures.forEach(({ job, error, outcome }, index) => {
      const refusal = refusals[index] ?? null;
      if (refusal === null) {
        job.takeOutcome(outcome, now);
        this.listener.onFailed(job, error);
      } else {
        this.listener.onError(refusalError(refusal, job.id, this.owner.queueName));
      }
    });
  }
}
