import { JOB_STATES, type JobState } from '../job-state';
import { nearestName } from '../nearest-name';
import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * Thrown by calls that are given a state which does not exist, or which they do not take.
 *
 * @public
 */
export class UnknownJobStateError extends LaneError {
  readonly code = 'LANE_UNKNOWN_STATE';

  /** @param taken - the states that the call takes; default all */
  constructor(
    readonly state: unknown,
    taken: readonly JobState[] = JOB_STATES,
  ) {
    const isOther = JOB_STATES.includes(state as JobState);
    const near = typeof state === 'string' && !isOther ? nearestName(state, taken) : undefined;
    super(
      `${isOther ? `The job state ${showValue(state)} is not taken here` : `There is no job state ${showValue(state)}`}. ` +
        (near === undefined ? '' : `Did you mean "${near}"? `) +
        `Use one of: ${taken.join(', ')}.`,
    );
  }
}
