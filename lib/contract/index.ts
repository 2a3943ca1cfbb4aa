export type { BackendCapabilities, BackendCapability } from './backend-capabilities';
export type { BackendLifecycle } from './backend-lifecycle';
export { systemClock, type Clock } from './clock';
export {
  MAX_EVENTS,
  MAX_TRIMMED,
  NO_EVENTS,
  type CustomField,
  type EventLog,
  type EventPage,
  type NewEvent,
  type PublishEventsRequest,
  type ReadEventsRequest,
  type StoredEvent,
  type TrimEventsReply,
  type TrimEventsRequest,
} from './event-log';
export {
  MAX_RECOVERED,
  STALLED_REASON,
  type Claim,
  type ClaimIdle,
  type ClaimJobsReply,
  type ClaimRequest,
  type HeldLease,
  type JobHandover,
  type Outcome,
  type RecoverAbandonedJobsReply,
  type RecoverAbandonedJobsRequest,
  type RenewLeasesReply,
  type RenewLeasesRequest,
  type SettleJobsReply,
  type SettleJobsRequest,
} from './job-handover';
export {
  EXPIRED_REASON,
  type ClaimExpiredJobsReply,
  type ClaimExpiredJobsRequest,
  type JobExpiry,
} from './job-expiry';
export type {
  IterationPlanning,
  PatternIteration,
  PlanIterationReply,
  PlanIterationRequest,
} from './iteration-planning';
export type { AddJobsReply, AddJobsRequest, AddResult, JobIntake, NewJob } from './job-intake';
export type { DataUpdate, JobData, UpdateDataReply, UpdateDataRequest } from './job-data';
export type {
  AddLogsReply,
  AddLogsRequest,
  ClearLogsReply,
  ClearLogsRequest,
  JobLogs,
  LogClearing,
  LogEntry,
  LogPage,
  LogPageRequest,
} from './job-logs';
export {
  holderOf,
  type CancelAnswer,
  type CancelJobsReply,
  type CancelJobsRequest,
  type CancelNotice,
  type JobCancel,
  type JobCancelling,
} from './job-cancelling';
export type { JobLookup, PageRequest } from './job-lookup';
export {
  MAX_MOVED,
  type ChangeDelaysRequest,
  type ChangePrioritiesRequest,
  type DelayChange,
  type FinishedState,
  type JobMoves,
  type JobRetry,
  type MoveJobsReply,
  type MoveStateReply,
  type PriorityChange,
  type PromoteDelayedJobsRequest,
  type PromoteJobsRequest,
  type RetryFinishedJobsRequest,
  type RetryJobsRequest,
} from './job-moves';
export type { JobProgress, ProgressUpdate, UpdateProgressReply, UpdateProgressRequest } from './job-progress';
export {
  MAX_REMOVED,
  type CleanJobsReply,
  type CleanJobsRequest,
  type DrainQueueReply,
  type DrainQueueRequest,
  type FindOrphanedJobsRequest,
  type FoundOrphanedJobs,
  type JobRemoval,
  type JobToRemove,
  type ObliterateQueueReply,
  type ObliterateQueueRequest,
  type RemoveJobsReply,
  type RemoveJobsRequest,
  type RemoveOrphanedJobsReply,
  type RemoveOrphanedJobsRequest,
} from './job-removal';
export type { Metrics, MetricsRequest, StateMetrics } from './metrics';
export {
  CHANNELS,
  MAX_ADDED,
  MAX_BATCH,
  MAX_BATCH_SIZE,
  leaseTokenOf,
  type MutatingCall,
  type Reply,
} from './mutating-call';
export type { OutsideView, SchedulerPage, StoredScheduler } from './outside-view';
export { OPERATIONS, type OperationName, type OperationSpec } from './operations';
export type { HandleRole, LaneBackend, OpenQueueRequest, QueueBackend } from './queue-backend';
export type { QueueControl, QueueControlReply } from './queue-control';
export { COUNTED_BY_HAND, type QueueLimits, type QueueSettings } from './queue-limits';
export { Refusal, refusalError } from './refusal';
export type { WaitForWorkRequest, WorkSignal } from './work-signal';
export type { WorkerInfo, WorkerLookup } from './worker-lookup';
export type { JobRecord } from '../model/job-record';
export { ALLOWED_MOVES, JOB_STATES, type JobState } from '../model/job-state';
export { MAX_CUSTOM_FIELDS } from '../model/custom-event';
export { QUEUE_EVENT_NAMES, type QueueEventName, type QueueEventPayloads } from '../model/queue-event';
export type { RateLimit } from '../model/rate-limit';
export { KEEP_ALL, type Retention } from '../model/policy/retention';
export { CallExpiredError } from '../model/errors/call-expired.error';
export { CommandForbiddenError } from '../model/errors/command-forbidden.error';
export { ConnectionLostError } from '../model/errors/connection-lost.error';
export { LaneError } from '../model/errors/lane-error';
export { LoginRefusedError } from '../model/errors/login-refused.error';
export { QueueClosedError } from '../model/errors/queue-closed.error';
export { StaleCallError } from '../model/errors/stale-call.error';
export { StoreError } from '../model/errors/store.error';
export { StoreFullError } from '../model/errors/store-full.error';
export { StoreReadOnlyError } from '../model/errors/store-read-only.error';
export { StoreUnavailableError } from '../model/errors/store-unavailable.error';
export { UnsupportedServerError } from '../model/errors/unsupported-server.error';
