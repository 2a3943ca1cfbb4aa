import type { LaneError } from '../../model/errors/lane-error';

/**
 * One thing that is wrong with how an application uses the module.
 *
 * @public
 */
export interface ConfigProblem {
  /** Stable identifier, such as `LANE_QUEUE_UNKNOWN`. */
  readonly code: string;
  /** What is wrong. */
  readonly message: string;
  /** The places in the code that it is about. */
  readonly where: readonly string[];
  /** A question that names what was probably meant. */
  readonly hint?: string;
  /** What to do; missing where the message says it. */
  readonly fix?: string;
  /** The error that led to it. */
  readonly cause?: Error;
}

/**
 * A problem as a line of the log, for what works but probably not as meant.
 *
 * @internal
 */
export function warningOf({ code, message, fix }: ConfigProblem): string {
  return `${code}  ${message}${fix === undefined ? '' : ` Fix: ${fix}`}`;
}

/**
 * A problem of an option, from the error with which the engine would refuse it.
 *
 * @internal
 */
export function problemOf(error: LaneError, ...where: string[]): ConfigProblem {
  return { code: error.code, message: error.message, where, cause: error };
}
