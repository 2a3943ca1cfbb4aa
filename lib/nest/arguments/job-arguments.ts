import type { Job } from '../../engine/job';
import type { JobContext } from '../context/job-context';
import { ARGUMENT_KIND } from '../nest-internals/argument-metadata';
import { valueAt } from './data-path';

/**
 * Parts of a run that a parameter can be.
 *
 * @internal
 */
export type RunPart = 'job' | 'context' | 'signal';

/**
 * Fills the parameters of handlers. What stands there for requests alone, such as `@Query()`, is `undefined`.
 *
 * @internal
 */
export const jobArguments = {
  exchangeKeyForValue(kind: number, data: unknown, [job, context]: [Job, JobContext]): unknown {
    switch (kind) {
      case ARGUMENT_KIND.data:
        return valueAt(job.data, data as string | undefined);
      case ARGUMENT_KIND.header:
        return typeof data === 'string' ? job.headers[data.toLowerCase()] : job.headers;
      case ARGUMENT_KIND.run:
        return partOf(job, context, data);
      default:
        return undefined;
    }
  },
};

function partOf(job: Job, context: JobContext, part: unknown): unknown {
  if (part === ('job' satisfies RunPart)) {
    return job;
  }
  return part === ('signal' satisfies RunPart) ? context.signal : context;
}
