import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * Thrown by `obliterate()` when jobs are active. The queue is paused, and nothing else was changed.
 *
 * @public
 */
export class QueueActiveError extends LaneError {
  readonly code = 'LANE_QUEUE_ACTIVE';

  constructor(readonly queueName: string) {
    super(
      `Queue ${showValue(queueName)} has active jobs, so it was not destroyed; it is paused. Wait until they have ended, ` +
        `or give { force: true } to remove them under their workers' hands.`,
    );
  }
}
