import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * Thrown by `add`, `addBulk` and `updateProgress` when a value cannot be written as JSON, and the reason with
 * which a job fails whose handler returned such a value. Nothing was stored.
 *
 * @public
 */
export class UnserializableDataError extends LaneError {
  readonly code = 'LANE_UNSERIALIZABLE';

  /**
   * @param what - which value it was: `data`, `progress` or `result`
   * @param jobName - name of its job
   * @param why - what keeps it from being written, such as `it holds a BigInt`
   * @param options - `cause`, where an error of the caller's own code is behind it
   */
  constructor(what: string, jobName: string, why: string, options?: { cause?: unknown }) {
    super(
      `The ${what} of job ${showValue(jobName)} cannot be written as JSON: ${why}. Jobs travel as JSON: use plain ` +
        `objects, arrays, texts, finite numbers, booleans and null, and turn other values into one of these first.`,
      options,
    );
  }
}
