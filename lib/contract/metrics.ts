import type { FinishedState } from './job-moves';

/**
 * A part of the counts of one state.
 *
 * @public
 */
export interface MetricsRequest {
  readonly state: FinishedState;
  /** Points to skip, at least 0, from the newest one on. */
  readonly offset: number;
  /** Most points to return, or `null` for all. */
  readonly limit: number | null;
}

/**
 * How many jobs have come into a state, by the minute.
 *
 * @public
 */
export interface StateMetrics {
  /** Jobs that were counted, ever. */
  count: number;
  /** Time in milliseconds at which the last point was added, or 0 before the first job. */
  previousTime: number;
  /** Jobs that were counted until then. */
  previousCount: number;
  /** Jobs per minute, newest first, up to the last one that is over and was followed by a job. */
  points: number[];
  /** Points that are kept in all. */
  total: number;
}

/**
 * Counts of finished jobs, which workers ask for with `SettleJobsRequest.maxDataPoints`. Storage protocol, section 12.
 *
 * @public
 */
export interface Metrics {
  /** Reads counts; zeros where nobody has counted. */
  getMetrics(request: MetricsRequest): Promise<StateMetrics>;
}
