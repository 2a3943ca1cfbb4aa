import type { UpdateProgressReply, UpdateProgressRequest } from '../../contract/job-progress';
import { Refusal } from '../../contract/refusal';
import type { Step } from './step';

/**
 * Stores what jobs tell of their progress.
 *
 * @internal
 */
export function updateProgress(step: Step, request: UpdateProgressRequest): UpdateProgressReply {
  const refusals = request.updates.map(({ id, progress }) => {
    const row = step.store.get('jobs', step.queueName, id);
    if (row === undefined) {
      return Refusal.JobNotFound;
    }
    row.progress = progress;
    step.store.put('jobs', row);
    step.emit({ event: 'progress', jobId: id, data: progress });
    return null;
  });
  return { now: step.now, refusals };
}
