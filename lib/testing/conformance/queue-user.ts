import type {
  Claim,
  ClaimJobsReply,
  ClaimRequest,
  HeldLease,
  Outcome,
  RecoverAbandonedJobsReply,
  RecoverAbandonedJobsRequest,
  RenewLeasesReply,
  SettleJobsReply,
} from '../../contract/job-handover';
import type { CancelJobsReply, JobCancel } from '../../contract/job-cancelling';
import type { NewEvent } from '../../contract/event-log';
import type { ClaimExpiredJobsReply, ClaimExpiredJobsRequest } from '../../contract/job-expiry';
import type { AddResult, NewJob } from '../../contract/job-intake';
import type { PlanIterationReply } from '../../contract/iteration-planning';
import type { FinishedState, JobRetry, MoveJobsReply, MoveStateReply } from '../../contract/job-moves';
import type { UpdateDataReply } from '../../contract/job-data';
import type { AddLogsReply } from '../../contract/job-logs';
import type { UpdateProgressReply } from '../../contract/job-progress';
import {
  MAX_REMOVED,
  type CleanJobsReply,
  type CleanJobsRequest,
  type DrainQueueReply,
  type ObliterateQueueReply,
  type RemoveJobsReply,
} from '../../contract/job-removal';
import { MAX_BATCH, type MutatingCall, type Reply } from '../../contract/mutating-call';
import type { QueueBackend } from '../../contract/queue-backend';
import type { QueueControlReply } from '../../contract/queue-control';
import { KEEP_ALL, type Retention } from '../../model/policy/retention';
import type { JobRecord } from '../../model/job-record';
import type { RateLimit } from '../../model/rate-limit';
import { JOB_STATES, type JobState } from '../../model/job-state';

/**
 * The states that callers can bring about: all but that of jobs of a flow, which they cannot make.
 *
 * @internal
 */
export const REACHED_STATES = JOB_STATES.filter((state) => state !== 'waiting-children');

/** What a job of the cases is, unless they say otherwise. */
const PLAIN_JOB: NewJob = {
  id: null,
  name: 'work',
  data: '{}',
  options: '{}',
  priority: 0,
  delay: 0,
  lifo: false,
};

/** What a claim of the cases is, unless they say otherwise. */
const PLAIN_CLAIM = { leaseDuration: 30_000, workerName: null };

/** What a retry of the cases is, unless they say otherwise. */
const PLAIN_RETRY: Omit<JobRetry, 'id'> = {
  state: 'failed',
  lifo: false,
  resetAttemptsMade: false,
  resetAttemptsStarted: false,
};

const CALL_TIME = 60_000;

/**
 * One user of a queue: a handle, whose calls it numbers, in the short forms that the cases need.
 *
 * @public
 */
export class QueueUser {
  readonly #lastNumbers = new Map<string, number>();

  constructor(readonly handle: QueueBackend) {}

  /** The next number of a channel. */
  async nextCall(channel: string, changes: Partial<MutatingCall> = {}): Promise<MutatingCall> {
    const sequence = (this.#lastNumbers.get(channel) ?? 0) + 1;
    this.#lastNumbers.set(channel, sequence);
    const notAfter = (await this.handle.time()) + CALL_TIME;
    return { caller: this.handle.caller, channel, sequence, notAfter, ...changes };
  }

  async add(...jobs: Partial<NewJob>[]): Promise<AddResult[]> {
    const call = await this.nextCall('a0');
    const reply = await this.handle.addJobs({ jobs: jobs.map((job) => ({ ...PLAIN_JOB, ...job })) }, call);
    return reply.results;
  }

  /** Adds plain jobs with ids of their own. */
  async addIds(...ids: string[]): Promise<void> {
    await this.add(...ids.map((id) => ({ id })));
  }

  async claim(count: number, changes: Partial<ClaimRequest> = {}): Promise<Claim> {
    return (await this.claimWith(await this.nextCall('w0'), count, changes)).claim;
  }

  claimWith(call: MutatingCall, count: number, changes: Partial<ClaimRequest> = {}): Promise<ClaimJobsReply> {
    return this.handle.claimJobs({ ...PLAIN_CLAIM, count, ...changes }, call);
  }

  /** Settles, and claims if a number of jobs is given. */
  async settle(
    outcomes: Outcome[],
    count = 0,
    changes: Partial<ClaimRequest> = {},
  ): Promise<SettleJobsReply> {
    return this.settleWith(await this.nextCall('w0'), outcomes, count, changes);
  }

  settleWith(
    call: MutatingCall,
    outcomes: Outcome[],
    count = 0,
    changes: Partial<ClaimRequest> = {},
  ): Promise<SettleJobsReply> {
    const claim = count === 0 ? null : { ...PLAIN_CLAIM, count, ...changes };
    return this.handle.settleJobs({ outcomes, claim }, call);
  }

  async renew(leases: HeldLease[], leaseDuration = PLAIN_CLAIM.leaseDuration): Promise<RenewLeasesReply> {
    return this.handle.renewLeases({ leases, leaseDuration }, await this.nextCall('c0'));
  }

  async recover(changes: Partial<RecoverAbandonedJobsRequest> = {}): Promise<RecoverAbandonedJobsReply> {
    const request = { sweepInterval: 30_000, maxStalledCount: 1, ...changes };
    return this.handle.recoverAbandonedJobs(request, await this.nextCall('c0'));
  }

  async claimExpired(changes: Partial<ClaimExpiredJobsRequest> = {}): Promise<ClaimExpiredJobsReply> {
    const request = { ...PLAIN_CLAIM, count: MAX_BATCH, ...changes };
    return this.handle.claimExpiredJobs(request, await this.nextCall('c0'));
  }

  async plan(id: string, due: number): Promise<PlanIterationReply> {
    return this.handle.planIteration({ id, due }, await this.nextCall('c0'));
  }

  async progress(id: string, progress: string): Promise<UpdateProgressReply> {
    return this.handle.updateProgress({ updates: [{ id, progress }] }, await this.nextCall('c0'));
  }

  async promote(...ids: string[]): Promise<MoveJobsReply> {
    return this.handle.promoteJobs({ ids }, await this.nextCall('c0'));
  }

  async promoteDelayed(count: number): Promise<MoveStateReply> {
    return this.handle.promoteDelayedJobs({ count }, await this.nextCall('c0'));
  }

  /** @param changes - ids and delays */
  async changeDelays(...changes: [id: string, delay: number][]): Promise<MoveJobsReply> {
    const request = { changes: changes.map(([id, delay]) => ({ id, delay })) };
    return this.handle.changeDelays(request, await this.nextCall('c0'));
  }

  /** @param changes - ids, priorities, and whether the job goes first */
  async changePriorities(
    ...changes: [id: string, priority: number, lifo?: boolean][]
  ): Promise<MoveJobsReply> {
    const request = { changes: changes.map(([id, priority, lifo = false]) => ({ id, priority, lifo })) };
    return this.handle.changePriorities(request, await this.nextCall('c0'));
  }

  async retry(...retries: (Partial<JobRetry> & { id: string })[]): Promise<MoveJobsReply> {
    const request = { retries: retries.map((each) => ({ ...PLAIN_RETRY, ...each })) };
    return this.handle.retryJobs(request, await this.nextCall('c0'));
  }

  async retryFinished(
    state: FinishedState,
    count: number,
    until: number | null = null,
  ): Promise<MoveStateReply> {
    return this.handle.retryFinishedJobs({ state, count, until }, await this.nextCall('c0'));
  }

  /** Removes jobs, each with the jobs below it. */
  async remove(...ids: string[]): Promise<RemoveJobsReply> {
    const jobs = ids.map((id) => ({ id, removeChildren: true }));
    return this.handle.removeJobs({ jobs }, await this.nextCall('c0'));
  }

  /** Cancels jobs, for the reason `why` unless another is told. */
  async cancel(...cancels: (string | JobCancel)[]): Promise<CancelJobsReply> {
    const request = {
      cancels: cancels.map((cancel) => (typeof cancel === 'string' ? { id: cancel, reason: 'why' } : cancel)),
    };
    return this.handle.cancelJobs(request, await this.nextCall('c0'));
  }

  /** Removes jobs of a state however young they are, unless told otherwise. */
  async clean(
    state: CleanJobsRequest['state'],
    changes: Partial<CleanJobsRequest> = {},
  ): Promise<CleanJobsReply> {
    const before = await this.handle.time();
    const request = { state, before, kept: 0, limit: MAX_REMOVED, ...changes };
    return this.handle.cleanJobs(request, await this.nextCall('c0'));
  }

  async drain(delayed: boolean): Promise<DrainQueueReply> {
    return this.handle.drainQueue({ delayed, kept: 0 }, await this.nextCall('c0'));
  }

  async obliterate(force = false, limit = MAX_REMOVED): Promise<ObliterateQueueReply> {
    return this.handle.obliterateQueue({ force, limit }, await this.nextCall('c0'));
  }

  /** Stores payloads by the ids of their jobs. */
  async update(data: Record<string, string>): Promise<UpdateDataReply> {
    const updates = Object.entries(data).map(([id, text]) => ({ id, data: text }));
    return this.handle.updateData({ updates }, await this.nextCall('c0'));
  }

  /** Writes rows behind those of a job. */
  async log(id: string, ...rows: string[]): Promise<AddLogsReply> {
    const entries = rows.map((row) => ({ id, row, keep: null }));
    return this.handle.addLogs({ entries }, await this.nextCall('c0'));
  }

  /** The rows of a job, oldest first. */
  async logs(id: string): Promise<string[]> {
    return (await this.handle.getLogs({ id, offset: 0, limit: null, order: 'ascending' })).rows;
  }

  /** Writes events of its own, which leave the length of the log to the queue unless they say otherwise. */
  async publish(...events: (Partial<NewEvent> & { name: string })[]): Promise<void> {
    await this.handle.publishEvents(
      { events: events.map((event) => ({ fields: [], maxEvents: null, ...event })) },
      await this.nextCall('c0'),
    );
  }

  async pause(): Promise<QueueControlReply> {
    return this.handle.pause(await this.nextCall('c0'));
  }

  async resume(): Promise<QueueControlReply> {
    return this.handle.resume(await this.nextCall('c0'));
  }

  async setCeiling(ceiling: number | null): Promise<Reply> {
    return this.handle.setCeiling({ ceiling }, await this.nextCall('c0'));
  }

  async setRateLimit(limit: RateLimit | null): Promise<Reply> {
    return this.handle.setRateLimit({ limit }, await this.nextCall('c0'));
  }

  async limitClaims(duration: number | null): Promise<Reply> {
    return this.handle.limitClaims({ duration }, await this.nextCall('c0'));
  }

  /** Claims all that is ready and completes it, in one batch. */
  async finishAll(retention: Retention = KEEP_ALL): Promise<void> {
    await this.settle(completed(await this.claim(200), { retention }));
  }

  /** Claims jobs and fails them for good. */
  async failAll(): Promise<void> {
    await this.settle(leasesOf(await this.claim(200)).map((lease) => failure(lease)));
  }

  async job(id: string): Promise<JobRecord | null> {
    return (await this.handle.getJobs([id]))[0]!;
  }

  async state(id: string): Promise<JobState | null> {
    return (await this.handle.getStates([id]))[0]!;
  }

  /** Ids of the jobs of a state: the next to run, the first claimed, or the first finished first. */
  async ids(state: JobState): Promise<string[]> {
    const page = await this.handle.getPage({ state, offset: 0, limit: null, order: 'ascending' });
    return page.map((job) => job.id);
  }

  /** The ids of all jobs by state, and whatever else tells of a change of the queue. */
  async snapshot(): Promise<object> {
    const { handle } = this;
    const pages = REACHED_STATES.map((state) =>
      handle.getPage({ state, offset: 0, limit: null, order: 'ascending' }),
    );
    const jobs = await Promise.all(pages);
    return {
      jobs,
      logs: await Promise.all(jobs.flat().map(({ id }) => this.logs(id))),
      counts: await handle.getCounts(),
      // Who writes there says so even where nothing else changes.
      settings: { ...(await handle.getSettings()), version: null },
      isLimited: (await handle.getRateLimitTtl(1)) > 0,
      lastEventId: await handle.lastEventId(),
      oldestEvents: await handle.readEvents({ after: '0-0', limit: 1, block: 0 }),
    };
  }
}

/**
 * Adds jobs whose ids tell their states: `done`, `running`, `w`, and `d`, which is delayed by 100 ms.
 *
 * @internal
 */
export async function addEachState(user: QueueUser): Promise<void> {
  await user.addIds('done');
  await user.finishAll();
  await user.addIds('running');
  await user.claim(1);
  await user.add({ id: 'w' }, { id: 'd', delay: 100 });
}

/**
 * The lease of a claim on its first job, or on the one of that id.
 *
 * @internal
 */
export function leaseOf(claim: Claim, id = claim.jobs[0]!.id): HeldLease {
  return { id, token: claim.token };
}

/**
 * Leases of all jobs of a claim.
 *
 * @internal
 */
export function leasesOf(claim: Claim): HeldLease[] {
  return claim.jobs.map((job) => leaseOf(claim, job.id));
}

type Fields<Kind extends Outcome['kind']> = Partial<
  Omit<Extract<Outcome, { kind: Kind }>, 'id' | 'token' | 'kind'>
>;

/**
 * All jobs of a claim as completed.
 *
 * @internal
 */
export function completed(claim: Claim, fields: Fields<'completed'> = {}): Outcome[] {
  return leasesOf(claim).map((lease) => completion(lease, fields));
}

/** @internal */
export function completion(lease: HeldLease, fields: Fields<'completed'> = {}): Outcome {
  return { ...lease, kind: 'completed', returnValue: 'null', retention: KEEP_ALL, ...fields };
}

/** @internal */
export function failure(lease: HeldLease, fields: Fields<'failed'> = {}): Outcome {
  return {
    ...lease,
    kind: 'failed',
    reason: 'broken',
    code: null,
    stacktrace: '["Error: broken"]',
    attempts: 1,
    retention: KEEP_ALL,
    ...fields,
  };
}

/** @internal */
export function retry(lease: HeldLease, fields: Fields<'retry'> = {}): Outcome {
  return {
    ...lease,
    kind: 'retry',
    reason: 'broken',
    stacktrace: '["Error: broken"]',
    delay: 0,
    lifo: false,
    ...fields,
  };
}

/**
 * @param until - store time
 *
 * @internal
 */
export function heldBack(lease: HeldLease, until: number, fields: Fields<'delayed'> = {}): Outcome {
  return { ...lease, kind: 'delayed', until, ...fields };
}

/** @internal */
export function handBack(lease: HeldLease, fields: Fields<'handed-back'> = {}): Outcome {
  return { ...lease, kind: 'handed-back', ...fields };
}
