import {
  MAX_RECOVERED,
  STALLED_REASON,
  type RecoverAbandonedJobsReply,
  type RecoverAbandonedJobsRequest,
} from '../../contract/job-handover';
import { enterVeryFront } from './placement';
import type { Step } from './step';
import type { JobRow } from './store';

/**
 * Takes back what the workers that are gone held at the last sweep and hold still. When more are found than one
 * call takes back, the sweep is not over: the next call goes on with it.
 *
 * @internal
 */
export function recoverAbandonedJobs(
  step: Step,
  request: RecoverAbandonedJobsRequest,
): RecoverAbandonedJobsReply {
  const { queue, now } = step;
  if (isTooEarly(step, request.sweepInterval)) {
    return { now, recovered: [], more: false };
  }
  const abandoned = findAbandoned(step, MAX_RECOVERED + 1);
  const more = abandoned.length > MAX_RECOVERED;
  const taken = abandoned.slice(0, MAX_RECOVERED);
  // The last one to get to the very front is the first to run.
  for (const row of taken.toReversed()) {
    takeBack(step, row, request.maxStalledCount);
  }
  if (!more) {
    queue.sweptAt = now;
    queue.sweptFor = request.sweepInterval;
    queue.sweptBack = queue.back;
  }
  return { now, recovered: taken.map((row) => row.id), more };
}

/**
 * Whoever wants sweeps more often than others gets them, be it the last caller or this one. A clock that was put back
 * does not put them off.
 */
function isTooEarly({ queue, now }: Step, sweepInterval: number): boolean {
  const interval = Math.min(sweepInterval, queue.sweptFor);
  return queue.sweptAt !== null && now >= queue.sweptAt && now < queue.sweptAt + interval;
}

/** Jobs whose lease is over and was neither taken nor renewed since the last sweep, earliest claim first. */
function findAbandoned({ store, queueName, queue, now }: Step, limit: number): JobRow[] {
  const rows = store.scan('jobsByState', [queueName, 'active'], { to: now, limit: Infinity });
  const found = rows.filter((row) => row.sequence <= queue.sweptBack);
  return found.sort((left, right) => left.claimed! - right.claimed!).slice(0, limit);
}

function takeBack(step: Step, row: JobRow, maxStalledCount: number): void {
  row.stalledCounter += 1;
  if (row.stalledCounter > maxStalledCount) {
    row.deferredFailure = STALLED_REASON;
  }
  enterVeryFront(step, row);
  step.store.put('jobs', row);
  step.emit({ event: 'waiting', jobId: row.id, prev: 'active' });
  step.emit({ event: 'stalled', jobId: row.id });
}
