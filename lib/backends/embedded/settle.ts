import type { Outcome, SettleJobsReply, SettleJobsRequest } from '../../contract/job-handover';
import type { FinishedState } from '../../contract/job-moves';
import type { MutatingCall } from '../../contract/mutating-call';
import type { Refusal } from '../../contract/refusal';
import { CANCELLED_CODE } from '../../model/cancel-reason';
import { claim } from './claim';
import { fail, failAsCancelled, finish, isDrained } from './endings';
import { leasedJob } from './leases';
import { countFinished } from './metrics';
import { enterDelayed, enterReady } from './placement';
import type { Step } from './step';
import type { JobRow } from './store';

/**
 * Takes outcomes in, then claims.
 *
 * @internal
 */
export function settleJobs(step: Step, request: SettleJobsRequest, call: MutatingCall): SettleJobsReply {
  const finishes = { completed: 0, failed: 0 };
  let heedsHand = false;
  const refusals: (Refusal | null)[] = [];
  for (const outcome of request.outcomes) {
    const found = leasedJob(step, outcome);
    if (typeof found === 'number') {
      refusals.push(found);
    } else {
      const end = settle(step, found, outcome);
      if (end !== null) {
        finishes[end] += 1;
      }
      heedsHand ||= outcome.kind === 'handed-back' && outcome.isLimited === true;
      refusals.push(null);
    }
  }
  if (request.maxDataPoints != null) {
    countFinished(step, finishes, request.maxDataPoints);
  }
  const claimed = request.claim === null ? null : claim(step, request.claim, call, heedsHand);
  if (finishes.completed + finishes.failed > 0 && isDrained(step)) {
    step.emit({ event: 'drained' });
  }
  return { now: step.now, refusals, claim: claimed };
}

/** @returns how the job has finished, or `null` when it is to be run again */
function settle(step: Step, row: JobRow, outcome: Outcome): FinishedState | null {
  switch (outcome.kind) {
    case 'completed':
      row.attemptsMade += 1;
      row.returnValue = outcome.returnValue;
      finish(step, row, 'completed', outcome.retention);
      step.emit({ event: 'completed', jobId: row.id, returnvalue: outcome.returnValue, prev: 'active' });
      return 'completed';
    case 'failed': {
      const { cancelReason } = row;
      row.attemptsMade += 1;
      row.stacktrace = outcome.stacktrace;
      fail(
        step,
        row,
        cancelReason === null ? outcome : { ...outcome, reason: cancelReason, code: CANCELLED_CODE },
        'active',
      );
      if (row.attemptsMade >= outcome.attempts) {
        step.emit({
          event: 'retries-exhausted',
          jobId: row.id,
          attemptsMade: String(row.attemptsMade),
        });
      }
      return 'failed';
    }
    case 'retry':
      row.attemptsMade += 1;
      row.failedReason = outcome.reason;
      row.stacktrace = outcome.stacktrace;
      break;
    case 'delayed':
    case 'handed-back':
      break;
  }
  if (row.cancelReason !== null) {
    failAsCancelled(step, row, row.cancelReason, 'active');
    return 'failed';
  }
  runAgain(step, row, outcome);
  return null;
}

function runAgain(
  step: Step,
  row: JobRow,
  outcome: Extract<Outcome, { kind: 'retry' | 'delayed' | 'handed-back' }>,
): void {
  switch (outcome.kind) {
    case 'retry':
      if (outcome.delay > 0) {
        enterDelayed(step, row, outcome.delay);
        step.store.put('jobs', row);
      } else {
        makeReady(step, row, outcome.lifo && row.priority === 0 ? 'front' : 'back');
      }
      return;
    case 'delayed':
      row.unhandled = outcome.unhandled ?? row.unhandled;
      enterDelayed(step, row, Math.max(0, outcome.until - step.now));
      step.store.put('jobs', row);
      return;
    case 'handed-back':
      makeReady(step, row, 'front');
      return;
  }
}

function makeReady(step: Step, row: JobRow, side: 'front' | 'back'): void {
  enterReady(step, row, side);
  step.store.put('jobs', row);
  step.emit({ event: 'waiting', jobId: row.id, prev: 'active' });
}
