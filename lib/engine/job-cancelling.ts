import type { CancelAnswer, JobCancel } from '../contract/job-cancelling';
import { MAX_BATCH_SIZE } from '../contract/mutating-call';
import type { JobChange } from './job-owner';

/** On Redis a job is looked for among all that wait, for which others should not have to wait long. */
const MOST_CANCELS = 10;

/**
 * Brings what became of the cancel.
 *
 * @internal
 */
export const CANCEL_JOBS: JobChange<JobCancel, CancelAnswer> = {
  name: 'cancel',
  rule: () => 'cancel takes jobs that have not finished',
  sizeOf: () => MAX_BATCH_SIZE / MOST_CANCELS,
  async send(backend, cancels, call) {
    const reply = await backend.cancelJobs({ cancels }, call);
    // Those of refused ones are not asked for.
    return { ...reply, results: reply.answers as CancelAnswer[] };
  },
};
