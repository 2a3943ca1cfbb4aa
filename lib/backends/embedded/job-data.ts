import type { UpdateDataReply, UpdateDataRequest } from '../../contract/job-data';
import { Refusal } from '../../contract/refusal';
import type { Step } from './step';

/**
 * Stores payloads in place of those that jobs have.
 *
 * @internal
 */
export function updateData(step: Step, request: UpdateDataRequest): UpdateDataReply {
  const refusals = request.updates.map(({ id, data }) => {
    const row = step.store.get('jobs', step.queueName, id);
    if (row === undefined) {
      return Refusal.JobNotFound;
    }
    row.data = data;
    step.store.put('jobs', row);
    return null;
  });
  return { now: step.now, refusals };
}
