import { Job } from '../../engine/job';
import type { JobHeaders } from '../../model/job-headers';
import type { Heard } from './listener.runner';

/**
 * What `REQUEST` is in a request-scoped processor whose `@OnWorkerEvent` method is called. For its handlers and
 * `@OnJobExhausted` methods it is the `JobContext`, which has `job`, `data` and `headers` too.
 *
 * @public
 */
export interface WorkerEvent {
  /** Such as `completed`. */
  readonly event: string;
  /** The queue's name. */
  readonly queue: string;
  /** Name of its connection; `default` for the one without a name. */
  readonly connection: string;
  /** What the method is called with. */
  readonly args: readonly unknown[];
  /** The job of the event; `undefined` for events of no single job, such as `drained`. */
  readonly job: Job | undefined;
  /**
   * The payload of that job.
   *
   * @throws UnreadableDataError when what another client has stored is no JSON
   */
  readonly data: unknown;
  /** What travels with that job besides its data; empty without a job. */
  readonly headers: JobHeaders;
}

/**
 * An event of a worker as `REQUEST`.
 *
 * @internal
 */
export function workerEventOf({ event, queue, connection }: Heard, args: readonly unknown[]): WorkerEvent {
  const job = args[0] instanceof Job ? args[0] : undefined;
  return {
    event,
    queue,
    connection,
    args,
    job,
    get data(): unknown {
      return job?.data as unknown;
    },
    headers: job?.headers ?? {},
  };
}
