import type { MutatingCall, Reply } from './mutating-call';
import type { Refusal } from './refusal';

/**
 * Most jobs that one call moves of a whole state: what there is more is left to the next call, so that none holds up the
 * store.
 *
 * @public
 */
export const MAX_MOVED = 1_000;

/**
 * Delayed jobs that are to run now.
 *
 * @public
 */
export interface PromoteJobsRequest {
  /** At most `MAX_BATCH`. */
  readonly ids: readonly string[];
}

/**
 * Another due time for one job.
 *
 * @public
 */
export interface DelayChange {
  readonly id: string;
  /** Milliseconds before the job may run, from the store's time of the call; at least 0. A part of one counts as a whole. */
  readonly delay: number;
}

/**
 * Other due times, in order.
 *
 * @public
 */
export interface ChangeDelaysRequest {
  /** At most `MAX_BATCH`. */
  readonly changes: readonly DelayChange[];
}

/**
 * Another priority for one job.
 *
 * @public
 */
export interface PriorityChange {
  readonly id: string;
  /** 0 to 2097151. */
  readonly priority: number;
  /** Whether the job goes before those of its new priority, rather than behind them. */
  readonly lifo: boolean;
}

/**
 * Other priorities, in order.
 *
 * @public
 */
export interface ChangePrioritiesRequest {
  /** At most `MAX_BATCH`. */
  readonly changes: readonly PriorityChange[];
}

/** How a job may have ended. @public */
export type FinishedState = 'completed' | 'failed';

/**
 * A finished job that is to run again.
 *
 * @public
 */
export interface JobRetry {
  readonly id: string;
  /** How it ended; it is refused in any other state. */
  readonly state: FinishedState;
  /** Goes before those that wait; has no effect on prioritized jobs. */
  readonly lifo: boolean;
  /** Whether the attempts that it had are forgotten. */
  readonly resetAttemptsMade: boolean;
  /** Whether it is forgotten how often a worker took it. */
  readonly resetAttemptsStarted: boolean;
}

/**
 * Finished jobs that are to run again, in order.
 *
 * @public
 */
export interface RetryJobsRequest {
  /** At most `MAX_BATCH`. */
  readonly retries: readonly JobRetry[];
}

/**
 * Reply of the calls that move jobs of given ids.
 *
 * @public
 */
export interface MoveJobsReply extends Reply {
  /** One per job, in order: `null` for done. */
  refusals: (Refusal | null)[];
}

/**
 * How many of the delayed jobs are to run now.
 *
 * @public
 */
export interface PromoteDelayedJobsRequest {
  /** 1 to `MAX_MOVED`. */
  readonly count: number;
}

/**
 * Which of the finished jobs are to run again.
 *
 * @public
 */
export interface RetryFinishedJobsRequest {
  readonly state: FinishedState;
  /** 1 to `MAX_MOVED`. */
  readonly count: number;
  /** Store time in milliseconds: those that ended later stay. `null` for all. */
  readonly until: number | null;
}

/**
 * Reply of the calls that move jobs of a whole state.
 *
 * @public
 */
export interface MoveStateReply extends Reply {
  /** How many jobs were moved. */
  moved: number;
  /** There are more of them: the call may be made again. */
  more: boolean;
}

/**
 * Moving jobs by hand. A job that is made ready goes behind those of its priority, unless something else is said, and
 * wakes the workers that wait unless the queue is paused.
 *
 * @public
 */
export interface JobMoves {
  /**
   * Makes delayed jobs ready.
   *
   * Refusals, per job: `JobNotFound`; `WrongState` unless it is delayed. Events: `waiting` (prev `delayed`).
   */
  promoteJobs(request: PromoteJobsRequest, call: MutatingCall): Promise<MoveJobsReply>;

  /**
   * Makes delayed jobs ready, whatever their time, those that are due first before the others.
   *
   * Events: `waiting` (prev `delayed`), per job.
   */
  promoteDelayedJobs(request: PromoteDelayedJobsRequest, call: MutatingCall): Promise<MoveStateReply>;

  /**
   * Holds delayed jobs back until another time, which is counted from now.
   *
   * Refusals, per job: `JobNotFound`; `WrongState` unless it is delayed. Events: `delayed`.
   */
  changeDelays(request: ChangeDelaysRequest, call: MutatingCall): Promise<MoveJobsReply>;

  /**
   * Gives jobs another priority, in any state. One that is ready moves among those of that priority, also when it had
   * it before; for others it counts from when they are made ready.
   *
   * Refusals, per job: `JobNotFound`. Writes no events.
   */
  changePriorities(request: ChangePrioritiesRequest, call: MutatingCall): Promise<MoveJobsReply>;

  /**
   * Makes finished jobs ready. What is known of their end is forgotten: when they were run and ended, the result of
   * completed ones, the reason of failed ones. The stacks of their failures are kept. A child of a flow that a client
   * of BullMQ stored is awaited by its parent again.
   *
   * Refusals, per job: `JobNotFound`; `WrongState` unless it ended as is said. Events: `waiting` (prev `completed` or
   * `failed`).
   */
  retryJobs(request: RetryJobsRequest, call: MutatingCall): Promise<MoveJobsReply>;

  /**
   * Makes finished jobs ready, as `retryJobs` does, those that ended first before the others. Their attempts are not
   * reset.
   *
   * Events: `waiting` (prev `completed` or `failed`), per job.
   */
  retryFinishedJobs(request: RetryFinishedJobsRequest, call: MutatingCall): Promise<MoveStateReply>;
}
