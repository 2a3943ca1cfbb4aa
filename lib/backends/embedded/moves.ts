import {
  MAX_MOVED,
  type ChangeDelaysRequest,
  type ChangePrioritiesRequest,
  type FinishedState,
  type MoveJobsReply,
  type MoveStateReply,
  type PromoteDelayedJobsRequest,
  type PromoteJobsRequest,
  type RetryFinishedJobsRequest,
  type RetryJobsRequest,
} from '../../contract/job-moves';
import { Refusal } from '../../contract/refusal';
import type { JobState } from '../../model/job-state';
import { recountExpiry } from './expiry';
import { enterDelayed, enterReady } from './placement';
import type { Step } from './step';
import type { JobRow } from './store';

/**
 * Makes delayed jobs ready.
 *
 * @internal
 */
export function promoteJobs(step: Step, { ids }: PromoteJobsRequest): MoveJobsReply {
  return moveEach(step, ids, (id) => {
    const row = jobIn(step, id, 'delayed');
    if (typeof row === 'number') {
      return row;
    }
    promote(step, row);
    return null;
  });
}

/**
 * Makes delayed jobs ready, whatever their time.
 *
 * @internal
 */
export function promoteDelayedJobs(step: Step, { count }: PromoteDelayedJobsRequest): MoveStateReply {
  return moveFirst(step, 'delayed', count, null, (row) => promote(step, row));
}

/**
 * Holds delayed jobs back until another time.
 *
 * @internal
 */
export function changeDelays(step: Step, { changes }: ChangeDelaysRequest): MoveJobsReply {
  return moveEach(step, changes, ({ id, delay }) => {
    const row = jobIn(step, id, 'delayed');
    if (typeof row === 'number') {
      return row;
    }
    enterDelayed(step, row, delay);
    recountExpiry(step, row, row.order);
    step.store.put('jobs', row);
    return null;
  });
}

/**
 * Gives jobs another priority.
 *
 * @internal
 */
export function changePriorities(step: Step, { changes }: ChangePrioritiesRequest): MoveJobsReply {
  return moveEach(step, changes, ({ id, priority, lifo }) => {
    const row = step.store.get('jobs', step.queueName, id);
    if (row === undefined) {
      return Refusal.JobNotFound;
    }
    row.priority = priority;
    if (row.state === 'waiting' || row.state === 'prioritized') {
      enterReady(step, row, lifo ? 'front' : 'back');
    }
    step.store.put('jobs', row);
    return null;
  });
}

/**
 * Makes finished jobs ready.
 *
 * @internal
 */
export function retryJobs(step: Step, { retries }: RetryJobsRequest): MoveJobsReply {
  return moveEach(step, retries, ({ id, state, lifo, resetAttemptsMade, resetAttemptsStarted }) => {
    const row = jobIn(step, id, state);
    if (typeof row === 'number') {
      return row;
    }
    if (resetAttemptsMade) {
      row.attemptsMade = 0;
    }
    if (resetAttemptsStarted) {
      row.attemptsStarted = 0;
    }
    runAgain(step, row, state, lifo && row.priority === 0 ? 'front' : 'back');
    return null;
  });
}

/**
 * Makes finished jobs ready, those that ended first before the others.
 *
 * @internal
 */
export function retryFinishedJobs(
  step: Step,
  { state, count, until }: RetryFinishedJobsRequest,
): MoveStateReply {
  return moveFirst(step, state, count, until, (row) => runAgain(step, row, state, 'back'));
}

/** @param move - moves one job, or refuses it */
function moveEach<Item>(
  step: Step,
  items: readonly Item[],
  move: (item: Item) => Refusal | null,
): MoveJobsReply {
  return { now: step.now, refusals: items.map(move) };
}

/** Moves the first jobs of a state. */
function moveFirst(
  step: Step,
  state: JobState,
  count: number,
  until: number | null,
  move: (row: JobRow) => void,
): MoveStateReply {
  const most = Math.min(count, MAX_MOVED);
  const range = until === null ? { limit: most + 1 } : { to: until, limit: most + 1 };
  const rows = step.store.scan('jobsByState', [step.queueName, state], range);
  const moved = rows.slice(0, most);
  moved.forEach(move);
  return { now: step.now, moved: moved.length, more: rows.length > most };
}

function jobIn(step: Step, id: string, state: JobState): JobRow | Refusal {
  const row = step.store.get('jobs', step.queueName, id);
  if (row === undefined) {
    return Refusal.JobNotFound;
  }
  return row.state === state ? row : Refusal.WrongState;
}

function promote(step: Step, row: JobRow): void {
  row.delay = 0;
  enterReady(step, row, 'back');
  recountExpiry(step, row, step.now);
  step.store.put('jobs', row);
  step.emit({ event: 'waiting', jobId: row.id, prev: 'delayed' });
}

function runAgain(step: Step, row: JobRow, state: FinishedState, side: 'front' | 'back'): void {
  row.processedOn = null;
  row.finishedOn = null;
  row.expiresAt = null;
  row.unhandled = 0;
  if (state === 'completed') {
    row.returnValue = null;
  } else {
    row.failedReason = null;
    row.failedCode = null;
  }
  enterReady(step, row, side);
  step.store.put('jobs', row);
  step.emit({ event: 'waiting', jobId: row.id, prev: state });
}
