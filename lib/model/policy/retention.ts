/**
 * How many finished jobs of a state are kept, as sent with an outcome. Storage protocol, section 17.2.
 *
 * @public
 */
export interface Retention {
  /** -1 keeps all, 0 does not record the job at all, n keeps the newest n. */
  count: number;
  /** Milliseconds after which a finished job is removed, or `null` for never. */
  age: number | null;
  /** Most jobs that one finish removes by each of the bounds, the oldest first. */
  limit: number;
}

/**
 * Retention as an option: `true` removes at once, `false` keeps all, a number keeps that many; as an object `age`
 * is in seconds when a bare number, and both bounds hold together.
 *
 * @public
 */
export type RetentionOption = boolean | number | StoredRetention;

/**
 * The object form of retention, as stored in a job's options.
 *
 * @public
 */
export interface StoredRetention {
  /** Newest jobs kept; all when absent. */
  count?: number;
  /** Seconds a finished job is kept. */
  age?: number;
  /** Most jobs that one finish removes by each of the bounds; 1000 when absent. */
  limit?: number;
}

/** Most jobs that one finish removes by a bound unless the option says otherwise. */
const DEFAULT_LIMIT = 1_000;

/**
 * Keeps everything.
 *
 * @public
 */
export const KEEP_ALL: Retention = { count: -1, age: null, limit: DEFAULT_LIMIT };

const REMOVE_AT_ONCE: Retention = { count: 0, age: null, limit: DEFAULT_LIMIT };

/**
 * Resolves what happens to a job that finishes: the job's own option, else the worker's, else all is kept.
 *
 * @internal
 */
export function resolveRetention(
  ofJob: RetentionOption | undefined,
  ofWorker: RetentionOption | undefined,
): Retention {
  const option = ofJob ?? ofWorker;
  if (option === undefined || option === false) {
    return KEEP_ALL;
  }
  if (option === true) {
    return REMOVE_AT_ONCE;
  }
  if (typeof option === 'number') {
    return { count: countOf(option), age: null, limit: DEFAULT_LIMIT };
  }
  const { count, age, limit } = option;
  return {
    count: countOf(count),
    age: isAtLeast(age, 0) ? age * 1_000 : null,
    limit: isAtLeast(limit, 1) ? Math.floor(limit) : DEFAULT_LIMIT,
  };
}

/** Other clients check nothing: what is no number is no bound. */
function countOf(count: unknown): number {
  return isAtLeast(count, 0) ? Math.floor(count) : -1;
}

function isAtLeast(value: unknown, least: number): value is number {
  return typeof value === 'number' && value >= least;
}
