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
    super(message, options);
    this.name = new.target.name;
  }
}
