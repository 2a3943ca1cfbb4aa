export { LaneModule } from './nest/lane.module';
export { LaneLifecycle } from './nest/control/lane.lifecycle';
export { LaneRegistry, type ConnectionView, type QueueView } from './nest/control/lane.registry';
export { LaneRunner } from './nest/control/lane.runner';
export { WorkerHandle } from './nest/control/worker-handle';
export { WorkerHost } from './nest/control/worker-host';
export type { QueueChoice } from './nest/control/queue-choice';
export { InjectJob, JOB_REF } from './nest/decorators/inject-job.decorator';
export { InjectWorker } from './nest/decorators/inject-worker.decorator';
export { InjectQueue } from './nest/decorators/inject-queue.decorator';
export { OnJobExhausted } from './nest/decorators/on-job-exhausted.decorator';
export { OnQueueEvent, type QueueEventType } from './nest/decorators/on-queue-event.decorator';
export { QueueEventsListener } from './nest/decorators/queue-events-listener.decorator';
export { JobCtx } from './nest/decorators/job-ctx.decorator';
export { JobData, type ArgumentPipe, type JobDataOptions } from './nest/decorators/job-data.decorator';
export { JobHeader } from './nest/decorators/job-header.decorator';
export { JobRef } from './nest/decorators/job-ref.decorator';
export { JobSignal } from './nest/decorators/job-signal.decorator';
export { OnWorkerEvent, type WorkerEventName } from './nest/decorators/on-worker-event.decorator';
export type { HandlerDecorator } from './nest/decorators/handler-return';
export { type Emissions, Process, type ProcessOptions } from './nest/decorators/process.decorator';
export {
  Processor,
  type ProcessorReference,
  type QueueReference,
} from './nest/decorators/processor.decorator';
export type { ConfigProblem } from './nest/errors/config-problem';
export { LaneConfigError } from './nest/errors/lane-config.error';
export { DrainingError } from './nest/errors/draining.error';
export { NotALaneContextError } from './nest/errors/not-a-lane-context.error';
export { LaneConnectionError, type ConnectionFailure } from './nest/errors/lane-connection.error';
export { QueueEventsUnavailableError } from './nest/errors/queue-events-unavailable.error';
export { LaneEvents, type LaneEvent } from './nest/listeners/lane.events';
export type { QueueEventOf } from './nest/listeners/queue-event-of';
export type { ListenerFailures } from './nest/listeners/listener.runner';
export type { WorkerEvent } from './nest/listeners/worker-event';
export { QueueEventsHost } from './nest/listeners/queue-events.host';
export { currentJob } from './nest/context/current-job';
export type { JobContext, JobLog } from './nest/context/job-context';
export { InvalidModuleRefError } from './nest/errors/invalid-module-ref.error';
export { NoWorkerError } from './nest/errors/no-worker.error';
export { NotStartedError } from './nest/errors/not-started.error';
export {
  getBackendToken,
  getConnectionOptionsToken,
  getQueueOptionsToken,
  getQueueToken,
  getWorkerToken,
} from './nest/lane.tokens';
export type { LaneState } from './nest/lifecycle/lane-states';
export type {
  BacklogReport,
  ConnectionReport,
  LaneReport,
  ReportOptions,
  ReportProblem,
  WorkerReport,
} from './nest/health/lane-report';
export type { WorkerState } from './nest/lifecycle/restartable-worker';
export type { InheritedEnhancers, LaneEnhancers } from './nest/options/enhancer-options';
export {
  LaneExecutionContext,
  switchToLane,
  type LaneContextType,
} from './nest/pipeline/lane-execution-context';
export type { AsyncOptions } from './nest/options/async-options';
export { HeaderCaptureError } from './nest/errors/header-capture.error';
export type {
  LaneHeaderOptions,
  LaneModuleAsyncOptions,
  LaneModuleOptions,
  LaneOptionsFactory,
} from './nest/options/lane-module-options';
export type { LaneRole, WorkedQueues, WorkOptions } from './nest/options/work-options';
export type { ProcessorOptions, QueueDefaults, UnknownJob } from './nest/options/queue-defaults';
export type {
  LaneQueueOptionsFactory,
  QueueFactoryOptions,
  RegisterQueueAsyncOptions,
  RegisterQueueOptions,
} from './nest/options/register-queue-options';

export {
  QueueEvents,
  type QueueEventsListeners,
  type QueueEventsOptions,
} from './engine/events/queue-events';
export { boundedConcatMap, type BoundedConcatMapOptions } from './engine/events/bounded-concat-map';
export type { JobCounts } from './engine/events/counts-stream';
export { EventReplay } from './engine/events/event-replay';
export { ofType } from './engine/events/of-type';
export { QueueEventsProducer, type EventFieldValue } from './engine/events/queue-events-producer';
export type { FinishedOptions } from './engine/job-getters';
export type { JobFinishedResult } from './engine/queue-getters';
export { Job, type JobJson } from './engine/job';
export type { QueueMetricsPage } from './engine/queue-metrics';
export {
  defineQueue,
  DefinedJob,
  QueueDefinition,
  type DefineQueueOptions,
  type JobDefinitions,
} from './engine/definition/queue-definition';
export {
  job,
  JobDefinition,
  type JobDefinitionOptions,
  type ValidateWhen,
} from './engine/definition/job-definition';
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
} from './engine/definition/job-shapes';
export { Queue, type BulkJob, type QueueOptions } from './engine/queue';
export type { IngestOptions, IngestProgress, IngestRefusal, IngestSource } from './engine/ingest';
export type { QueueListeners } from './engine/queue-base';
export type { PriorityOptions, RetryOptions } from './engine/job-moves';
export type { RemoveOptions } from './engine/job-removing';
export type { AddBulkOptions, CleanType, JobType, RunOptions } from './engine/queue-arguments';
export type { ObliterateOptions } from './engine/queue-maintenance';
export type { QueueMeta } from './engine/queue-limits';
export type { PromoteJobsOptions, RetryJobsOptions } from './engine/queue-moves';
export type { GetNextJobOptions } from './engine/by-hand/get-next-job-options';
export type { WorkerVitals } from './engine/worker/worker-vitals';
export { Worker, type WorkerListeners, type WorkerSettings } from './engine/worker/worker';
export {
  complete,
  discard,
  snooze,
  type DiscardOptions,
  type JobOutcome,
} from './engine/worker/outcome-values';

export type { FinishedState } from './contract/job-moves';
export type { LaneBackend } from './contract/queue-backend';
export type { CancelAnswer } from './contract/job-cancelling';
export type { WorkerInfo } from './contract/worker-lookup';
export type { ConnectedWorker, JobSchedulerInfo } from './engine/queue-outside';
export type { Duration, DurationText } from './model/duration';
export type { BackoffOptions } from './model/backoff-option';
export type { ValidationIssue } from './model/validation-issues';
export { MetricsTime } from './model/metrics-time';
export type { DefaultJobOptions, JobOptions } from './model/job-options';
export type { HeadersInput, JobHeaders } from './model/job-headers';
export type { KeepOption, KeepOptions } from './model/keep-option';
export type {
  SchemaInput,
  SchemaIssue,
  SchemaOutput,
  SchemaResult,
  StandardSchema,
} from './model/standard-schema';
export type { StoredJobOptions } from './model/stored-job-options';
export type { BackoffStrategy, FailedJob } from './model/policy/backoff-strategy';
export type { JobState } from './model/job-state';
export type {
  CustomEvent,
  EventGap,
  QueueEvent,
  QueueEventName,
  QueueEventPayloads,
} from './model/queue-event';
export type { RateLimit, RateLimiterOptions } from './model/rate-limit';
export type {
  MetricsOptions,
  ShutdownOptions,
  WorkerOptions,
  WorkerStrategies,
} from './model/worker-options';

export { AlreadyRunningError } from './model/errors/already-running.error';
export { BackoffStrategyError } from './model/errors/backoff-strategy.error';
export { CallExpiredError } from './model/errors/call-expired.error';
export { CommandForbiddenError } from './model/errors/command-forbidden.error';
export { ConnectionLostError } from './model/errors/connection-lost.error';
export { DelayedError } from './model/errors/delayed.error';
export { FailedChildrenError } from './model/errors/failed-children.error';
export { InvalidAttemptsError } from './model/errors/invalid-attempts.error';
export { InvalidBackendError } from './model/errors/invalid-backend.error';
export { InvalidBackendUrlError } from './model/errors/invalid-backend-url.error';
export { InvalidBackoffError } from './model/errors/invalid-backoff.error';
export { InvalidCronPatternError } from './model/errors/invalid-cron-pattern.error';
export { InvalidDataError } from './model/errors/invalid-data.error';
export { InvalidDefinitionError } from './model/errors/invalid-definition.error';
export { InvalidDelayError } from './model/errors/invalid-delay.error';
export { InvalidDurationError } from './model/errors/invalid-duration.error';
export { EventOverflowError } from './model/errors/event-overflow.error';
export { IngestOverflowError } from './model/errors/ingest-overflow.error';
export { EventsLostError } from './model/errors/events-lost.error';
export { InvalidQueueEventsError } from './model/errors/invalid-queue-events.error';
export { InvalidSourceError } from './model/errors/invalid-source.error';
export { InvalidStreamOptionError } from './model/errors/invalid-stream-option.error';
export { JobCancelledError } from './model/errors/job-cancelled.error';
export { JobExpiredError } from './model/errors/job-expired.error';
export { JobFailedError } from './model/errors/job-failed.error';
export { JobTimeoutError } from './model/errors/job-timeout.error';
export { JobRejectedError } from './model/errors/job-rejected.error';
export { JobRemovedError } from './model/errors/job-removed.error';
export { WaitTimeoutError } from './model/errors/wait-timeout.error';
export { InvalidEventError } from './model/errors/invalid-event.error';
export { InvalidEventIdError } from './model/errors/invalid-event-id.error';
export { InvalidFlagError } from './model/errors/invalid-flag.error';
export { InvalidHeadersError } from './model/errors/invalid-headers.error';
export { InvalidJobError } from './model/errors/invalid-job.error';
export { InvalidJobIdError } from './model/errors/invalid-job-id.error';
export { InvalidJobNameError } from './model/errors/invalid-job-name.error';
export { InvalidJobsError, type InvalidJobEntry } from './model/errors/invalid-jobs.error';
export { InvalidLimitError } from './model/errors/invalid-limit.error';
export { InvalidExpiresInError } from './model/errors/invalid-expires-in.error';
export { InvalidKeepLogsError } from './model/errors/invalid-keep-logs.error';
export { InvalidLabelError } from './model/errors/invalid-label.error';
export { InvalidLogRowError } from './model/errors/invalid-log-row.error';
export { InvalidOptionError } from './model/errors/invalid-option.error';
export { InvalidOptionsError } from './model/errors/invalid-options.error';
export { InvalidPriorityError } from './model/errors/invalid-priority.error';
export { InvalidProcessorError } from './model/errors/invalid-processor.error';
export { InvalidQueueNameError } from './model/errors/invalid-queue-name.error';
export { InvalidRangeError } from './model/errors/invalid-range.error';
export { InvalidReasonError } from './model/errors/invalid-reason.error';
export { InvalidRedisOptionError } from './model/errors/invalid-redis-option.error';
export { InvalidRetentionError } from './model/errors/invalid-retention.error';
export { InvalidSizeLimitError } from './model/errors/invalid-size-limit.error';
export { InvalidStackTraceLimitError } from './model/errors/invalid-stack-trace-limit.error';
export { InvalidTimeoutError } from './model/errors/invalid-timeout.error';
export { InvalidTimestampError } from './model/errors/invalid-timestamp.error';
export { InvalidTokenError } from './model/errors/invalid-token.error';
export { InvalidWorkerOptionError } from './model/errors/invalid-worker-option.error';
export { JobLeasedError } from './model/errors/job-leased.error';
export { JobNotFoundError } from './model/errors/job-not-found.error';
export { JobNotMovedError } from './model/errors/job-not-moved.error';
export { JobsNotAddedError, type BulkResult } from './model/errors/jobs-not-added.error';
export { LaneError } from './model/errors/lane-error';
export { LeaseLostError } from './model/errors/lease-lost.error';
export { LoginRefusedError } from './model/errors/login-refused.error';
export { MissingDriverError } from './model/errors/missing-driver.error';
export { MissingProcessorError } from './model/errors/missing-processor.error';
export { NewerVersionError } from './model/errors/newer-version.error';
export { NoHandlerError } from './model/errors/no-handler.error';
export { OutcomeUnknownError } from './model/errors/outcome-unknown.error';
export { OutstandingIterationError } from './model/errors/outstanding-iteration.error';
export { QueueActiveError } from './model/errors/queue-active.error';
export { PayloadTooLargeError } from './model/errors/payload-too-large.error';
export { QueueClosedError } from './model/errors/queue-closed.error';
export { QueueNotPausedError } from './model/errors/queue-not-paused.error';
export { RateLimitError } from './model/errors/rate-limit.error';
export { RateLimited } from './model/errors/rate-limited.error';
export { StoreError } from './model/errors/store.error';
export { StoreFullError } from './model/errors/store-full.error';
export { StoreReadOnlyError } from './model/errors/store-read-only.error';
export { StoreUnavailableError } from './model/errors/store-unavailable.error';
export { TooManyJobsError } from './model/errors/too-many-jobs.error';
export { UnfinishedChildrenError } from './model/errors/unfinished-children.error';
export { UnknownBackendUrlError } from './model/errors/unknown-backend-url.error';
export { UnknownJobStateError } from './model/errors/unknown-job-state.error';
export { UnknownJobNameError } from './model/errors/unknown-job-name.error';
export { UnknownOptionError } from './model/errors/unknown-option.error';
export { UnreadableDataError } from './model/errors/unreadable-data.error';
export { UnrecoverableError } from './model/errors/unrecoverable.error';
export { UnserializableDataError } from './model/errors/unserializable-data.error';
export { UnsupportedServerError } from './model/errors/unsupported-server.error';
export { WaitingError } from './model/errors/waiting.error';
export { WorkerClosingError } from './model/errors/worker-closing.error';
export { WrongJobStateError } from './model/errors/wrong-job-state.error';
