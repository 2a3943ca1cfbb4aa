/**
 * What each event of a queue carries besides its id; BullMQ's names and fields.
 *
 * Storage protocol, section 6.2.
 *
 * @public
 */
export interface QueueEventPayloads {
  /** A job was stored. */
  added: { jobId: string; name: string };
  /** A job became ready to run; `prev` is missing for a new one. */
  waiting: { jobId: string; prev?: string };
  /** A worker took the job. */
  active: { jobId: string; prev: string };
  /** A job waits for its time; `delay` is the due time in milliseconds since 1970. */
  delayed: { jobId: string; delay: number };
  /**
   * A job waits for its children. Only clients of BullMQ make jobs that do; `prev` is there when a worker had the job.
   */
  'waiting-children': { jobId: string; prev?: string };
  /** A job reported progress. */
  progress: { jobId: string; data: unknown };
  /** A job ended well. */
  completed: { jobId: string; returnvalue: unknown; prev: string };
  /** A job ended badly, for good. */
  failed: { jobId: string; failedReason: string; prev: string };
  /** A job failed and had used up its attempts. */
  'retries-exhausted': { jobId: string; attemptsMade: string };
  /** A job was taken back from a worker that is gone. */
  stalled: { jobId: string };
  /** An id that is stored already was added again; nothing changed. */
  duplicated: { jobId: string };
  /** A job was removed by a call for it; `prev` is its state as it is stored, such as `wait`. */
  removed: { jobId: string; prev: string };
  /** Old jobs were cleaned away. */
  cleaned: { count: string };
  /**
   * A job was not added, or took the place of another, because of its deduplication id. Only clients of BullMQ give
   * one so far.
   */
  deduplicated: { jobId: string; deduplicationId: string; deduplicatedJobId: string };
  /** What clients of BullMQ 5 write besides `deduplicated`. */
  debounced: { jobId: string; debounceId: string };
  /** Nothing waits and nothing runs. */
  drained: Record<never, never>;
  /** The queue was paused. */
  paused: Record<never, never>;
  /** The queue was resumed. */
  resumed: Record<never, never>;
}

/**
 * Name of an event of a queue.
 *
 * @public
 */
export type QueueEventName = keyof QueueEventPayloads;

/**
 * An event that an application wrote into the log of a queue, with `QueueEventsProducer`.
 *
 * @public
 */
export interface CustomEvent {
  type: 'custom';
  id: string;
  /** Its own name. */
  name: string;
  /** Its fields, all of them texts. */
  payload: Record<string, string>;
}

/**
 * One event of a queue, told apart by `type`.
 *
 * @public
 */
export type QueueEvent =
  | { [Name in QueueEventName]: { type: Name; id: string } & QueueEventPayloads[Name] }[QueueEventName]
  | CustomEvent;

/**
 * Says that events may be missing here: the log did not keep them long enough for the reader, or the subscriber was
 * too slow for its buffer.
 *
 * @public
 */
export interface EventGap {
  type: 'gap';
  /** Id of the last event before the gap. */
  from: string;
  /** Id of the first event after it. */
  to: string;
}

/**
 * Every event name.
 *
 * @public
 */
export const QUEUE_EVENT_NAMES: readonly QueueEventName[] = [
  'added',
  'waiting',
  'active',
  'delayed',
  'waiting-children',
  'progress',
  'completed',
  'failed',
  'retries-exhausted',
  'stalled',
  'duplicated',
  'removed',
  'cleaned',
  'deduplicated',
  'debounced',
  'drained',
  'paused',
  'resumed',
];
