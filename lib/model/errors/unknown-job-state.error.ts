import { JOB_STATES } from '../job-state';
import { nearestName } from '../nearest-name';
import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * Thrown by look-ups and counts that are asked for a state which does not exist.
 *
 * @public
 */
export class UnknownJobStateError extends LaneError {
  readonly code = 'LANE_UNKNOWN_STATE';

  constructor(readonly state: unknown) {
    const near = typeof state === 'string' ? nearestName(state, JOB_STATES) : undefined;
    super(
      `There is no job state ${showValue(state)}. ` +
        (near === undefined ? '' : `Did you mean "${near}"? `) +
        `Use one of: ${JOB_STATES.join(', ')}.`,
    );
  }
}
