import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * Thrown where the data of a job is read that is stored as something else than JSON, which only other clients can do.
 * Nothing of it is shown, and there is no `cause`: that of a parser quotes it.
 *
 * @public
 */
export class UnreadableDataError extends LaneError {
  readonly code = 'LANE_UNREADABLE_DATA';

  constructor(
    readonly jobId: string,
    readonly queueName: string,
  ) {
    super(
      `The data of job ${showValue(jobId)} of queue ${showValue(queueName)} cannot be read: what another client has ` +
        `stored is no JSON. Store it as JSON there; job.updateData() replaces what is stored.`,
    );
  }
}
