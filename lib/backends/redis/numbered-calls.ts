import type { Clock } from '../../contract/clock';
import {
  MAX_RECOVERED,
  STALLED_REASON,
  type ClaimJobsReply,
  type ClaimRequest,
  type RecoverAbandonedJobsReply,
  type RecoverAbandonedJobsRequest,
  type RenewLeasesReply,
  type RenewLeasesRequest,
  type SettleJobsReply,
  type SettleJobsRequest,
} from '../../contract/job-handover';
import type { CancelJobsReply, CancelJobsRequest } from '../../contract/job-cancelling';
import type { ClaimExpiredJobsReply, ClaimExpiredJobsRequest } from '../../contract/job-expiry';
import type { PublishEventsRequest } from '../../contract/event-log';
import type { UpdateDataReply, UpdateDataRequest } from '../../contract/job-data';
import type { AddJobsReply, AddJobsRequest } from '../../contract/job-intake';
import type { PlanIterationReply, PlanIterationRequest } from '../../contract/iteration-planning';
import {
  MAX_MOVED,
  type ChangeDelaysRequest,
  type ChangePrioritiesRequest,
  type MoveJobsReply,
  type MoveStateReply,
  type PromoteDelayedJobsRequest,
  type PromoteJobsRequest,
  type RetryFinishedJobsRequest,
  type RetryJobsRequest,
} from '../../contract/job-moves';
import type { AddLogsReply, AddLogsRequest, ClearLogsReply, ClearLogsRequest } from '../../contract/job-logs';
import type { UpdateProgressReply, UpdateProgressRequest } from '../../contract/job-progress';
import type { MutatingCall, Reply } from '../../contract/mutating-call';
import type { QueueControlReply } from '../../contract/queue-control';
import type { Refusal } from '../../contract/refusal';
import type { RateLimit } from '../../model/rate-limit';
import {
  acceptClaimReply,
  acceptReply,
  claimArguments,
  outcomeArguments,
  toCancelAnswers,
  toClaim,
  toNotices,
  toOutcomeRefusals,
  toRefusals,
  toSettleItem,
} from './call-codec';
import { firstTerms, timestampsOf, toAddItem, toAddResults } from './add-codec';
import {
  ADD_JOBS,
  CHANGE_DELAYS,
  CHANGE_PRIORITIES,
  ADD_LOGS,
  CANCEL_JOBS,
  CLAIM_EXPIRED_JOBS,
  CLAIM_JOBS,
  CLEAR_LOGS,
  LIMIT_CLAIMS,
  PAUSE_QUEUE,
  PLAN_ITERATION,
  PROMOTE_DELAYED_JOBS,
  PROMOTE_JOBS,
  PUBLISH_EVENTS,
  RECOVER_ABANDONED_JOBS,
  RENEW_LEASES,
  RESUME_QUEUE,
  RETRY_FINISHED_JOBS,
  RETRY_JOBS,
  SET_CEILING,
  SET_RATE_LIMIT,
  SETTLE_JOBS,
  UPDATE_DATA,
  UPDATE_PROGRESS,
  type LuaScript,
} from './lua-scripts';
import type { RedisClient } from './redis-client';

interface NumberedHead {
  now: string | number;
  caller: string | number;
  channel: string | number;
  sequence: string | number;
  notAfter: string | number;
}

/**
 * The changing calls on one queue: each is one script.
 *
 * @internal
 */
export class NumberedCalls {
  #isVersionNoted: boolean;

  /**
   * @param base - what the keys of the queue begin with
   * @param clock - whose time counts, if not the server's
   * @param bullmq - which clients of BullMQ share the queue; `auto` leaves it to the scripts to find out
   */
  constructor(
    private readonly client: RedisClient,
    private readonly base: string,
    private readonly clock: Clock | undefined,
    private readonly bullmq: 'auto' | 5 | 6,
  ) {
    this.#isVersionNoted = bullmq === 'auto';
  }

  async addJobs({ jobs }: AddJobsRequest, call: MutatingCall): Promise<AddJobsReply> {
    const head = { ...this.#head(call), timestamps: timestampsOf(jobs), terms: firstTerms(jobs) };
    const items = jobs.map((job) => toAddItem(job, jobs[0]!));
    const {
      values: [now, ids, duplicates],
    } = await this.#run(ADD_JOBS, call, head, items);
    return { now: Number(now), results: toAddResults(ids as string, duplicates as number[]) };
  }

  async claimJobs(request: ClaimRequest, call: MutatingCall): Promise<ClaimJobsReply> {
    const head = { ...this.#head(call), ...claimArguments(request, call) };
    const reply = acceptClaimReply(await this.#send(CLAIM_JOBS, head), call);
    const [now, idle, dueIn] = reply.numbers;
    return { now: now!, claim: toClaim(reply, idle!, dueIn!, request, call) };
  }

  async settleJobs(
    { outcomes, claim, maxDataPoints }: SettleJobsRequest,
    call: MutatingCall,
  ): Promise<SettleJobsReply> {
    const common = outcomeArguments(outcomes[0]);
    const head = {
      ...this.#head(call),
      ...claimArguments(claim, call),
      ...common,
      maxDataPoints: maxDataPoints ?? '',
    };
    const items = outcomes.map((outcome) => toSettleItem(outcome, common));
    const reply = acceptClaimReply(await this.#send(SETTLE_JOBS, head, items), call);
    const [now, idle, dueIn, ...refusals] = reply.numbers;
    // A call that is made again is answered as before, whatever is asked.
    const terms = claim ?? { workerName: null };
    return {
      now: now!,
      refusals: toOutcomeRefusals(refusals),
      claim: idle! < 0 ? null : toClaim(reply, idle!, dueIn!, terms, call),
    };
  }

  async renewLeases(
    { leases, leaseDuration }: RenewLeasesRequest,
    call: MutatingCall,
  ): Promise<RenewLeasesReply> {
    const head = { ...this.#head(call), leaseDuration };
    const {
      values: [now, refusals, cancels],
    } = await this.#run(RENEW_LEASES, call, head, leases);
    return { now: Number(now), refusals: toRefusals(refusals), cancels: toNotices(cancels) };
  }

  async cancelJobs({ cancels }: CancelJobsRequest, call: MutatingCall): Promise<CancelJobsReply> {
    const {
      values: [now, refusals, answers],
    } = await this.#run(CANCEL_JOBS, call, this.#head(call), cancels);
    return { now: Number(now), refusals: toRefusals(refusals), answers: toCancelAnswers(answers) };
  }

  async recoverAbandonedJobs(
    { sweepInterval, maxStalledCount }: RecoverAbandonedJobsRequest,
    call: MutatingCall,
  ): Promise<RecoverAbandonedJobsReply> {
    const head = {
      ...this.#head(call),
      sweepInterval,
      maxStalledCount,
      mostRecovered: MAX_RECOVERED,
      reason: STALLED_REASON,
    };
    const {
      values: [now, recovered, more],
    } = await this.#run(RECOVER_ABANDONED_JOBS, call, head);
    return { now: Number(now), recovered: recovered as string[], more: more === 1 };
  }

  async claimExpiredJobs(
    request: ClaimExpiredJobsRequest,
    call: MutatingCall,
  ): Promise<ClaimExpiredJobsReply> {
    const head = { ...this.#head(call), ...claimArguments(request, call) };
    const reply = acceptClaimReply(await this.#send(CLAIM_EXPIRED_JOBS, head), call);
    const [now, more] = reply.numbers;
    return { now: now!, claim: toClaim(reply, 0, -1, request, call), more: more === 1 };
  }

  async planIteration({ id, due }: PlanIterationRequest, call: MutatingCall): Promise<PlanIterationReply> {
    const {
      values: [now, planned],
    } = await this.#run(PLAN_ITERATION, call, { ...this.#head(call), id, due });
    return { now: Number(now), planned: planned === '' ? null : (planned as string) };
  }

  promoteJobs({ ids }: PromoteJobsRequest, call: MutatingCall): Promise<MoveJobsReply> {
    return this.#runOnEach(
      PROMOTE_JOBS,
      call,
      ids.map((id) => ({ id })),
    );
  }

  promoteDelayedJobs({ count }: PromoteDelayedJobsRequest, call: MutatingCall): Promise<MoveStateReply> {
    return this.#runOnState(PROMOTE_DELAYED_JOBS, call, { ...this.#head(call), count: mostMoved(count) });
  }

  changeDelays({ changes }: ChangeDelaysRequest, call: MutatingCall): Promise<MoveJobsReply> {
    return this.#runOnEach(CHANGE_DELAYS, call, changes);
  }

  changePriorities({ changes }: ChangePrioritiesRequest, call: MutatingCall): Promise<MoveJobsReply> {
    const items = changes.map((change) => ({ ...change, lifo: Number(change.lifo) }));
    return this.#runOnEach(CHANGE_PRIORITIES, call, items);
  }

  retryJobs({ retries }: RetryJobsRequest, call: MutatingCall): Promise<MoveJobsReply> {
    const items = retries.map((retry) => ({
      ...retry,
      lifo: Number(retry.lifo),
      resetAttemptsMade: Number(retry.resetAttemptsMade),
      resetAttemptsStarted: Number(retry.resetAttemptsStarted),
    }));
    return this.#runOnEach(RETRY_JOBS, call, items);
  }

  retryFinishedJobs(
    { state, count, until }: RetryFinishedJobsRequest,
    call: MutatingCall,
  ): Promise<MoveStateReply> {
    // Scores of one millisecond have fractions.
    const highest = until === null ? '+inf' : `(${Math.floor(until) + 1}`;
    const head = { ...this.#head(call), state, count: mostMoved(count), highest };
    return this.#runOnState(RETRY_FINISHED_JOBS, call, head);
  }

  async updateProgress({ updates }: UpdateProgressRequest, call: MutatingCall): Promise<UpdateProgressReply> {
    return this.#runOnEach(UPDATE_PROGRESS, call, updates);
  }

  async updateData({ updates }: UpdateDataRequest, call: MutatingCall): Promise<UpdateDataReply> {
    return this.#runOnEach(UPDATE_DATA, call, updates);
  }

  async addLogs({ entries }: AddLogsRequest, call: MutatingCall): Promise<AddLogsReply> {
    const items = entries.map(({ id, row, keep }) => ({ id, row, keep: keep ?? '' }));
    const {
      values: [now, refusals, counts],
    } = await this.#run(ADD_LOGS, call, this.#head(call), items);
    return { now: Number(now), refusals: toRefusals(refusals), counts: counts as number[] };
  }

  async clearLogs({ logs }: ClearLogsRequest, call: MutatingCall): Promise<ClearLogsReply> {
    return this.#runOnEach(CLEAR_LOGS, call, logs);
  }

  async publishEvents({ events }: PublishEventsRequest, call: MutatingCall): Promise<Reply> {
    const items = events.map(({ name, fields, maxEvents }) => ({
      name,
      fields: JSON.stringify(fields.flat()),
      maxEvents: maxEvents ?? '',
    }));
    const {
      values: [now],
    } = await this.#run(PUBLISH_EVENTS, call, this.#head(call), items);
    return { now: Number(now) };
  }

  async pause(call: MutatingCall): Promise<QueueControlReply> {
    const {
      values: [now, changed],
    } = await this.#run(PAUSE_QUEUE, call, this.#head(call));
    return { now: Number(now), changed: changed === 1 };
  }

  async resume(call: MutatingCall): Promise<QueueControlReply> {
    const {
      values: [now, changed],
    } = await this.#run(RESUME_QUEUE, call, this.#head(call));
    return { now: Number(now), changed: changed === 1 };
  }

  async setCeiling(ceiling: number | null, call: MutatingCall): Promise<Reply> {
    const { values } = await this.#run(SET_CEILING, call, { ...this.#head(call), ceiling: ceiling ?? '' });
    return { now: Number(values[0]) };
  }

  async setRateLimit(limit: RateLimit | null, call: MutatingCall): Promise<Reply> {
    const { max, duration } = limit ?? { max: '', duration: '' };
    const { values } = await this.#run(SET_RATE_LIMIT, call, { ...this.#head(call), max, duration });
    return { now: Number(values[0]) };
  }

  async limitClaims(duration: number | null, call: MutatingCall): Promise<Reply> {
    const { values } = await this.#run(LIMIT_CLAIMS, call, { ...this.#head(call), duration: duration ?? '' });
    return { now: Number(values[0]) };
  }

  /** Runs what carries out or refuses each item. */
  async #runOnEach<Item>(
    script: LuaScript<NumberedHead, Item>,
    call: MutatingCall,
    items: readonly Item[],
  ): Promise<{ now: number; refusals: (Refusal | null)[] }> {
    const {
      values: [now, refusals],
    } = await this.#run(script, call, this.#head(call), items);
    return { now: Number(now), refusals: toRefusals(refusals) };
  }

  /** Runs what moves the first jobs of a state. */
  async #runOnState<Head extends NumberedHead>(
    script: LuaScript<Head, never>,
    call: MutatingCall,
    head: Head,
  ): Promise<MoveStateReply> {
    const {
      values: [now, moved, more],
    } = await this.#run(script, call, head);
    return { now: Number(now), moved: Number(moved), more: more === 1 };
  }

  /**
   * Runs a script of another file.
   *
   * @param head - its arguments besides those that every numbered call has
   * @returns what it answers, after the status
   */
  async run<Head extends NumberedHead, Item>(
    script: LuaScript<Head, Item>,
    call: MutatingCall,
    head: Omit<Head, keyof NumberedHead>,
    items?: readonly Item[],
  ): Promise<readonly unknown[]> {
    const { values } = await this.#run(script, call, { ...this.#head(call), ...head } as Head, items);
    return values;
  }

  /** The queue knows nothing of itself any more: what it has to know is told to it again. */
  forgetQueue(): void {
    this.#isVersionNoted = this.bullmq === 'auto';
  }

  #head({ caller, channel, sequence, notAfter }: MutatingCall): NumberedHead {
    return { now: this.clock?.now() ?? '', caller, channel, sequence, notAfter };
  }

  async #run<Head extends NumberedHead, Item>(
    script: LuaScript<Head, Item>,
    call: MutatingCall,
    head: Head,
    items?: readonly Item[],
  ): Promise<ReturnType<typeof acceptReply>> {
    return acceptReply(await this.#send(script, head, items), call);
  }

  async #send<Head extends NumberedHead, Item>(
    script: LuaScript<Head, Item>,
    head: Head,
    items?: readonly Item[],
  ): Promise<unknown> {
    if (!this.#isVersionNoted) {
      await this.#noteVersion();
    }
    return this.client.run(script, this.base, script.encode(head, items));
  }

  /** Scripts read it from the queue, whoever calls them. See lua/includes/step.lua. */
  async #noteVersion(): Promise<void> {
    const mark = this.bullmq === 5 ? '1' : '0';
    await this.client.use((client) => client.hset(`${this.base}meta`, 'ln:v5', mark));
    this.#isVersionNoted = true;
  }
}

function mostMoved(count: number): number {
  return Math.min(count, MAX_MOVED);
}
