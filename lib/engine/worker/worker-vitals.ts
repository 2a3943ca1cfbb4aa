/**
 * What tells whether a worker does its work.
 *
 * @public
 */
export interface WorkerVitals {
  /** Jobs whose handlers run. */
  readonly running: number;
  /** Milliseconds since the oldest of them began, by the time of the store; 0 without any. */
  readonly longestRun: number;
  /**
   * Milliseconds since the worker last heard of its queue, whether it was a job, that there is none, or an error; `null`
   * for one that has nothing to ask: it does not run, or is paused with idle hands.
   */
  readonly silentFor: number | null;
  /** Milliseconds for which it is silent at most, as long as all is well. */
  readonly longestSilence: number;
}
