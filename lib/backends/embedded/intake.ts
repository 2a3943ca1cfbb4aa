import type { AddJobsReply, AddJobsRequest, AddResult, NewJob } from '../../contract/job-intake';
import { countExpiry } from './expiry';
import { newJobRow } from './job-row';
import { enterDelayed, enterReady } from './placement';
import type { Step } from './step';

/**
 * Stores new jobs.
 *
 * @internal
 */
export function addJobs(step: Step, request: AddJobsRequest): AddJobsReply {
  return { now: step.now, results: request.jobs.map((job) => addJob(step, job)) };
}

function addJob(step: Step, job: NewJob): AddResult {
  if (job.id !== null && isTaken(step, job.id)) {
    step.queue.lastId += 1;
    step.emit({ event: 'duplicated', jobId: job.id });
    return { id: job.id, status: 'duplicate' };
  }
  const counted = nextFreeId(step);
  const id = job.id ?? counted;
  const timestamp = job.timestamp ?? step.now;
  const row = newJobRow(step.queueName, id, job, timestamp);
  step.emit({ event: 'added', jobId: id, name: job.name });
  if (job.delay > 0) {
    enterDelayed(step, row, job.delay, timestamp);
  } else {
    enterReady(step, row, job.lifo && job.priority === 0 ? 'front' : 'back');
    step.emit({ event: 'waiting', jobId: id });
  }
  if (job.expiresIn !== undefined) {
    countExpiry(step, row, timestamp + row.delay);
  }
  step.store.put('jobs', row);
  return { id, status: 'added' };
}

function nextFreeId(step: Step): string {
  let id: string;
  do {
    step.queue.lastId += 1;
    id = String(step.queue.lastId);
  } while (isTaken(step, id));
  return id;
}

function isTaken(step: Step, id: string): boolean {
  return step.store.get('jobs', step.queueName, id) !== undefined;
}
