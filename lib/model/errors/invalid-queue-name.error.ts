import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * Thrown when a queue's name is empty, not a text, or holds a colon.
 *
 * @public
 */
export class InvalidQueueNameError extends LaneError {
  readonly code = 'LANE_BAD_NAME';

  constructor(readonly queueName: unknown) {
    super(
      `Queue name ${showValue(queueName)} cannot be used: it must be a text of at least one character without ":", ` +
        `which separates the parts of stored keys. ${fixFor(queueName)}`,
    );
  }
}

function fixFor(queueName: unknown): string {
  if (queueName === undefined) {
    return 'Check the variable that the name comes from: it is not set.';
  }
  if (typeof queueName === 'string' && queueName.includes(':')) {
    return `Use another separator, such as ${showValue(queueName.replaceAll(':', '-'))}.`;
  }
  return 'Give a name such as "email".';
}
