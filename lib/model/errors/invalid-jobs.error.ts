import { LaneError } from './lane-error';

/**
 * A job of `addBulk` that cannot be added.
 *
 * @public
 */
export interface InvalidJobEntry {
  /** Position in the array. */
  readonly index: number;
  /** What `add` would have thrown. */
  readonly error: Error;
}

/** Errors whose messages are part of the message; all are in `errors`. */
const MOST_TOLD = 2;

/**
 * Thrown by `addBulk` when jobs cannot be added, or when it is given something else than an array. Nothing was stored.
 *
 * @public
 */
export class InvalidJobsError extends LaneError {
  readonly code = 'LANE_BAD_JOBS';

  /**
   * @param errors - the entries that cannot be added, in order; none when there is no array
   * @param value - what was given in place of the array; it may be a payload, so only its type is told
   */
  constructor(
    readonly errors: readonly InvalidJobEntry[],
    value?: unknown,
  ) {
    super(errors.length === 0 ? noArray(value) : badEntries(errors), { cause: errors[0]?.error });
  }
}

function noArray(value: unknown): string {
  return (
    `What addBulk was given is ${value === null ? 'null' : `of type ${typeof value}`}; it must be an array of jobs. ` +
    `Give it as addBulk([{ name: 'send', data: { … }, opts: { … } }]).`
  );
}

function badEntries(errors: readonly InvalidJobEntry[]): string {
  const told = errors.slice(0, MOST_TOLD).map(({ index, error }) => `Entry ${index}: ${error.message}`);
  const others = errors.length - told.length;
  return (
    `Nothing was stored, since ${errors.length === 1 ? 'a job' : `${errors.length} jobs`} cannot be added. ` +
    `${told.join(' ')}${others === 0 ? '' : ` The property "errors" has ${others} more.`}`
  );
}
