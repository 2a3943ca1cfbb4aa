import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * Thrown by `add` and `addBulk` when a payload takes more bytes than the job's `sizeLimit` allows. Nothing was stored.
 *
 * @public
 */
export class PayloadTooLargeError extends LaneError {
  readonly code = 'LANE_PAYLOAD_TOO_LARGE';

  /**
   * @param jobName - name of the job
   * @param size - bytes of its payload as JSON in UTF-8
   * @param sizeLimit - bytes that it may take
   */
  constructor(
    readonly jobName: string,
    readonly size: number,
    readonly sizeLimit: number,
  ) {
    super(
      `The data of job ${showValue(jobName)} takes ${size} bytes as JSON; its option "sizeLimit" allows ${sizeLimit}. ` +
        `Store large content elsewhere and put a reference to it into the job, or raise the limit.`,
    );
  }
}
