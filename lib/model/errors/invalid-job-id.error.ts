import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * Thrown by `add` and `addBulk` when a custom `jobId` is one that the storage protocol reserves, and by every call that
 * is given the id of a stored job when that is no text. Nothing was stored or changed.
 *
 * @public
 */
export class InvalidJobIdError extends LaneError {
  readonly code = 'LANE_BAD_JOB_ID';

  constructor(
    readonly jobId: unknown,
    rule: string,
    fix: string,
  ) {
    super(`Job id ${showValue(jobId)} cannot be used: ${rule}. ${fix}`);
  }
}
