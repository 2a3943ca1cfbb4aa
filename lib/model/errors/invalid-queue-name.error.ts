import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * Thrown when a queue's name is empty, not a text, or holds a colon.
 *
 * @public
 */
export class InvalidQueueNameError extends LaneError {
  readonly code = 'LANE_BAD_NAME';

  /** @param queueName - what was given; it may be a URL in the wrong place, so the error does not hold it */
  constructor(queueName: unknown) {
    super(
      `Queue name ${showValue(queueName)} cannot be used: it must be a text that is not blank and holds no ":", ` +
        `which separates the parts of stored keys. ${fixFor(queueName)}`,
    );
  }
}

function fixFor(queueName: unknown): string {
  if (queueName === undefined) {
    return 'Check the variable that the name comes from: it is not set.';
  }
  if (typeof queueName === 'string' && queueName.includes('://')) {
    return 'A URL belongs into the option "backend"; give the name of the queue here.';
  }
  if (typeof queueName === 'string' && queueName.includes(':')) {
    return `Use another separator, such as ${showValue(queueName.replaceAll(':', '-'))}.`;
  }
  return 'Give a name such as "email".';
}
