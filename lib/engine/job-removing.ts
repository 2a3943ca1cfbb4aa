import type { JobToRemove } from '../contract/job-removal';
import { checkFlag } from '../model/flag';
import { refuseUnknownOptions } from '../model/option-names';
import type { JobChange, JobOwner } from './job-owner';

/**
 * How `remove` treats the jobs below a job, in flows that clients of BullMQ make.
 *
 * @public
 */
export interface RemoveOptions {
  /** Whether they are removed with it. Default `true`. */
  removeChildren?: boolean;
}

/** A removal as it is asked for, and what the last call left of it. */
interface Removal extends JobToRemove {
  isUnfinished: boolean;
}

const REMOVE_JOBS: JobChange<Removal> = {
  name: 'remove',
  sizeOf: ({ id }) => id.length,
  send: async (backend, removals, call) => {
    const jobs = removals.map(({ id, removeChildren }) => ({ id, removeChildren }));
    const reply = await backend.removeJobs({ jobs }, call);
    removals.forEach((removal, place) => (removal.isUnfinished = reply.unfinished.includes(place)));
    return reply;
  },
};

/**
 * Removes a job, a large family in several calls, and tells its owner.
 *
 * @param where - the call, for the errors of its options
 * @throws InvalidOptionsError, UnknownOptionError or InvalidFlagError for bad options, or the error of the refusal
 *
 * @internal
 */
export async function removeJob(
  owner: Pick<JobOwner, 'change' | 'onRemoved'>,
  id: string,
  options: RemoveOptions,
  where: string,
): Promise<void> {
  const removal: Removal = { id, removeChildren: childrenOption(options, where), isUnfinished: false };
  do {
    await owner.change(REMOVE_JOBS, removal);
  } while (removal.isUnfinished);
  owner.onRemoved(id);
}

function childrenOption(options: RemoveOptions, where: string): boolean {
  refuseUnknownOptions(where, options, ['removeChildren']);
  const { removeChildren = true } = options;
  return checkFlag('removeChildren', removeChildren);
}
