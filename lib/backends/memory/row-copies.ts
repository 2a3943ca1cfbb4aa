import type {
  CallRow,
  ExpiryRow,
  JobRow,
  LogRow,
  MetricPointsRow,
  MetricsRow,
  QueueRow,
  Rows,
  TableName,
} from '../embedded/store';

const jobs = (row: JobRow): JobRow => ({
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
  unhandled: row.unhandled,
  progress: row.progress,
  returnValue: row.returnValue,
  failedReason: row.failedReason,
  failedCode: row.failedCode,
  stacktrace: row.stacktrace,
  timeout: row.timeout,
  expiresIn: row.expiresIn,
  expiresAt: row.expiresAt,
  headers: row.headers,
  version: row.version,
  deferredFailure: row.deferredFailure,
  cancelReason: row.cancelReason,
  processedOn: row.processedOn,
  finishedOn: row.finishedOn,
  processedBy: row.processedBy,
  order: row.order,
  sequence: row.sequence,
  token: row.token,
  claimed: row.claimed,
});

const queues = (row: QueueRow): QueueRow => ({
  queue: row.queue,
  paused: row.paused,
  ceiling: row.ceiling,
  max: row.max,
  duration: row.duration,
  windowUsed: row.windowUsed,
  windowEnd: row.windowEnd,
  lastId: row.lastId,
  front: row.front,
  back: row.back,
  sweptAt: row.sweptAt,
  sweptFor: row.sweptFor,
  sweptBack: row.sweptBack,
  lastFinish: row.lastFinish,
  eventMillis: row.eventMillis,
  eventNumber: row.eventNumber,
});

const calls = (row: CallRow): CallRow => ({
  caller: row.caller,
  channel: row.channel,
  queue: row.queue,
  sequence: row.sequence,
  reply: row.reply,
  expiresAt: row.expiresAt,
  written: row.written,
});

const logs = (row: LogRow): LogRow => ({
  queue: row.queue,
  job: row.job,
  place: row.place,
  row: row.row,
  sequence: row.sequence,
});

const expiries = (row: ExpiryRow): ExpiryRow => ({
  queue: row.queue,
  job: row.job,
  expiresAt: row.expiresAt,
  sequence: row.sequence,
});

const metrics = (row: MetricsRow): MetricsRow => ({
  queue: row.queue,
  state: row.state,
  count: row.count,
  previousTime: row.previousTime,
  previousCount: row.previousCount,
});

const metricPoints = (row: MetricPointsRow): MetricPointsRow => ({
  queue: row.queue,
  state: row.state,
  points: row.points,
});

/**
 * How the rows of a table are copied, column by column: several times faster than any way that does not name them.
 *
 * @internal
 */
export const ROW_COPIES: { readonly [Table in TableName]: (row: Rows[Table]) => Rows[Table] } = {
  jobs,
  queues,
  calls,
  logs,
  expiries,
  metrics,
  metricPoints,
};
