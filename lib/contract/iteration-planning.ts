import type { MutatingCall, Reply } from './mutating-call';

/**
 * An iteration of a job scheduler with a cron pattern, the next of which nobody has planned yet. Clients of BullMQ can
 * put such schedulers into a store that they share.
 *
 * @public
 */
export interface PatternIteration {
  /** Id of the job. */
  readonly id: string;
  /** The cron pattern. */
  readonly pattern: string;
  /** Time in milliseconds after which the next iteration is due: that of the claim, or its own if that is later. */
  readonly after: number;
  /** Name of the time zone that the pattern is meant in, or `null` for that of the process. */
  readonly tz: string | null;
  /** Time in milliseconds before which the scheduler does not begin, or `null`. */
  readonly startDate: number | null;
}

/**
 * The next iteration of a scheduler.
 *
 * @public
 */
export interface PlanIterationRequest {
  /** Id of the present iteration. */
  readonly id: string;
  /** Time in milliseconds at which the next one is due. */
  readonly due: number;
}

/**
 * Reply of `planIteration`.
 *
 * @public
 */
export interface PlanIterationReply extends Reply {
  /** Id of the job that was added, or `null` if none was. */
  planned: string | null;
}

/**
 * Keeping job schedulers going: a store cannot read cron patterns, so whoever claims an iteration tells it when the
 * next one is due.
 *
 * @public
 */
export interface IterationPlanning {
  /**
   * Adds the next iteration of a scheduler. Plans nothing for a job that is no iteration, or whose successor is
   * planned already, or was the last one. Until this package makes schedulers of its own, that is every job of an
   * embedded store, which nobody shares.
   */
  planIteration(request: PlanIterationRequest, call: MutatingCall): Promise<PlanIterationReply>;
}
