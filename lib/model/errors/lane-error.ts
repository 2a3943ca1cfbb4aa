import { hasBrand } from '../brand';
import type { StoreError } from './store.error';

/** Tells an error of ours, also one that another copy of the package has thrown, such as that of a backend. */
const BRAND = Symbol.for('nestjs-lane.error');

/**
 * Base of every error that this package throws on purpose.
 *
 * Catch it by `code`, which never changes between releases; the message is for people and may be reworded.
 * A message names the value that was wrong, the rule and the fix, and never holds a job's payload.
 *
 * @public
 */
export abstract class LaneError extends Error {
  /** Stable identifier, such as `LANE_BAD_JOB_ID`. */
  abstract readonly code: string;

  /**
   * @param message - what was found, what was expected, what to do
   * @param options - `cause`, where another error led to this one
   */
  constructor(message: string, options?: { cause?: unknown }) {
    // A cause of undefined would be a property of its own, which every printed error shows.
    super(message, options?.cause === undefined ? undefined : options);
    this.name = new.target.name;
  }

  /** @internal */
  get [BRAND](): true {
    return true;
  }
}

/**
 * Whether something is an error of this package, from whichever copy of it.
 *
 * @param code - the one that is asked for; default: any
 *
 * @internal
 */
export function isLaneError(error: unknown, code?: string): error is LaneError {
  return hasBrand(error, BRAND) && (code === undefined || (error as LaneError).code === code);
}

/**
 * Whether something is an error of a store, from whichever copy of the package its backend is.
 *
 * @internal
 */
export function isStoreError(error: unknown): error is StoreError {
  return isLaneError(error) && 'passesSoon' in error;
}
