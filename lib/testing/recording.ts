import type { Outcome } from '../contract/job-handover';
import type { StoredJobOptions } from '../model/stored-job-options';

/**
 * A job that was added, as it was stored.
 *
 * @public
 */
export interface RecordedJob {
  readonly queue: string;
  /** Name of the connection; left out for the one without a name. */
  readonly connection?: string;
  readonly id: string;
  readonly name: string;
  readonly data: unknown;
  /** Those of the call and of the defaults, durations in milliseconds. */
  readonly options: StoredJobOptions;
  /** Left out where it has none. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * What became of one run of a handler, or of a job that ended without one.
 *
 * @public
 */
export interface RecordedOutcome {
  readonly queue: string;
  /** Name of the connection; left out for the one without a name. */
  readonly connection?: string;
  readonly id: string;
  readonly name: string;
  /**
   * `retry`: the attempt failed, and there is another one; `failed`: the job failed for good; `delayed`: held back by its
   * own handler; `handed-back`: put back unfinished, at no cost of an attempt.
   */
  readonly kind: Outcome['kind'];
  /** What the handler returned, for `completed`. */
  readonly result?: unknown;
  /** Why, for `failed` and `retry`. */
  readonly reason?: string;
  /** The outcome code of a failure, such as `timeout`. */
  readonly code?: string;
}

/**
 * Where what a matcher looks at has its record.
 *
 * @internal
 */
export const RECORDING = Symbol.for('nestjs-lane.recording');

/**
 * What the matchers look at.
 *
 * @internal
 */
export interface Recording {
  /** Such as `queue "email"`. */
  readonly label: string;
  readonly added: readonly RecordedJob[];
  readonly outcomes: readonly RecordedOutcome[];
  /** What can run, or runs, right now; one line each. */
  readonly busy: readonly string[];
}

/**
 * What `toHaveEnqueued` and its like can be asked of: a harness, the view of a queue, the result of a run.
 *
 * @public
 */
export interface Recorded {
  /** @internal */
  readonly [RECORDING]: Recording;
}

/**
 * A queue of a connection, as a key.
 *
 * @internal
 */
export function keyOf(queue: string, connection: string): string {
  return JSON.stringify([connection, queue]);
}
