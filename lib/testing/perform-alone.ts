import type { Clock } from '../contract/clock';
import { memory } from '../backends/memory';
import { Queue } from '../engine/queue';
import { type JobRun, processorOfRuns } from '../engine/worker/job-executor';
import { Worker } from '../engine/worker/worker';
import { workerOptionsOf } from '../nest/options/queue-defaults';
import type { WorkerPlan } from '../nest/planning/worker.planner';

/**
 * What `perform` takes besides name and data.
 *
 * @public
 */
export interface PerformOptions {
  /** Headers of the job. Default none. */
  headers?: Record<string, string>;
  /** Which attempt this is, from 1. Default 1. */
  attempt?: number;
  /** Name of the queue's connection. Default: the one of the processor, or the one without a name. */
  connection?: string;
}

/** @internal */
export const PERFORM_OPTION_NAMES: readonly (keyof PerformOptions)[] = ['headers', 'attempt', 'connection'];

/**
 * Runs one job in a store of its own, where nothing else is.
 *
 * @param dispatch - hands the job to its handler
 *
 * @internal
 */
export async function performAlone(
  { queue: queueName, definition, options }: WorkerPlan,
  clock: Clock,
  dispatch: (run: JobRun) => Promise<unknown>,
  name: string,
  data: unknown,
  { headers, attempt = 1 }: PerformOptions,
): Promise<unknown> {
  const backend = memory({ clock });
  const queue: Queue = new Queue(definition ?? queueName, { backend, clock });
  let worker: Worker | undefined;
  try {
    return await new Promise((resolve, reject) => {
      const process = async (run: JobRun): Promise<unknown> => {
        if (run.job.attemptsMade + 1 < attempt) {
          throw new Error('an attempt before the one that is wanted');
        }
        const ended = dispatch(run);
        ended.then(resolve, reject);
        return ended;
      };
      worker = new Worker(queueName, processorOfRuns(process), {
        ...workerOptionsOf(options),
        limiter: undefined,
        backend,
        clock,
        shutdown: { drain: 0, abort: 0 },
      });
      // A handler that takes too long may never settle.
      worker.on('failed', ({ attemptsMade }, error) => void (attemptsMade >= attempt && reject(error)));
      worker.on('error', reject);
      // Of what its definition says, that counts which is about the run.
      const terms = { attempts: attempt, delay: 0, backoff: 0, ...(headers && { headers }) };
      queue.add(name, data, terms).catch(reject);
    });
  } finally {
    await worker?.close(true);
    await queue.close();
  }
}
