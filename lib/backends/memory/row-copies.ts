import type { CallRow, JobRow, QueueRow, Rows, TableName } from '../embedded/store';

/**
 * How the rows of a table are copied, column by column: several times faster than any way that does not name them.
 *
 * @internal
 */
export interface RowCopies<Row> {
  /** A row of the same content. */
  readonly copy: (row: Row) => Row;
  /** Gives a row the content of another one. */
  readonly assign: (row: Row, content: Row) => void;
}

const jobs: RowCopies<JobRow> = {
  copy: (row) => ({
    queue: row.queue,
    id: row.id,
    name: row.name,
    state: row.state,
    data: row.data,
    options: row.options,
    timestamp: row.timestamp,
    delay: row.delay,
    priority: row.priority,
    attemptsMade: row.attemptsMade,
    attemptsStarted: row.attemptsStarted,
    stalledCounter: row.stalledCounter,
    progress: row.progress,
    returnValue: row.returnValue,
    failedReason: row.failedReason,
    failedCode: row.failedCode,
    stacktrace: row.stacktrace,
    deferredFailure: row.deferredFailure,
    processedOn: row.processedOn,
    finishedOn: row.finishedOn,
    processedBy: row.processedBy,
    order: row.order,
    sequence: row.sequence,
    token: row.token,
    claimed: row.claimed,
  }),
  assign: (row, content) => {
    row.queue = content.queue;
    row.id = content.id;
    row.name = content.name;
    row.state = content.state;
    row.data = content.data;
    row.options = content.options;
    row.timestamp = content.timestamp;
    row.delay = content.delay;
    row.priority = content.priority;
    row.attemptsMade = content.attemptsMade;
    row.attemptsStarted = content.attemptsStarted;
    row.stalledCounter = content.stalledCounter;
    row.progress = content.progress;
    row.returnValue = content.returnValue;
    row.failedReason = content.failedReason;
    row.failedCode = content.failedCode;
    row.stacktrace = content.stacktrace;
    row.deferredFailure = content.deferredFailure;
    row.processedOn = content.processedOn;
    row.finishedOn = content.finishedOn;
    row.processedBy = content.processedBy;
    row.order = content.order;
    row.sequence = content.sequence;
    row.token = content.token;
    row.claimed = content.claimed;
  },
};

const queues: RowCopies<QueueRow> = {
  copy: (row) => ({
    queue: row.queue,
    paused: row.paused,
    lastId: row.lastId,
    front: row.front,
    back: row.back,
    sweptAt: row.sweptAt,
    sweptBack: row.sweptBack,
    lastFinish: row.lastFinish,
    eventMillis: row.eventMillis,
    eventNumber: row.eventNumber,
  }),
  assign: (row, content) => {
    row.queue = content.queue;
    row.paused = content.paused;
    row.lastId = content.lastId;
    row.front = content.front;
    row.back = content.back;
    row.sweptAt = content.sweptAt;
    row.sweptBack = content.sweptBack;
    row.lastFinish = content.lastFinish;
    row.eventMillis = content.eventMillis;
    row.eventNumber = content.eventNumber;
  },
};

const calls: RowCopies<CallRow> = {
  copy: (row) => ({
    caller: row.caller,
    channel: row.channel,
    queue: row.queue,
    sequence: row.sequence,
    reply: row.reply,
    expiresAt: row.expiresAt,
    written: row.written,
  }),
  assign: (row, content) => {
    row.caller = content.caller;
    row.channel = content.channel;
    row.queue = content.queue;
    row.sequence = content.sequence;
    row.reply = content.reply;
    row.expiresAt = content.expiresAt;
    row.written = content.written;
  },
};

/** @internal */
export const ROW_COPIES: { readonly [Table in TableName]: RowCopies<Rows[Table]> } = { jobs, queues, calls };
