import { nearestName } from '../nearest-name';
import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * Thrown by `add`, `addBulk` and `run` of a queue that was made of a definition, for a name that the definition does
 * not have. Nothing was stored.
 *
 * @public
 */
export class UnknownJobNameError extends LaneError {
  readonly code = 'LANE_UNKNOWN_JOB_NAME';

  /** @param known - the names that the definition has */
  constructor(
    readonly jobName: string,
    readonly queueName: string,
    readonly known: readonly string[],
  ) {
    const near = nearestName(jobName, known);
    super(
      `Job ${showValue(jobName)} is not in the definition of queue ${showValue(queueName)}. ` +
        (near === undefined ? '' : `Did you mean "${near}"? `) +
        `It has: ${known.join(', ')}. Correct the name, or add it to the defineQueue of the queue.`,
    );
  }
}
