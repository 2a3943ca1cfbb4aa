import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * The reason of a handler's aborted signal when its worker closes and the time for running jobs is over. The job is
 * handed back without costing an attempt.
 *
 * @public
 */
export class WorkerClosingError extends LaneError {
  readonly code = 'LANE_WORKER_CLOSING';

  /** @param queueName - queue of the worker */
  constructor(readonly queueName: string) {
    super(
      `The worker of queue ${showValue(queueName)} closes and the time for running jobs is over. Stop soon: the job ` +
        `is handed back and will run again. Raise shutdown.drain to give jobs more time.`,
    );
  }
}
