import type { MutatingCall, Reply } from './mutating-call';

/**
 * A field of an event that an application wrote.
 *
 * @public
 */
export type CustomField = readonly [name: string, value: string];

/**
 * An event as stored. Only the fields of its kind are present (see `QueueEventPayloads`); `returnvalue` and `data`
 * are JSON.
 *
 * @public
 */
export interface StoredEvent {
  /** `<milliseconds>-<n>`, growing with every event of the queue; the milliseconds are those of the store's own clock. */
  id: string;
  /** One of `QUEUE_EVENT_NAMES`, or the name that an application gave to an event of its own. */
  event: string;
  jobId?: string;
  name?: string;
  prev?: string;
  delay?: number;
  data?: string;
  returnvalue?: string;
  failedReason?: string;
  attemptsMade?: string;
  count?: string;
  deduplicationId?: string;
  deduplicatedJobId?: string;
  debounceId?: string;
  /** The fields of an event of an application's own, in order; it has no others. */
  fields?: readonly CustomField[];
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
 * What a reader is given.
 *
 * @public
 */
export interface EventPage {
  /** Oldest first. */
  readonly events: StoredEvent[];
  /**
   * Whether events between the asked id and the first of these may have been dropped from the log. It may be said of
   * an id, too, that is the very last one which was dropped. Never without events.
   */
  readonly hasGap: boolean;
}

/**
 * An event of an application's own.
 *
 * @public
 */
export interface NewEvent {
  /** Not one of `QUEUE_EVENT_NAMES`. */
  readonly name: string;
  /** At most `MAX_CUSTOM_FIELDS`, none of them called `event`. */
  readonly fields: readonly CustomField[];
  /** Events to keep in the log, about, at least 1; `null` for as many as the queue keeps. */
  readonly maxEvents: number | null;
}

/**
 * Events to write, in order.
 *
 * @public
 */
export interface PublishEventsRequest {
  /** At most `MAX_BATCH`. */
  readonly events: readonly NewEvent[];
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
  /** Events after an id, oldest first; none when none came in time. */
  readEvents(request: ReadEventsRequest): Promise<EventPage>;
  /** Writes events of an application's own. */
  publishEvents(request: PublishEventsRequest, call: MutatingCall): Promise<Reply>;
  /** Id of the newest event that was written, be it kept or not; `0-0` before the first. */
  lastEventId(): Promise<string>;
  /** Drops the oldest events beyond a number. */
  trimEvents(request: TrimEventsRequest, call: MutatingCall): Promise<TrimEventsReply>;
}

/**
 * What a read brings that has come to its end in vain.
 *
 * @public
 */
export const NO_EVENTS: EventPage = { events: [], hasGap: false };

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
