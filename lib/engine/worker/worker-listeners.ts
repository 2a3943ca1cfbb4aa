import type { Job } from '../job';

/**
 * Events of a `Worker`: what this worker does.
 *
 * @public
 */
export interface WorkerListeners {
  /** A handler is about to run. */
  active: [job: Job, prev: string];
  /** A result was written. */
  completed: [job: Job, result: unknown, prev: string];
  /** A failed attempt was written, whether or not the job will be tried again. */
  failed: [job: Job, error: Error, prev: string];
  /**
   * A job was given back to its queue unfinished, at no cost of an attempt: the worker closes, or its handler has met a
   * rate limit.
   */
  handedBack: [job: Job];
  /** A handler reported progress. */
  progress: [job: Job, progress: unknown];
  /** A job was taken back from a worker that is gone. */
  stalled: [jobId: string, prev: string];
  /** Nothing is left to run for now. */
  drained: [];
  /** `pause()` took effect. */
  paused: [];
  /** `resume()` took effect. */
  resumed: [];
  /** The worker runs. */
  ready: [];
  /** `close()` began. */
  closing: [message: string];
  /** `close()` ended. */
  closed: [];
  /** Leases were lengthened. */
  locksRenewed: [renewed: { count: number; jobIds: string[] }];
  /** Leases were lost; the signals of these jobs are aborted. */
  lockRenewalFailed: [jobIds: string[]];
  /** Something failed that the worker survives. */
  error: [error: Error];
}
