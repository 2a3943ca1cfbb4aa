import type { QueueEventName } from '../model/queue-event';
import type { MutatingCall, Reply } from './mutating-call';

/**
 * An event as stored. Only the fields of its kind are present (see `QueueEventPayloads`); `returnvalue` and `data`
 * are JSON.
 *
 * @public
 */
export interface StoredEvent {
  /** `<milliseconds>-<n>`, growing with every event of the queue; the milliseconds are those of the store's own clock. */
  id: string;
  event: QueueEventName;
  jobId?: string;
  name?: string;
  prev?: string;
  delay?: number;
  data?: string;
  returnvalue?: string;
  failedReason?: string;
  attemptsMade?: string;
  count?: string;
}

/**
 * Which events to read, and how long to wait for them.
 *
 * @public
 */
export interface ReadEventsRequest {
  /** Id after which to read, exclusive; `0-0` for all that is kept. */
  readonly after: string;
  /** Most events to return. */
  readonly limit: number;
  /** Milliseconds to wait for the first event; 0 answers at once. */
  readonly block: number;
  /** Ends the wait with what there is. */
  readonly signal?: AbortSignal;
}

/**
 * How short to make the log.
 *
 * @public
 */
export interface TrimEventsRequest {
  /** Most events to keep, the newest; at least 0. */
  readonly maxLength: number;
}

/**
 * Reply of `trimEvents`.
 *
 * @public
 */
export interface TrimEventsReply extends Reply {
  /** How many events were dropped, at most `MAX_TRIMMED`. */
  removed: number;
  /** There are too many still: the call is to be made again. */
  more: boolean;
}

/**
 * The log to which every state change writes its event, in the same step. It keeps about the last 10,000 events; a
 * store in memory keeps fewer when their payloads are large.
 *
 * @public
 */
export interface EventLog {
  /** Events after an id, oldest first; empty when none came in time. */
  readEvents(request: ReadEventsRequest): Promise<StoredEvent[]>;
  /** Id of the newest event, `0-0` where none is kept. */
  lastEventId(): Promise<string>;
  /** Drops the oldest events beyond a number. */
  trimEvents(request: TrimEventsRequest, call: MutatingCall): Promise<TrimEventsReply>;
}

/**
 * Events that a log keeps, about.
 *
 * @public
 */
export const MAX_EVENTS = 10_000;

/**
 * Most events that one call drops.
 *
 * @public
 */
export const MAX_TRIMMED = 10_000;
