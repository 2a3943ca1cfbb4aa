import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * Thrown by `run()` of a worker that was made without a function to run jobs with.
 *
 * @public
 */
export class MissingProcessorError extends LaneError {
  readonly code = 'LANE_NO_PROCESSOR';

  /** @param queueName - queue of the worker */
  constructor(readonly queueName: string) {
    super(
      `The worker of queue ${showValue(queueName)} has no function to run jobs with. Give one as its second argument, or ` +
        `fetch jobs by getNextJob().`,
    );
  }
}
