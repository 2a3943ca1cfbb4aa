import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * Thrown by `obliterate()` when somebody resumed the queue meanwhile. What is left of it is intact.
 *
 * @public
 */
export class QueueNotPausedError extends LaneError {
  readonly code = 'LANE_QUEUE_NOT_PAUSED';

  constructor(readonly queueName: string) {
    super(
      `Queue ${showValue(queueName)} is not paused, so it was not destroyed, or not to the end: somebody resumed it ` +
        `meanwhile. See to it that nobody does, and call obliterate() again.`,
    );
  }
}
