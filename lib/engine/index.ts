export { Job, type JobJson } from './job';
export { Queue, type BulkJob, type JobType, type QueueListeners, type QueueOptions } from './queue';
export { QueueEvents, type QueueEventsListeners, type QueueEventsOptions } from './events/queue-events';
export { Worker, type WorkerListeners, type WorkerSettings } from './worker/worker';
export type { Processor } from './worker/job-executor';
export type { ConnectionOptions } from './runtime/queue-connection';
export { SafeEmitter } from './runtime/safe-emitter';
