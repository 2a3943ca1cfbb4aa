import type { Outcome, SettleJobsReply, SettleJobsRequest } from '../../contract/job-handover';
import type { MutatingCall } from '../../contract/mutating-call';
import type { Refusal } from '../../contract/refusal';
import type { Retention } from '../../model/policy/retention';
import { claim, hasReadyJobs } from './claim';
import { leasedJob } from './leases';
import { countFinished } from './metrics';
import { enterDelayed, enterFinished, enterReady } from './placement';
import { removeSurplus } from './retention';
import type { Step } from './step';
import type { JobRow } from './store';

/**
 * Takes outcomes in, then claims.
 *
 * @internal
 */
export function settleJobs(step: Step, request: SettleJobsRequest, call: MutatingCall): SettleJobsReply {
  let hasFinished = false;
  let heedsHand = false;
  const refusals: (Refusal | null)[] = [];
  for (const outcome of request.outcomes) {
    const found = leasedJob(step, outcome);
    if (typeof found === 'number') {
      refusals.push(found);
    } else {
      settle(step, found, outcome);
      hasFinished ||= outcome.kind === 'completed' || outcome.kind === 'failed';
      heedsHand ||= outcome.kind === 'handed-back' && outcome.isLimited === true;
      refusals.push(null);
    }
  }
  if (request.maxDataPoints != null) {
    countFinished(step, request.outcomes, refusals, request.maxDataPoints);
  }
  const claimed = request.claim === null ? null : claim(step, request.claim, call, heedsHand);
  if (hasFinished && isDrained(step)) {
    step.emit({ event: 'drained' });
  }
  return { now: step.now, refusals, claim: claimed };
}

function settle(step: Step, row: JobRow, outcome: Outcome): void {
  switch (outcome.kind) {
    case 'completed':
      row.attemptsMade += 1;
      row.returnValue = outcome.returnValue;
      finish(step, row, 'completed', outcome.retention);
      step.emit({ event: 'completed', jobId: row.id, returnvalue: outcome.returnValue, prev: 'active' });
      return;
    case 'failed':
      row.attemptsMade += 1;
      row.failedReason = outcome.reason;
      row.failedCode = outcome.code;
      row.stacktrace = outcome.stacktrace;
      row.deferredFailure = null;
      finish(step, row, 'failed', outcome.retention);
      step.emit({ event: 'failed', jobId: row.id, failedReason: outcome.reason, prev: 'active' });
      if (row.attemptsMade >= outcome.attempts) {
        step.emit({
          event: 'retries-exhausted',
          jobId: row.id,
          attemptsMade: String(row.attemptsMade),
        });
      }
      return;
    case 'retry':
      row.attemptsMade += 1;
      row.failedReason = outcome.reason;
      row.stacktrace = outcome.stacktrace;
      if (outcome.delay > 0) {
        enterDelayed(step, row, outcome.delay);
        step.store.put('jobs', row);
      } else {
        makeReady(step, row, outcome.lifo && row.priority === 0 ? 'front' : 'back');
      }
      return;
    case 'delayed':
      enterDelayed(step, row, Math.max(0, outcome.until - step.now));
      step.store.put('jobs', row);
      return;
    case 'handed-back':
      makeReady(step, row, 'front');
      return;
  }
}

function finish(step: Step, row: JobRow, state: 'completed' | 'failed', retention: Retention): void {
  if (retention.count === 0) {
    step.store.delete('jobs', row.queue, row.id);
    return;
  }
  enterFinished(step, row, state);
  step.store.put('jobs', row);
  removeSurplus(step, state, retention);
}

function makeReady(step: Step, row: JobRow, side: 'front' | 'back'): void {
  enterReady(step, row, side);
  step.store.put('jobs', row);
  step.emit({ event: 'waiting', jobId: row.id, prev: 'active' });
}

function isDrained(step: Step): boolean {
  const { store, queueName } = step;
  return store.count('jobsByState', [queueName, 'active']) === 0 && !hasReadyJobs(store, queueName);
}
