import { randomBytes } from 'node:crypto';

import type { Clock } from '../../contract/clock';
import {
  NO_EVENTS,
  type EventPage,
  type PublishEventsRequest,
  type ReadEventsRequest,
  type TrimEventsReply,
  type TrimEventsRequest,
} from '../../contract/event-log';
import type {
  ClaimJobsReply,
  ClaimRequest,
  RecoverAbandonedJobsReply,
  RecoverAbandonedJobsRequest,
  RenewLeasesReply,
  RenewLeasesRequest,
  SettleJobsReply,
  SettleJobsRequest,
} from '../../contract/job-handover';
import type { CancelJobsReply, CancelJobsRequest } from '../../contract/job-cancelling';
import type { ClaimExpiredJobsReply, ClaimExpiredJobsRequest } from '../../contract/job-expiry';
import type { MetricsRequest, StateMetrics } from '../../contract/metrics';
import type { UpdateDataReply, UpdateDataRequest } from '../../contract/job-data';
import type { AddJobsReply, AddJobsRequest } from '../../contract/job-intake';
import type { PlanIterationReply, PlanIterationRequest } from '../../contract/iteration-planning';
import type {
  AddLogsReply,
  AddLogsRequest,
  ClearLogsReply,
  ClearLogsRequest,
  LogPage,
  LogPageRequest,
} from '../../contract/job-logs';
import type { PageRequest } from '../../contract/job-lookup';
import type {
  ChangeDelaysRequest,
  ChangePrioritiesRequest,
  MoveJobsReply,
  MoveStateReply,
  PromoteDelayedJobsRequest,
  PromoteJobsRequest,
  RetryFinishedJobsRequest,
  RetryJobsRequest,
} from '../../contract/job-moves';
import type { UpdateProgressReply, UpdateProgressRequest } from '../../contract/job-progress';
import type {
  CleanJobsReply,
  CleanJobsRequest,
  DrainQueueReply,
  DrainQueueRequest,
  FindOrphanedJobsRequest,
  FoundOrphanedJobs,
  ObliterateQueueReply,
  ObliterateQueueRequest,
  RemoveJobsReply,
  RemoveJobsRequest,
  RemoveOrphanedJobsReply,
  RemoveOrphanedJobsRequest,
} from '../../contract/job-removal';
import type { MutatingCall, Reply } from '../../contract/mutating-call';
import type { OperationName } from '../../contract/operations';
import type { OutsideView } from '../../contract/outside-view';
import type { OpenQueueRequest, QueueBackend } from '../../contract/queue-backend';
import type { QueueControlReply } from '../../contract/queue-control';
import type { QueueSettings } from '../../contract/queue-limits';
import type { WaitForWorkRequest } from '../../contract/work-signal';
import type { WorkerInfo } from '../../contract/worker-lookup';
import { QueueClosedError } from '../../model/errors/queue-closed.error';
import type { JobRecord } from '../../model/job-record';
import type { JobState } from '../../model/job-state';
import type { RateLimit } from '../../model/rate-limit';
import type { Connections } from './connections';
import { EventLogReader } from './event-reader';
import { Inbox } from './inbox';
import { baseKeyOf, workerClientName } from './keys';
import { Lookups } from './lookups';
import { NumberedCalls } from './numbered-calls';
import { OrphanSearch } from './orphan-search';
import type { RedisClient } from './redis-client';
import { RedisView } from './redis-view';
import { RemovalCalls } from './removal-calls';
import { MarkerSignal } from './work-signal';
import { listWorkers } from './worker-list';

/**
 * One handle on one queue of a Redis server.
 *
 * @internal
 */
export class RedisQueue implements QueueBackend {
  readonly queueName: string;
  readonly caller = randomBytes(16).toString('hex');
  readonly outside: OutsideView;
  readonly #client: RedisClient;
  readonly #calls: NumberedCalls;
  readonly #removal: RemovalCalls;
  readonly #lookups: Lookups;
  readonly #orphans: OrphanSearch;
  readonly #events: EventLogReader;
  readonly #signal: MarkerSignal;
  readonly #kind: 'producer' | 'worker';
  #hasAppeared = false;
  #closing: Promise<void> | undefined;

  private readonly prefix: string;
  private readonly clock: Clock | undefined;

  /** @param settings - of the backend; `clock` is whose time counts, if not the server's */
  constructor(
    private readonly connections: Connections,
    { queueName, role, workerName = null }: OpenQueueRequest,
    settings: { prefix: string; clock: Clock | undefined; bullmq: 'auto' | 5 | 6 },
  ) {
    const { prefix, clock, bullmq } = settings;
    this.queueName = queueName;
    this.prefix = prefix;
    this.clock = clock;
    const base = baseKeyOf(prefix, queueName);
    this.#kind = role === 'worker' ? 'worker' : 'producer';
    this.#client = connections.acquire(this.#kind);
    this.#calls = new NumberedCalls(this.#client, base, clock, bullmq);
    this.#removal = new RemovalCalls(this.#calls);
    this.#lookups = new Lookups(this.#client, base, clock);
    this.#orphans = new OrphanSearch(this.#client, base, clock);
    this.outside = new RedisView(this.#client, base, () => this.#refuseWhenClosed('outside'));
    const inbox = new Inbox(this.#client, base, this.caller);
    this.#events = new EventLogReader(this.#client, () => connections.blocking(), inbox, base, clock);
    const name = workerClientName(prefix, queueName, workerName);
    this.#signal = new MarkerSignal(
      this.#client,
      () => connections.blocking(name),
      inbox,
      base,
      () => this.#time(),
      clock,
    );
  }

  async addJobs(request: AddJobsRequest, call: MutatingCall): Promise<AddJobsReply> {
    this.#refuseWhenClosed('addJobs');
    return this.#calls.addJobs(request, call);
  }

  async claimJobs(request: ClaimRequest, call: MutatingCall): Promise<ClaimJobsReply> {
    this.#refuseWhenClosed('claimJobs');
    this.#appear();
    return this.#calls.claimJobs(request, call);
  }

  async settleJobs(request: SettleJobsRequest, call: MutatingCall): Promise<SettleJobsReply> {
    this.#refuseWhenClosed('settleJobs');
    return this.#calls.settleJobs(request, call);
  }

  async renewLeases(request: RenewLeasesRequest, call: MutatingCall): Promise<RenewLeasesReply> {
    this.#refuseWhenClosed('renewLeases');
    return this.#calls.renewLeases(request, call);
  }

  async recoverAbandonedJobs(
    request: RecoverAbandonedJobsRequest,
    call: MutatingCall,
  ): Promise<RecoverAbandonedJobsReply> {
    this.#refuseWhenClosed('recoverAbandonedJobs');
    return this.#calls.recoverAbandonedJobs(request, call);
  }

  async claimExpiredJobs(
    request: ClaimExpiredJobsRequest,
    call: MutatingCall,
  ): Promise<ClaimExpiredJobsReply> {
    this.#refuseWhenClosed('claimExpiredJobs');
    return this.#calls.claimExpiredJobs(request, call);
  }

  async planIteration(request: PlanIterationRequest, call: MutatingCall): Promise<PlanIterationReply> {
    this.#refuseWhenClosed('planIteration');
    return this.#calls.planIteration(request, call);
  }

  async promoteJobs(request: PromoteJobsRequest, call: MutatingCall): Promise<MoveJobsReply> {
    this.#refuseWhenClosed('promoteJobs');
    return this.#calls.promoteJobs(request, call);
  }

  async promoteDelayedJobs(request: PromoteDelayedJobsRequest, call: MutatingCall): Promise<MoveStateReply> {
    this.#refuseWhenClosed('promoteDelayedJobs');
    return this.#calls.promoteDelayedJobs(request, call);
  }

  async changeDelays(request: ChangeDelaysRequest, call: MutatingCall): Promise<MoveJobsReply> {
    this.#refuseWhenClosed('changeDelays');
    return this.#calls.changeDelays(request, call);
  }

  async changePriorities(request: ChangePrioritiesRequest, call: MutatingCall): Promise<MoveJobsReply> {
    this.#refuseWhenClosed('changePriorities');
    return this.#calls.changePriorities(request, call);
  }

  async retryJobs(request: RetryJobsRequest, call: MutatingCall): Promise<MoveJobsReply> {
    this.#refuseWhenClosed('retryJobs');
    return this.#calls.retryJobs(request, call);
  }

  async retryFinishedJobs(request: RetryFinishedJobsRequest, call: MutatingCall): Promise<MoveStateReply> {
    this.#refuseWhenClosed('retryFinishedJobs');
    return this.#calls.retryFinishedJobs(request, call);
  }

  async updateProgress(request: UpdateProgressRequest, call: MutatingCall): Promise<UpdateProgressReply> {
    this.#refuseWhenClosed('updateProgress');
    return this.#calls.updateProgress(request, call);
  }

  async removeJobs(request: RemoveJobsRequest, call: MutatingCall): Promise<RemoveJobsReply> {
    this.#refuseWhenClosed('removeJobs');
    return this.#removal.removeJobs(request, call);
  }

  async cancelJobs(request: CancelJobsRequest, call: MutatingCall): Promise<CancelJobsReply> {
    this.#refuseWhenClosed('cancelJobs');
    return this.#calls.cancelJobs(request, call);
  }

  async cleanJobs(request: CleanJobsRequest, call: MutatingCall): Promise<CleanJobsReply> {
    this.#refuseWhenClosed('cleanJobs');
    return this.#removal.cleanJobs(request, call);
  }

  async drainQueue(request: DrainQueueRequest, call: MutatingCall): Promise<DrainQueueReply> {
    this.#refuseWhenClosed('drainQueue');
    return this.#removal.drainQueue(request, call);
  }

  async obliterateQueue(request: ObliterateQueueRequest, call: MutatingCall): Promise<ObliterateQueueReply> {
    this.#refuseWhenClosed('obliterateQueue');
    return this.#removal.obliterateQueue(request, call);
  }

  async findOrphanedJobs(request: FindOrphanedJobsRequest): Promise<FoundOrphanedJobs> {
    this.#refuseWhenClosed('findOrphanedJobs');
    return this.#orphans.find(request);
  }

  async removeOrphanedJobs(
    request: RemoveOrphanedJobsRequest,
    call: MutatingCall,
  ): Promise<RemoveOrphanedJobsReply> {
    this.#refuseWhenClosed('removeOrphanedJobs');
    return this.#removal.removeOrphanedJobs(request, call);
  }

  async updateData(request: UpdateDataRequest, call: MutatingCall): Promise<UpdateDataReply> {
    this.#refuseWhenClosed('updateData');
    return this.#calls.updateData(request, call);
  }

  async addLogs(request: AddLogsRequest, call: MutatingCall): Promise<AddLogsReply> {
    this.#refuseWhenClosed('addLogs');
    return this.#calls.addLogs(request, call);
  }

  async clearLogs(request: ClearLogsRequest, call: MutatingCall): Promise<ClearLogsReply> {
    this.#refuseWhenClosed('clearLogs');
    return this.#calls.clearLogs(request, call);
  }

  async getLogs(request: LogPageRequest): Promise<LogPage> {
    this.#refuseWhenClosed('getLogs');
    return this.#lookups.getLogs(request);
  }

  async pause(call: MutatingCall): Promise<QueueControlReply> {
    this.#refuseWhenClosed('pause');
    return this.#calls.pause(call);
  }

  async resume(call: MutatingCall): Promise<QueueControlReply> {
    this.#refuseWhenClosed('resume');
    return this.#calls.resume(call);
  }

  async isPaused(): Promise<boolean> {
    this.#refuseWhenClosed('isPaused');
    return this.#lookups.isPaused();
  }

  async setCeiling({ ceiling }: { ceiling: number | null }, call: MutatingCall): Promise<Reply> {
    this.#refuseWhenClosed('setCeiling');
    return this.#calls.setCeiling(ceiling, call);
  }

  async setRateLimit({ limit }: { limit: RateLimit | null }, call: MutatingCall): Promise<Reply> {
    this.#refuseWhenClosed('setRateLimit');
    return this.#calls.setRateLimit(limit, call);
  }

  async limitClaims({ duration }: { duration: number | null }, call: MutatingCall): Promise<Reply> {
    this.#refuseWhenClosed('limitClaims');
    return this.#calls.limitClaims(duration, call);
  }

  async isMaxed(): Promise<boolean> {
    this.#refuseWhenClosed('isMaxed');
    return this.#lookups.isMaxed();
  }

  async getRateLimitTtl(max: number | null): Promise<number> {
    this.#refuseWhenClosed('getRateLimitTtl');
    return this.#lookups.getRateLimitTtl(max);
  }

  async getSettings(): Promise<QueueSettings> {
    this.#refuseWhenClosed('getSettings');
    return this.#lookups.getSettings();
  }

  async getJobs(ids: readonly string[]): Promise<(JobRecord | null)[]> {
    this.#refuseWhenClosed('getJobs');
    return this.#lookups.getJobs(ids);
  }

  async getStates(ids: readonly string[]): Promise<(JobState | null)[]> {
    this.#refuseWhenClosed('getStates');
    return this.#lookups.getStates(ids);
  }

  async getCounts(): Promise<Record<JobState, number>> {
    this.#refuseWhenClosed('getCounts');
    return this.#lookups.getCounts();
  }

  async countDelayed(before: number): Promise<number> {
    this.#refuseWhenClosed('countDelayed');
    return this.#lookups.countDelayed(before);
  }

  async countPriorities(priorities: readonly number[]): Promise<number[]> {
    this.#refuseWhenClosed('countPriorities');
    return this.#lookups.countPriorities(priorities);
  }

  async getMetrics(request: MetricsRequest): Promise<StateMetrics> {
    this.#refuseWhenClosed('getMetrics');
    return this.#lookups.getMetrics(request);
  }

  async getPage(request: PageRequest): Promise<JobRecord[]> {
    this.#refuseWhenClosed('getPage');
    return this.#lookups.getPage(request);
  }

  async getWorkers(): Promise<WorkerInfo[]> {
    this.#refuseWhenClosed('getWorkers');
    return this.#client.use((client) => listWorkers(client, this.prefix, this.queueName));
  }

  async readEvents(request: ReadEventsRequest): Promise<EventPage> {
    this.#refuseWhenClosed('readEvents');
    return this.#untilClosed(this.#events.readEvents(request), NO_EVENTS);
  }

  async publishEvents(request: PublishEventsRequest, call: MutatingCall): Promise<Reply> {
    this.#refuseWhenClosed('publishEvents');
    return this.#calls.publishEvents(request, call);
  }

  async lastEventId(): Promise<string> {
    this.#refuseWhenClosed('lastEventId');
    return this.#events.lastEventId();
  }

  async trimEvents(request: TrimEventsRequest, call: MutatingCall): Promise<TrimEventsReply> {
    this.#refuseWhenClosed('trimEvents');
    return this.#removal.trimEvents(request, call);
  }

  async waitForWork(request: WaitForWorkRequest): Promise<boolean> {
    this.#refuseWhenClosed('waitForWork');
    return this.#untilClosed(this.#signal.waitForWork(request), false);
  }

  async ready(): Promise<void> {
    this.#refuseWhenClosed('ready');
    await this.#client.use((client) => client.ping());
    if (this.#kind === 'worker') {
      await this.#signal.connect();
    }
  }

  async time(): Promise<number> {
    this.#refuseWhenClosed('time');
    return this.#time();
  }

  async #time(): Promise<number> {
    if (this.clock !== undefined) {
      return Math.floor(this.clock.now());
    }
    const [seconds, micros] = (await this.#client.use((client) => client.time())) as unknown as [
      string,
      string,
    ];
    return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await Promise.all([this.#events.close(), this.#signal.close()]);
    await this.connections.release(this.#kind);
  }

  /** Whoever claims is a worker, which others find by its blocking connection. */
  #appear(): void {
    if (!this.#hasAppeared && this.#kind === 'worker') {
      this.#hasAppeared = true;
      // Without it the worker works; the first wait tries again.
      this.#signal.connect().catch(() => undefined);
    }
  }

  /** A wait that the closing of the handle ends has found nothing. */
  async #untilClosed<Result>(wait: Promise<Result>, nothing: Result): Promise<Result> {
    try {
      return await wait;
    } catch (error) {
      if (this.#closing !== undefined) {
        return nothing;
      }
      throw error;
    }
  }

  #refuseWhenClosed(operation: OperationName | 'outside'): void {
    if (this.#closing !== undefined) {
      throw new QueueClosedError(`The handle on queue "${this.queueName}"`, operation);
    }
  }
}
