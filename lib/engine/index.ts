export { Job, type JobJson } from './job';
export type { QueueMetricsPage } from './queue-metrics';
export type { ConnectedWorker, JobSchedulerInfo } from './queue-outside';
export {
  defineQueue,
  DefinedJob,
  QueueDefinition,
  type DefineQueueOptions,
  type JobDefinitions,
} from './definition/queue-definition';
export {
  job,
  JobDefinition,
  type JobDefinitionOptions,
  type ValidateWhen,
} from './definition/job-definition';
export type {
  DefinedQueue,
  JobNameOf,
  JobOf,
  JobShape,
  JobShapes,
  QueueOf,
  QueueTypes,
  ShapesOf,
  UniformShapes,
} from './definition/job-shapes';
export { Queue, type BulkJob, type QueueOptions } from './queue';
export type { IngestOptions, IngestProgress, IngestRefusal, IngestSource } from './ingest';
export type { QueueListeners } from './queue-base';
export type { PriorityOptions, RetryOptions } from './job-moves';
export type { RemoveOptions } from './job-removing';
export type { AddBulkOptions, CleanType, JobType, RunOptions } from './queue-arguments';
export type { ObliterateOptions } from './queue-maintenance';
export type { QueueMeta } from './queue-limits';
export type { PromoteJobsOptions, RetryJobsOptions } from './queue-moves';
export { QueueEvents, type QueueEventsListeners, type QueueEventsOptions } from './events/queue-events';
export { boundedConcatMap, type BoundedConcatMapOptions } from './events/bounded-concat-map';
export type { JobCounts } from './events/counts-stream';
export { EventReplay } from './events/event-replay';
export { ofType } from './events/of-type';
export { QueueEventsProducer, type EventFieldValue } from './events/queue-events-producer';
export type { GetNextJobOptions } from './by-hand/get-next-job-options';
export type { FinishedOptions } from './job-getters';
export type { JobFinishedResult } from './queue-getters';
export type { WorkerVitals } from './worker/worker-vitals';
export { Worker, type WorkerListeners, type WorkerSettings } from './worker/worker';
export type { Processor } from './worker/job-executor';
export { complete, discard, snooze, type DiscardOptions, type JobOutcome } from './worker/outcome-values';
export type { ConnectionOptions } from './runtime/queue-connection';
export { SafeEmitter, type EventMap } from './runtime/safe-emitter';
export type { Duration, DurationText } from '../model/duration';
export type { BackoffOptions } from '../model/backoff-option';
export type { ValidationIssue } from '../model/validation-issues';
export { MetricsTime } from '../model/metrics-time';
export { PRIORITY_LIMIT, type DefaultJobOptions, type JobOptions } from '../model/job-options';
export type { KeepOption, KeepOptions } from '../model/keep-option';
export type { HeadersInput, JobHeaders } from '../model/job-headers';
export type {
  SchemaInput,
  SchemaIssue,
  SchemaOutput,
  SchemaResult,
  StandardSchema,
} from '../model/standard-schema';
export type { StoredJobOptions } from '../model/stored-job-options';
export { JOB_STATES, type JobState } from '../model/job-state';
export type { Backoff } from '../model/policy/backoff';
export type { BackoffStrategy, FailedJob } from '../model/policy/backoff-strategy';
export type { RetentionOption, StoredRetention } from '../model/policy/retention';
export type {
  CustomEvent,
  EventGap,
  QueueEvent,
  QueueEventName,
  QueueEventPayloads,
} from '../model/queue-event';
export type { RateLimit, RateLimiterOptions } from '../model/rate-limit';
export type {
  MetricsOptions,
  ShutdownOptions,
  WorkerOptions,
  WorkerStrategies,
} from '../model/worker-options';
export type { CancelAnswer } from '../contract/job-cancelling';
export type { WorkerInfo } from '../contract/worker-lookup';
export type { FinishedState } from '../contract/job-moves';
export type { LaneBackend } from '../contract/queue-backend';
export type { Clock } from '../contract/clock';
export { AlreadyRunningError } from '../model/errors/already-running.error';
export { BackoffStrategyError } from '../model/errors/backoff-strategy.error';
export { CallExpiredError } from '../model/errors/call-expired.error';
export { CommandForbiddenError } from '../model/errors/command-forbidden.error';
export { ConnectionLostError } from '../model/errors/connection-lost.error';
export { DelayedError } from '../model/errors/delayed.error';
export { FailedChildrenError } from '../model/errors/failed-children.error';
export { InvalidAttemptsError } from '../model/errors/invalid-attempts.error';
export { InvalidBackendError } from '../model/errors/invalid-backend.error';
export { InvalidBackendUrlError } from '../model/errors/invalid-backend-url.error';
export { InvalidBackoffError } from '../model/errors/invalid-backoff.error';
export { InvalidCronPatternError } from '../model/errors/invalid-cron-pattern.error';
export { InvalidDataError } from '../model/errors/invalid-data.error';
export { InvalidDefinitionError } from '../model/errors/invalid-definition.error';
export { InvalidDelayError } from '../model/errors/invalid-delay.error';
export { InvalidDurationError } from '../model/errors/invalid-duration.error';
export { EventOverflowError } from '../model/errors/event-overflow.error';
export { IngestOverflowError } from '../model/errors/ingest-overflow.error';
export { EventsLostError } from '../model/errors/events-lost.error';
export { InvalidQueueEventsError } from '../model/errors/invalid-queue-events.error';
export { InvalidSourceError } from '../model/errors/invalid-source.error';
export { InvalidStreamOptionError } from '../model/errors/invalid-stream-option.error';
export { JobCancelledError } from '../model/errors/job-cancelled.error';
export { JobExpiredError } from '../model/errors/job-expired.error';
export { JobFailedError } from '../model/errors/job-failed.error';
export { JobTimeoutError } from '../model/errors/job-timeout.error';
export { JobRejectedError } from '../model/errors/job-rejected.error';
export { JobRemovedError } from '../model/errors/job-removed.error';
export { WaitTimeoutError } from '../model/errors/wait-timeout.error';
export { InvalidEventError } from '../model/errors/invalid-event.error';
export { InvalidEventIdError } from '../model/errors/invalid-event-id.error';
export { InvalidFlagError } from '../model/errors/invalid-flag.error';
export { InvalidHeadersError } from '../model/errors/invalid-headers.error';
export { InvalidJobError } from '../model/errors/invalid-job.error';
export { InvalidJobIdError } from '../model/errors/invalid-job-id.error';
export { InvalidJobsError, type InvalidJobEntry } from '../model/errors/invalid-jobs.error';
export { InvalidLimitError } from '../model/errors/invalid-limit.error';
export { InvalidExpiresInError } from '../model/errors/invalid-expires-in.error';
export { InvalidKeepLogsError } from '../model/errors/invalid-keep-logs.error';
export { InvalidLabelError } from '../model/errors/invalid-label.error';
export { InvalidLogRowError } from '../model/errors/invalid-log-row.error';
export { InvalidRangeError } from '../model/errors/invalid-range.error';
export { InvalidReasonError } from '../model/errors/invalid-reason.error';
export { InvalidRedisOptionError } from '../model/errors/invalid-redis-option.error';
export { InvalidJobNameError } from '../model/errors/invalid-job-name.error';
export { InvalidOptionError } from '../model/errors/invalid-option.error';
export { InvalidOptionsError } from '../model/errors/invalid-options.error';
export { InvalidPriorityError } from '../model/errors/invalid-priority.error';
export { InvalidProcessorError } from '../model/errors/invalid-processor.error';
export { InvalidQueueNameError } from '../model/errors/invalid-queue-name.error';
export { InvalidRetentionError } from '../model/errors/invalid-retention.error';
export { InvalidSizeLimitError } from '../model/errors/invalid-size-limit.error';
export { InvalidStackTraceLimitError } from '../model/errors/invalid-stack-trace-limit.error';
export { InvalidTimeoutError } from '../model/errors/invalid-timeout.error';
export { InvalidTimestampError } from '../model/errors/invalid-timestamp.error';
export { InvalidTokenError } from '../model/errors/invalid-token.error';
export { InvalidWorkerOptionError } from '../model/errors/invalid-worker-option.error';
export { JobLeasedError } from '../model/errors/job-leased.error';
export { JobNotFoundError } from '../model/errors/job-not-found.error';
export { JobNotMovedError } from '../model/errors/job-not-moved.error';
export { JobsNotAddedError, type BulkResult } from '../model/errors/jobs-not-added.error';
export { LeaseLostError } from '../model/errors/lease-lost.error';
export { LoginRefusedError } from '../model/errors/login-refused.error';
export { MissingDriverError } from '../model/errors/missing-driver.error';
export { MissingProcessorError } from '../model/errors/missing-processor.error';
export { NewerVersionError } from '../model/errors/newer-version.error';
export { NoHandlerError } from '../model/errors/no-handler.error';
export { OutcomeUnknownError } from '../model/errors/outcome-unknown.error';
export { OutstandingIterationError } from '../model/errors/outstanding-iteration.error';
export { QueueActiveError } from '../model/errors/queue-active.error';
export { PayloadTooLargeError } from '../model/errors/payload-too-large.error';
export { QueueClosedError } from '../model/errors/queue-closed.error';
export { QueueNotPausedError } from '../model/errors/queue-not-paused.error';
export { StaleCallError } from '../model/errors/stale-call.error';
export { RateLimitError } from '../model/errors/rate-limit.error';
export { RateLimited } from '../model/errors/rate-limited.error';
export { StoreError } from '../model/errors/store.error';
export { StoreFullError } from '../model/errors/store-full.error';
export { StoreReadOnlyError } from '../model/errors/store-read-only.error';
export { StoreUnavailableError } from '../model/errors/store-unavailable.error';
export { TooManyJobsError } from '../model/errors/too-many-jobs.error';
export { UnfinishedChildrenError } from '../model/errors/unfinished-children.error';
export { UnknownBackendUrlError } from '../model/errors/unknown-backend-url.error';
export { UnknownJobStateError } from '../model/errors/unknown-job-state.error';
export { UnknownJobNameError } from '../model/errors/unknown-job-name.error';
export { UnknownOptionError } from '../model/errors/unknown-option.error';
export { UnreadableDataError } from '../model/errors/unreadable-data.error';
export { UnrecoverableError } from '../model/errors/unrecoverable.error';
export { UnserializableDataError } from '../model/errors/unserializable-data.error';
export { UnsupportedServerError } from '../model/errors/unsupported-server.error';
export { WaitingError } from '../model/errors/waiting.error';
export { WorkerClosingError } from '../model/errors/worker-closing.error';
export { WrongJobStateError } from '../model/errors/wrong-job-state.error';
export { LaneError } from '../model/errors/lane-error';
