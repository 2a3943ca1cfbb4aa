import type {
  EventPage,
  PublishEventsRequest,
  ReadEventsRequest,
  TrimEventsReply,
  TrimEventsRequest,
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
import type { QueueBackend } from '../../contract/queue-backend';
import type { QueueControlReply } from '../../contract/queue-control';
import type { QueueSettings } from '../../contract/queue-limits';
import type { WaitForWorkRequest } from '../../contract/work-signal';
import type { WorkerInfo } from '../../contract/worker-lookup';
import { QueueClosedError } from '../../model/errors/queue-closed.error';
import type { JobRecord } from '../../model/job-record';
import type { JobState } from '../../model/job-state';
import type { RateLimit } from '../../model/rate-limit';
import { cancelJobs } from './cancelling';
import { claimJobs } from './claim';
import { claimExpiredJobs } from './expired-claim';
import { pause, resume } from './control';
import { addJobs } from './intake';
import { updateData } from './job-data';
import { renewLeases } from './leases';
import { getRateLimitTtl, getSettings, isMaxed, limitClaims, setCeiling, setRateLimit } from './limits';
import { addLogs, clearLogs, getLogs } from './logs';
import { getMetrics } from './metrics';
import { countDelayed, countPriorities, getCounts, getJobs, getPage, getStates } from './lookups';
import type { EmbeddedMachine } from './machine';
import {
  changeDelays,
  changePriorities,
  promoteDelayedJobs,
  promoteJobs,
  retryFinishedJobs,
  retryJobs,
} from './moves';
import { obliterateQueue, trimEvents } from './obliteration';
import { updateProgress } from './progress';
import { publishEvents } from './publishing';
import type { QueueSignals } from './queue-signals';
import { cleanJobs, drainQueue, removeJobs } from './removal';
import { settleJobs } from './settle';
import type { Step } from './step';
import { recoverAbandonedJobs } from './sweep';

/**
 * One handle on one queue of an embedded store.
 *
 * @internal
 */
export class EmbeddedQueue implements QueueBackend {
  #isClosed = false;

  /**
   * @param presence - the workers of the queue, to which the handle adds its own when that begins to work
   * @param onClose - called once
   */
  constructor(
    private readonly machine: EmbeddedMachine,
    readonly queueName: string,
    readonly caller: string,
    readonly signals: QueueSignals,
    private readonly presence: {
      readonly workers: Set<WorkerInfo>;
      readonly worker?: WorkerInfo | undefined;
    },
    private readonly onClose: () => void,
  ) {}

  async addJobs(request: AddJobsRequest, call: MutatingCall): Promise<AddJobsReply> {
    return this.#change('addJobs', call, (step) => addJobs(step, request));
  }

  async claimJobs(request: ClaimRequest, call: MutatingCall): Promise<ClaimJobsReply> {
    const reply = this.#change(
      'claimJobs',
      call,
      (step) => claimJobs(step, request, call),
      request.leaseDuration,
    );
    this.#appear();
    return reply;
  }

  async settleJobs(request: SettleJobsRequest, call: MutatingCall): Promise<SettleJobsReply> {
    const leaseDuration = request.claim?.leaseDuration;
    return this.#change('settleJobs', call, (step) => settleJobs(step, request, call), leaseDuration);
  }

  async renewLeases(request: RenewLeasesRequest, call: MutatingCall): Promise<RenewLeasesReply> {
    return this.#change('renewLeases', call, (step) => renewLeases(step, request), request.leaseDuration);
  }

  async recoverAbandonedJobs(
    request: RecoverAbandonedJobsRequest,
    call: MutatingCall,
  ): Promise<RecoverAbandonedJobsReply> {
    return this.#change('recoverAbandonedJobs', call, (step) => recoverAbandonedJobs(step, request));
  }

  async claimExpiredJobs(
    request: ClaimExpiredJobsRequest,
    call: MutatingCall,
  ): Promise<ClaimExpiredJobsReply> {
    const { leaseDuration } = request;
    return this.#change(
      'claimExpiredJobs',
      call,
      (step) => claimExpiredJobs(step, request, call),
      leaseDuration,
    );
  }

  /** Nobody can put a scheduler here. */
  async planIteration(_request: PlanIterationRequest, call: MutatingCall): Promise<PlanIterationReply> {
    return this.#change('planIteration', call, (step) => ({ now: step.now, planned: null }));
  }

  async promoteJobs(request: PromoteJobsRequest, call: MutatingCall): Promise<MoveJobsReply> {
    return this.#change('promoteJobs', call, (step) => promoteJobs(step, request));
  }

  async promoteDelayedJobs(request: PromoteDelayedJobsRequest, call: MutatingCall): Promise<MoveStateReply> {
    return this.#change('promoteDelayedJobs', call, (step) => promoteDelayedJobs(step, request));
  }

  async changeDelays(request: ChangeDelaysRequest, call: MutatingCall): Promise<MoveJobsReply> {
    return this.#change('changeDelays', call, (step) => changeDelays(step, request));
  }

  async changePriorities(request: ChangePrioritiesRequest, call: MutatingCall): Promise<MoveJobsReply> {
    return this.#change('changePriorities', call, (step) => changePriorities(step, request));
  }

  async retryJobs(request: RetryJobsRequest, call: MutatingCall): Promise<MoveJobsReply> {
    return this.#change('retryJobs', call, (step) => retryJobs(step, request));
  }

  async retryFinishedJobs(request: RetryFinishedJobsRequest, call: MutatingCall): Promise<MoveStateReply> {
    return this.#change('retryFinishedJobs', call, (step) => retryFinishedJobs(step, request));
  }

  async updateProgress(request: UpdateProgressRequest, call: MutatingCall): Promise<UpdateProgressReply> {
    return this.#change('updateProgress', call, (step) => updateProgress(step, request));
  }

  async removeJobs(request: RemoveJobsRequest, call: MutatingCall): Promise<RemoveJobsReply> {
    return this.#change('removeJobs', call, (step) => removeJobs(step, request));
  }

  async cancelJobs(request: CancelJobsRequest, call: MutatingCall): Promise<CancelJobsReply> {
    return this.#change('cancelJobs', call, (step) => cancelJobs(step, request));
  }

  async cleanJobs(request: CleanJobsRequest, call: MutatingCall): Promise<CleanJobsReply> {
    return this.#change('cleanJobs', call, (step) => cleanJobs(step, request));
  }

  async drainQueue(request: DrainQueueRequest, call: MutatingCall): Promise<DrainQueueReply> {
    return this.#change('drainQueue', call, (step) => drainQueue(step, request));
  }

  async obliterateQueue(request: ObliterateQueueRequest, call: MutatingCall): Promise<ObliterateQueueReply> {
    return this.#change('obliterateQueue', call, (step) => obliterateQueue(step, request));
  }

  /** Its state is a part of a job here: none is without. */
  async findOrphanedJobs(): Promise<FoundOrphanedJobs> {
    this.#refuseWhenClosed('findOrphanedJobs');
    return { ids: [], cursor: null };
  }

  async removeOrphanedJobs(
    { ids }: RemoveOrphanedJobsRequest,
    call: MutatingCall,
  ): Promise<RemoveOrphanedJobsReply> {
    return this.#change('removeOrphanedJobs', call, (step) => ({
      now: step.now,
      removed: [],
      checked: ids.length,
    }));
  }

  async updateData(request: UpdateDataRequest, call: MutatingCall): Promise<UpdateDataReply> {
    return this.#change('updateData', call, (step) => updateData(step, request));
  }

  async addLogs(request: AddLogsRequest, call: MutatingCall): Promise<AddLogsReply> {
    return this.#change('addLogs', call, (step) => addLogs(step, request));
  }

  async clearLogs(request: ClearLogsRequest, call: MutatingCall): Promise<ClearLogsReply> {
    return this.#change('clearLogs', call, (step) => clearLogs(step, request));
  }

  async getLogs(request: LogPageRequest): Promise<LogPage> {
    this.#refuseWhenClosed('getLogs');
    return getLogs(this.machine.store, this.queueName, request);
  }

  async pause(call: MutatingCall): Promise<QueueControlReply> {
    return this.#change('pause', call, pause);
  }

  async resume(call: MutatingCall): Promise<QueueControlReply> {
    return this.#change('resume', call, resume);
  }

  async isPaused(): Promise<boolean> {
    this.#refuseWhenClosed('isPaused');
    return this.machine.store.get('queues', this.queueName)?.paused === 1;
  }

  async setCeiling({ ceiling }: { ceiling: number | null }, call: MutatingCall): Promise<Reply> {
    return this.#change('setCeiling', call, (step) => setCeiling(step, ceiling));
  }

  async setRateLimit({ limit }: { limit: RateLimit | null }, call: MutatingCall): Promise<Reply> {
    return this.#change('setRateLimit', call, (step) => setRateLimit(step, limit));
  }

  async limitClaims({ duration }: { duration: number | null }, call: MutatingCall): Promise<Reply> {
    return this.#change('limitClaims', call, (step) => limitClaims(step, duration));
  }

  async isMaxed(): Promise<boolean> {
    this.#refuseWhenClosed('isMaxed');
    return isMaxed(this.machine.store, this.queueName);
  }

  async getRateLimitTtl(max: number | null): Promise<number> {
    this.#refuseWhenClosed('getRateLimitTtl');
    return getRateLimitTtl(this.machine.store, this.queueName, this.machine.now(), max);
  }

  async getSettings(): Promise<QueueSettings> {
    this.#refuseWhenClosed('getSettings');
    return getSettings(this.machine.store, this.queueName);
  }

  async getJobs(ids: readonly string[]): Promise<(JobRecord | null)[]> {
    this.#refuseWhenClosed('getJobs');
    return getJobs(this.machine.store, this.queueName, ids);
  }

  async getStates(ids: readonly string[]): Promise<(JobState | null)[]> {
    this.#refuseWhenClosed('getStates');
    return getStates(this.machine.store, this.queueName, ids);
  }

  async getCounts(): Promise<Record<JobState, number>> {
    this.#refuseWhenClosed('getCounts');
    return getCounts(this.machine.store, this.queueName);
  }

  async countDelayed(before: number): Promise<number> {
    this.#refuseWhenClosed('countDelayed');
    return countDelayed(this.machine.store, this.queueName, before);
  }

  async countPriorities(priorities: readonly number[]): Promise<number[]> {
    this.#refuseWhenClosed('countPriorities');
    return countPriorities(this.machine.store, this.queueName, priorities);
  }

  async getMetrics(request: MetricsRequest): Promise<StateMetrics> {
    this.#refuseWhenClosed('getMetrics');
    return getMetrics(this.machine.store, this.queueName, request);
  }

  async getPage(request: PageRequest): Promise<JobRecord[]> {
    this.#refuseWhenClosed('getPage');
    return getPage(this.machine.store, this.queueName, request);
  }

  async getWorkers(): Promise<WorkerInfo[]> {
    this.#refuseWhenClosed('getWorkers');
    return [...this.presence.workers].map((worker) => ({ ...worker }));
  }

  async readEvents(request: ReadEventsRequest): Promise<EventPage> {
    this.#refuseWhenClosed('readEvents');
    return this.signals.readEvents(this, request);
  }

  async publishEvents(request: PublishEventsRequest, call: MutatingCall): Promise<Reply> {
    return this.#change('publishEvents', call, (step) => publishEvents(step, request));
  }

  async lastEventId(): Promise<string> {
    this.#refuseWhenClosed('lastEventId');
    const queue = this.machine.store.get('queues', this.queueName);
    return queue === undefined ? '0-0' : `${queue.eventMillis}-${queue.eventNumber}`;
  }

  async trimEvents(request: TrimEventsRequest, call: MutatingCall): Promise<TrimEventsReply> {
    return this.#change('trimEvents', call, (step) => trimEvents(step, request));
  }

  async waitForWork(request: WaitForWorkRequest): Promise<boolean> {
    this.#refuseWhenClosed('waitForWork');
    return this.signals.waitForWork(this, request);
  }

  async ready(): Promise<void> {
    this.#refuseWhenClosed('ready');
    this.#appear();
  }

  async time(): Promise<number> {
    this.#refuseWhenClosed('time');
    return this.machine.now();
  }

  async close(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.#disappear();
      this.signals.leave(this);
      this.onClose();
    }
  }

  #appear(): void {
    if (this.presence.worker !== undefined) {
      this.presence.workers.add(this.presence.worker);
    }
  }

  #disappear(): void {
    if (this.presence.worker !== undefined) {
      this.presence.workers.delete(this.presence.worker);
    }
  }

  #change<Result extends Reply>(
    operation: OperationName,
    call: MutatingCall,
    act: (step: Step) => Result,
    leaseDuration = 0,
  ): Result {
    this.#refuseWhenClosed(operation);
    return this.machine.change(this, call, act, leaseDuration);
  }

  #refuseWhenClosed(operation: OperationName): void {
    if (this.#isClosed) {
      throw new QueueClosedError(`The handle on queue "${this.queueName}"`, operation);
    }
  }
}
