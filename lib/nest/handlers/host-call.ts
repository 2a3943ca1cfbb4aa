import type { Job } from '../../engine/job';
import { takesSignal } from '../../engine/worker/takes-signal';
import type { JobContext } from '../context/job-context';

type Method = (job: Job, token?: string, signal?: AbortSignal) => unknown;

/**
 * Calls `process` of a `WorkerHost`. A signal is made for a method that takes one only. The method is looked up at each
 * call, so that one that is replaced on the object, as by a test, is the one that runs.
 *
 * @internal
 */
export function hostCall(host: object): (job: Job, context: JobContext) => unknown {
  const target = host as { process: Method };
  let known: Method | undefined;
  let isGivenSignal = false;
  return (job, context) => {
    if (target.process !== known) {
      known = target.process;
      isGivenSignal = takesSignal(known);
    }
    return isGivenSignal ? target.process(job, job.token, context.signal) : target.process(job, job.token);
  };
}
