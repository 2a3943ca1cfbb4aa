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
import type { AddJobsReply, AddJobsRequest, AddResult } from '../../contract/job-intake';
import type { PlanIterationReply, PlanIterationRequest } from '../../contract/iteration-planning';
import type { UpdateProgressReply, UpdateProgressRequest } from '../../contract/job-progress';
import type { MutatingCall } from '../../contract/mutating-call';
import type { QueueControlReply } from '../../contract/queue-control';
import {
  acceptReply,
  claimArguments,
  toClaim,
  toOutcomeRefusals,
  toRefusals,
  toSettleItem,
} from './call-codec';
import {
  ADD_JOBS,
  CLAIM_JOBS,
  PAUSE_QUEUE,
  PLAN_ITERATION,
  RECOVER_ABANDONED_JOBS,
  RENEW_LEASES,
  RESUME_QUEUE,
  SETTLE_JOBS,
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
    const items = jobs.map((job) => ({
      ...job,
      id: job.id ?? '',
      lifo: job.lifo && job.priority === 0 ? 1 : 0,
    }));
    const {
      values: [now, ids, duplicates],
    } = await this.#run(ADD_JOBS, call, this.#head(call), items);
    const results: AddResult[] = (ids as string[]).map((id) => ({ id, status: 'added' }));
    for (const place of duplicates as number[]) {
      results[place - 1]!.status = 'duplicate';
    }
    return { now: Number(now), results };
  }

  async claimJobs(request: ClaimRequest, call: MutatingCall): Promise<ClaimJobsReply> {
    const head = { ...this.#head(call), ...claimArguments(request, call) };
    const { isFirst, values } = await this.#run(CLAIM_JOBS, call, head);
    const [now, , idle, dueIn, records] = values;
    const claim = toClaim({ now, idle, dueIn, records: records as string }, isFirst, request, call);
    return { now: Number(now), claim };
  }

  async settleJobs({ outcomes, claim }: SettleJobsRequest, call: MutatingCall): Promise<SettleJobsReply> {
    const head = { ...this.#head(call), ...claimArguments(claim, call) };
    const { isFirst, values } = await this.#run(SETTLE_JOBS, call, head, outcomes.map(toSettleItem));
    const [now, ids, idle, dueIn, refusals, records] = values;
    const reply = { now, idle, dueIn, records: records as string };
    return {
      now: Number(now),
      refusals: toOutcomeRefusals(refusals),
      claim: ids === null ? null : toClaim(reply, isFirst, claim ?? { workerName: null }, call),
    };
  }

  async renewLeases(
    { leases, leaseDuration }: RenewLeasesRequest,
    call: MutatingCall,
  ): Promise<RenewLeasesReply> {
    const head = { ...this.#head(call), leaseDuration };
    const {
      values: [now, refusals],
    } = await this.#run(RENEW_LEASES, call, head, leases);
    return { now: Number(now), refusals: toRefusals(refusals) };
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

  async planIteration({ id, due }: PlanIterationRequest, call: MutatingCall): Promise<PlanIterationReply> {
    const {
      values: [now, planned],
    } = await this.#run(PLAN_ITERATION, call, { ...this.#head(call), id, due });
    return { now: Number(now), planned: planned === '' ? null : (planned as string) };
  }

  async updateProgress({ updates }: UpdateProgressRequest, call: MutatingCall): Promise<UpdateProgressReply> {
    const {
      values: [now, refusals],
    } = await this.#run(UPDATE_PROGRESS, call, this.#head(call), updates);
    return { now: Number(now), refusals: toRefusals(refusals) };
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

  #head({ caller, channel, sequence, notAfter }: MutatingCall): NumberedHead {
    return { now: this.clock?.now() ?? '', caller, channel, sequence, notAfter };
  }

  async #run<Head extends NumberedHead, Item>(
    script: LuaScript<Head, Item>,
    call: MutatingCall,
    head: Head,
    items?: readonly Item[],
  ): Promise<ReturnType<typeof acceptReply>> {
    if (!this.#isVersionNoted) {
      await this.#noteVersion();
    }
    return acceptReply(await this.client.run(script, this.base, script.encode(head, items)), call);
  }

  /** Scripts read it from the queue, whoever calls them. See lua/includes/step.lua. */
  async #noteVersion(): Promise<void> {
    const mark = this.bullmq === 5 ? '1' : '0';
    await this.client.use((client) => client.hset(`${this.base}meta`, 'ln:v5', mark));
    this.#isVersionNoted = true;
  }
}
