import type { BackendCapabilities } from './backend-capabilities';
import type { BackendLifecycle } from './backend-lifecycle';
import type { EventLog } from './event-log';
import type { JobExpiry } from './job-expiry';
import type { IterationPlanning } from './iteration-planning';
import type { JobCancelling } from './job-cancelling';
import type { JobHandover } from './job-handover';
import type { JobData } from './job-data';
import type { JobIntake } from './job-intake';
import type { JobLogs } from './job-logs';
import type { JobLookup } from './job-lookup';
import type { JobMoves } from './job-moves';
import type { JobProgress } from './job-progress';
import type { JobRemoval } from './job-removal';
import type { Metrics } from './metrics';
import type { OutsideView } from './outside-view';
import type { QueueControl } from './queue-control';
import type { QueueLimits } from './queue-limits';
import type { WorkSignal } from './work-signal';
import type { WorkerLookup } from './worker-lookup';

/**
 * One user's handle on one queue of a store: the sum of the contract's parts.
 *
 * Every changing method is one atomic step over many jobs. Everything that can be checked is checked before the
 * first write, and a refused item changes nothing.
 *
 * @public
 */
export interface QueueBackend
  extends
    JobIntake,
    JobHandover,
    JobExpiry,
    IterationPlanning,
    JobMoves,
    JobProgress,
    JobRemoval,
    JobCancelling,
    JobData,
    JobLogs,
    JobLookup,
    Metrics,
    WorkerLookup,
    QueueControl,
    QueueLimits,
    EventLog,
    WorkSignal,
    BackendLifecycle {
  /** Name of the queue. */
  readonly queueName: string;
  /** Identifies this handle in the numbers of its calls: 32 random hexadecimal digits. */
  readonly caller: string;
  /** Left out where no other clients share the store. */
  readonly outside?: OutsideView;
}

/**
 * What a handle is for; a backend with connections keeps them apart by it.
 *
 * @public
 */
export type HandleRole = 'producer' | 'worker' | 'events';

/**
 * Which queue a handle is on, and for whom.
 *
 * @public
 */
export interface OpenQueueRequest {
  /** A checked queue name. */
  readonly queueName: string;
  readonly role: HandleRole;
  /** Name of the worker that the handle is for, if it has one, which `getWorkers` tells. */
  readonly workerName?: string | null;
}

/**
 * A store, as the application hands it to `LaneModule`, `Queue` or `Worker`: made by `memory()` and the like.
 *
 * @public
 */
export interface LaneBackend {
  /** Kind of store, such as `memory`. */
  readonly kind: string;
  readonly capabilities: BackendCapabilities;
  /** A handle on one queue; its connections are opened when first needed. */
  openQueue(request: OpenQueueRequest): QueueBackend;
}
