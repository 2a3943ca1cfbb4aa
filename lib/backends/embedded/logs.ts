import type {
  AddLogsReply,
  AddLogsRequest,
  ClearLogsReply,
  ClearLogsRequest,
  LogPage,
  LogPageRequest,
} from '../../contract/job-logs';
import { Refusal } from '../../contract/refusal';
import type { Step } from './step';
import type { Store } from './store';

/**
 * Writes rows behind those that jobs have.
 *
 * @internal
 */
export function addLogs(step: Step, request: AddLogsRequest): AddLogsReply {
  const reply: AddLogsReply = { now: step.now, refusals: [], counts: [] };
  for (const { id, row, keep } of request.entries) {
    const isRefused = step.store.get('jobs', step.queueName, id) === undefined;
    if (!isRefused) {
      const sequence = step.nextBack();
      step.store.put('logs', { queue: step.queueName, job: id, place: String(sequence), row, sequence });
      keepNewest(step, id, keep ?? Infinity);
    }
    reply.refusals.push(isRefused ? Refusal.JobNotFound : null);
    reply.counts.push(isRefused ? 0 : rowsOf(step.store, step.queueName, id));
  }
  return reply;
}

/**
 * Removes the oldest rows of jobs.
 *
 * @internal
 */
export function clearLogs(step: Step, request: ClearLogsRequest): ClearLogsReply {
  const refusals = request.logs.map(({ id, keep }) => {
    if (step.store.get('jobs', step.queueName, id) === undefined) {
      return Refusal.JobNotFound;
    }
    keepNewest(step, id, keep);
    return null;
  });
  return { now: step.now, refusals };
}

/**
 * Reads a part of the rows of a job.
 *
 * @internal
 */
export function getLogs(store: Store, queueName: string, request: LogPageRequest): LogPage {
  const { id, offset, limit, order } = request;
  const range = { offset, limit: limit ?? Infinity, descending: order === 'descending' };
  const rows = store.scan('logsByJob', [queueName, id], range).map(({ row }) => row);
  return { rows, count: rowsOf(store, queueName, id) };
}

function keepNewest(step: Step, id: string, keep: number): void {
  const surplus = rowsOf(step.store, step.queueName, id) - keep;
  if (surplus > 0) {
    step.store.deleteRange('logsByJob', [step.queueName, id], { limit: surplus });
  }
}

function rowsOf(store: Store, queueName: string, id: string): number {
  return store.count('logsByJob', [queueName, id]);
}
