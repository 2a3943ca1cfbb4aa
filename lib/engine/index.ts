export { Job, type JobJson } from './job';
export { Queue, type BulkJob, type QueueOptions } from './queue';
export type { QueueListeners } from './queue-base';
export type { PriorityOptions, RetryOptions } from './job-moves';
export type { RemoveOptions } from './job-removing';
export type { CleanType, JobType } from './queue-arguments';
export type { ObliterateOptions } from './queue-maintenance';
export type { PromoteJobsOptions, RetryJobsOptions } from './queue-moves';
export { QueueEvents, type QueueEventsListeners, type QueueEventsOptions } from './events/queue-events';
export { Worker, type WorkerListeners, type WorkerSettings } from './worker/worker';
export type { Processor } from './worker/job-executor';
export type { ConnectionOptions } from './runtime/queue-connection';
export { SafeEmitter, type EventMap } from './runtime/safe-emitter';
export type { Duration, DurationText } from '../model/duration';
export {
  PRIORITY_LIMIT,
  type BackoffOptions,
  type DefaultJobOptions,
  type JobOptions,
  type KeepOption,
  type KeepOptions,
  type StoredJobOptions,
} from '../model/job-options';
export { JOB_STATES, type JobState } from '../model/job-state';
export type { Backoff } from '../model/policy/backoff';
export type { RetentionOption, StoredRetention } from '../model/policy/retention';
export type { QueueEvent, QueueEventName, QueueEventPayloads } from '../model/queue-event';
export type { ShutdownOptions, WorkerOptions } from '../model/worker-options';
export type { WorkerInfo } from '../contract/worker-lookup';
export type { FinishedState } from '../contract/job-moves';
export type { LaneBackend } from '../contract/queue-backend';
export type { Clock } from '../contract/clock';
export { AlreadyRunningError } from '../model/errors/already-running.error';
export { CallExpiredError } from '../model/errors/call-expired.error';
export { CommandForbiddenError } from '../model/errors/command-forbidden.error';
export { ConnectionLostError } from '../model/errors/connection-lost.error';
export { FailedChildrenError } from '../model/errors/failed-children.error';
export { InvalidAttemptsError } from '../model/errors/invalid-attempts.error';
export { InvalidBackendError } from '../model/errors/invalid-backend.error';
export { InvalidBackendUrlError } from '../model/errors/invalid-backend-url.error';
export { InvalidBackoffError } from '../model/errors/invalid-backoff.error';
export { InvalidCronPatternError } from '../model/errors/invalid-cron-pattern.error';
export { InvalidDelayError } from '../model/errors/invalid-delay.error';
export { InvalidDurationError } from '../model/errors/invalid-duration.error';
export { InvalidEventIdError } from '../model/errors/invalid-event-id.error';
export { InvalidFlagError } from '../model/errors/invalid-flag.error';
export { InvalidJobIdError } from '../model/errors/invalid-job-id.error';
export { InvalidJobsError } from '../model/errors/invalid-jobs.error';
export { InvalidLimitError } from '../model/errors/invalid-limit.error';
export { InvalidRangeError } from '../model/errors/invalid-range.error';
export { InvalidRedisOptionError } from '../model/errors/invalid-redis-option.error';
export { InvalidJobNameError } from '../model/errors/invalid-job-name.error';
export { InvalidOptionError } from '../model/errors/invalid-option.error';
export { InvalidOptionsError } from '../model/errors/invalid-options.error';
export { InvalidPriorityError } from '../model/errors/invalid-priority.error';
export { InvalidProcessorError } from '../model/errors/invalid-processor.error';
export { InvalidQueueNameError } from '../model/errors/invalid-queue-name.error';
export { InvalidRetentionError } from '../model/errors/invalid-retention.error';
export { InvalidWorkerOptionError } from '../model/errors/invalid-worker-option.error';
export { JobLeasedError } from '../model/errors/job-leased.error';
export { JobNotFoundError } from '../model/errors/job-not-found.error';
export { LeaseLostError } from '../model/errors/lease-lost.error';
export { LoginRefusedError } from '../model/errors/login-refused.error';
export { MissingDriverError } from '../model/errors/missing-driver.error';
export { NoHandlerError } from '../model/errors/no-handler.error';
export { OutcomeUnknownError } from '../model/errors/outcome-unknown.error';
export { OutstandingIterationError } from '../model/errors/outstanding-iteration.error';
export { QueueActiveError } from '../model/errors/queue-active.error';
export { QueueClosedError } from '../model/errors/queue-closed.error';
export { QueueNotPausedError } from '../model/errors/queue-not-paused.error';
export { StaleCallError } from '../model/errors/stale-call.error';
export { StoreError } from '../model/errors/store.error';
export { StoreFullError } from '../model/errors/store-full.error';
export { StoreReadOnlyError } from '../model/errors/store-read-only.error';
export { StoreUnavailableError } from '../model/errors/store-unavailable.error';
export { UnfinishedChildrenError } from '../model/errors/unfinished-children.error';
export { UnknownBackendUrlError } from '../model/errors/unknown-backend-url.error';
export { UnknownJobStateError } from '../model/errors/unknown-job-state.error';
export { UnknownOptionError } from '../model/errors/unknown-option.error';
export { UnrecoverableError } from '../model/errors/unrecoverable.error';
export { UnserializableDataError } from '../model/errors/unserializable-data.error';
export { UnsupportedServerError } from '../model/errors/unsupported-server.error';
export { WorkerClosingError } from '../model/errors/worker-closing.error';
export { WrongJobStateError } from '../model/errors/wrong-job-state.error';
export { LaneError } from '../model/errors/lane-error';
