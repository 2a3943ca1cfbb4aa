import type { BackendCapability } from '../../../contract/backend-capabilities';
import type { Clock } from '../../../contract/clock';
import type { LaneBackend } from '../../../contract/queue-backend';
import type { QueueEvents, QueueEventsOptions } from '../../../engine/events/queue-events';
import type { QueueEventsProducer } from '../../../engine/events/queue-events-producer';
import type { Queue, QueueOptions } from '../../../engine/queue';
import type { Processor } from '../../../engine/worker/job-executor';
import type { Worker, WorkerSettings } from '../../../engine/worker/worker';

/**
 * What a case about the engine has at hand: a fresh store, a clock that it moves, and engine objects which are
 * closed after it.
 *
 * @internal
 */
export interface EngineContext {
  readonly backend: LaneBackend;
  readonly clock: Clock;
  /** Moves the clock, and lets everything run that comes due on the way. */
  readonly advance: (millis: number) => Promise<void>;
  /** A queue of the store; always the same name. */
  readonly queue: (options?: Partial<QueueOptions>) => Queue;
  /** A worker of that queue; without a processor, for fetching by hand. */
  readonly worker: (processor: Processor | null | undefined, options?: Partial<WorkerSettings>) => Worker;
  /** A listener of that queue that is ready to hear. */
  readonly events: (options?: Partial<QueueEventsOptions>) => Promise<QueueEvents>;
  /** A writer of events of its own into that queue. */
  readonly eventsProducer: () => QueueEventsProducer;
  /** Waits, in real time and for some seconds at most, until the condition holds. */
  readonly until: (reason: string, condition: () => boolean | Promise<boolean>) => Promise<void>;
}

/**
 * One thing that the engine does the same on every backend.
 *
 * @internal
 */
export interface EngineScenario {
  /** What holds, as a sentence; begins with the number of the trap that it is about, if any. */
  readonly title: string;
  /** Capability without which the case makes no sense. */
  readonly requires?: BackendCapability;
  run(context: EngineContext): Promise<void>;
}
