import type { StoredEvent } from '../../contract/event-log';
import type { JobRecord } from '../../model/job-record';

/**
 * A job as a store keeps it: the record, its place among the jobs of its state, and its lease.
 *
 * @internal
 */
export type JobRow = JobRecord & {
  queue: string;
  /**
   * With `sequence`, the place among the jobs of the same state, smallest first:
   *
   * - waiting: `order` is 0 and `sequence` the position, which is counted down for the front and up for the back
   * - prioritized: the priority, then the position
   * - delayed: the due time
   * - active: the end of the lease
   * - completed and failed: the time of finishing, which never goes back in a queue
   */
  order: number;
  /** Counted by the queue, so no two jobs of a state have the same place. */
  sequence: number;
  /** Token of the lease of an active job, else `null`. */
  token: string | null;
  /** Place of the last claim among all claims of the queue, or `null` before the first. */
  claimed: number | null;
};

/**
 * What a store keeps of a queue as a whole.
 *
 * @internal
 */
export type QueueRow = {
  queue: string;
  /** 1 while it hands out no jobs, else 0. */
  paused: number;
  /** Most jobs that may be active at once, or `null`. */
  ceiling: number | null;
  /** Rate at which jobs may be claimed, each `null` without one. */
  max: number | null;
  duration: number | null;
  /** Jobs that the last window has counted, and when it ends. */
  windowUsed: number;
  windowEnd: number;
  /** Last id that was counted. */
  lastId: number;
  /** Last sequence that was counted down, for the front. */
  front: number;
  /** Last sequence that was counted up, for everything else. */
  back: number;
  /** Time of the last sweep for abandoned jobs, or `null` before the first. */
  sweptAt: number | null;
  /** Milliseconds after which the next one may come, as its caller wanted. */
  sweptFor: number;
  /** `back` at that sweep: jobs claimed or renewed since have a higher sequence. */
  sweptBack: number;
  /** Highest `order` of a finished job. */
  lastFinish: number;
  /** Id of the newest event, in its two parts. */
  eventMillis: number;
  eventNumber: number;
};

/**
 * The reply slot of one channel of a caller.
 *
 * @internal
 */
export type CallRow = {
  caller: string;
  channel: string;
  queue: string;
  /** Number of the last call. */
  sequence: number;
  /** JSON of what was replied, with ids in place of claimed jobs. */
  reply: string;
  expiresAt: number;
  /** Counted by the queue. */
  written: number;
};

/**
 * A row of the log of a job.
 *
 * @internal
 */
export type LogRow = {
  queue: string;
  /** Id of the job. */
  job: string;
  /** Its sequence, as text. */
  place: string;
  /** What was logged. */
  row: string;
  /** Counted by the queue. */
  sequence: number;
};

/**
 * Counts of the jobs that came into a state.
 *
 * @internal
 */
export type MetricsRow = {
  queue: string;
  state: string;
  count: number;
  /** Time of the last point. */
  previousTime: number;
  /** The count at that time. */
  previousCount: number;
};

/**
 * The points of these counts, which change once a minute.
 *
 * @internal
 */
export type MetricPointsRow = {
  queue: string;
  state: string;
  /** JSON array, newest first. */
  points: string;
};

/**
 * A job that has to be started in time, until it is.
 *
 * @internal
 */
export type ExpiryRow = {
  queue: string;
  /** Id of the job. */
  job: string;
  /** Time from which on it has expired, as the job says too. */
  expiresAt: number;
  /** Counted by the queue. */
  sequence: number;
};

/** @internal */
export interface Rows {
  jobs: JobRow;
  queues: QueueRow;
  calls: CallRow;
  logs: LogRow;
  expiries: ExpiryRow;
  metrics: MetricsRow;
  metricPoints: MetricPointsRow;
}

/** @internal */
export type TableName = keyof Rows;

type KeyColumns<Table extends TableName> = readonly [Column<Table>] | readonly [Column<Table>, Column<Table>];
type Column<Table extends TableName> = keyof Rows[Table];

/**
 * The columns that identify a row, all of them texts.
 *
 * @internal
 */
export const TABLE_KEYS = {
  jobs: ['queue', 'id'],
  queues: ['queue'],
  calls: ['caller', 'channel'],
  logs: ['queue', 'place'],
  expiries: ['queue', 'job'],
  metrics: ['queue', 'state'],
  metricPoints: ['queue', 'state'],
} as const satisfies { [Table in TableName]: KeyColumns<Table> };

/**
 * How the rows of a table are found in an order: those whose `group` columns have given values, sorted by the
 * `order` columns, which are numbers. No two rows of a group have the same order.
 *
 * A store derives its indexes from the rows; nobody writes one.
 *
 * @internal
 */
export const INDEXES = {
  jobsByState: { table: 'jobs', group: ['queue', 'state'], order: ['order', 'sequence'] },
  callsByExpiry: { table: 'calls', group: ['queue'], order: ['expiresAt', 'written'] },
  expiriesByTime: { table: 'expiries', group: ['queue'], order: ['expiresAt', 'sequence'] },
  logsByJob: { table: 'logs', group: ['queue', 'job'], order: ['sequence', 'sequence'] },
} as const satisfies Record<
  string,
  {
    [Table in TableName]: {
      readonly table: Table;
      readonly group: KeyColumns<Table>;
      readonly order: readonly [Column<Table>, Column<Table>];
    };
  }[TableName]
>;

/** @internal */
export type IndexName = keyof typeof INDEXES;

/**
 * Indexes whose groups go with a row of a table that has the same key: the store removes their rows when it removes
 * that one, by itself or as one of many.
 *
 * @internal
 */
export const DEPENDENTS: { readonly [Table in TableName]?: IndexName } = { jobs: 'logsByJob' };

/** @internal */
export interface ScanRange {
  /** Lowest value of the first order column, included. Default: no bound. */
  from?: number;
  /** Highest value of the first order column, included. Default: no bound. */
  to?: number;
  /** Rows to skip, counted in the direction of the scan. Default 0. */
  offset?: number;
  /** Most rows to return. */
  limit: number;
  /** From the end of the order to its beginning. Default: from the beginning. */
  descending?: boolean;
}

/**
 * Tables of flat rows of scalars, with indexes and event logs: all that the state machine needs of a database.
 * Every call is carried out before it returns.
 *
 * @internal
 */
export interface Store {
  /**
   * Runs a step as a whole: when it throws, the store is as before and the error is passed on. Whatever is written
   * is written in a step. A store may run the step more than once and keep the effects of the last run.
   */
  transact<Result>(step: () => Result): Result;

  /**
   * Reads a row.
   *
   * @param key - values of the table's key columns; the second is left out where there is one
   * @returns a copy, which the caller may change
   */
  get<Table extends TableName>(table: Table, ...key: RowKey): Rows[Table] | undefined;

  /** Stores a row in place of the one with the same key. The caller does not change the object any more. */
  put<Table extends TableName>(table: Table, row: Rows[Table]): void;

  /** Removes a row, if it is there, and what depends on it (see `DEPENDENTS`). */
  delete(table: TableName, ...key: RowKey): void;

  /**
   * Reads rows of one group of an index, in order.
   *
   * @returns copies, which the caller may change
   */
  scan<Index extends IndexName>(index: Index, group: GroupKey, range: ScanRange): IndexedRow<Index>[];

  /** Removes the rows that a scan of the same range reads, and what depends on them (see `DEPENDENTS`). */
  deleteRange(index: IndexName, group: GroupKey, range: ScanRange): void;

  /**
   * How many rows a group of an index has, or a part of it. Costs about the same for any number.
   *
   * @param range - lowest and highest values of the first order column, included
   */
  count(index: IndexName, group: GroupKey, range?: { from?: number; to?: number }): number;

  /**
   * Adds an event to the log of a queue, behind the last one; about `MAX_EVENTS` are kept, fewer large ones. Its id is
   * `<millis>-<number>`, higher than that of the last one.
   *
   * @param fields - what the event says; the caller does not use the object any more
   */
  append(queue: string, millis: number, number: number, fields: EventFields): void;

  /** How many events of a queue are kept. */
  countEvents(queue: string): number;

  /** Drops the oldest events of a queue but for a number, at the end of the step. */
  trimEvents(queue: string, most: number): void;

  /** Reads events of a queue whose ids come after a given one, oldest first. */
  eventsAfter(queue: string, millis: number, number: number, limit: number): StoredEvent[];

  /** Whether events of a queue were dropped whose ids came after a given one. */
  isCutAfter(queue: string, millis: number, number: number): boolean;
}

/**
 * What an event says, without its id.
 *
 * @internal
 */
export type EventFields = Omit<StoredEvent, 'id'>;

/** @internal */
export type RowKey = [first: string, second?: string];

/** @internal */
export type GroupKey = readonly [first: string, second?: string];

/** @internal */
export type IndexedRow<Index extends IndexName> = Rows[(typeof INDEXES)[Index]['table']];
