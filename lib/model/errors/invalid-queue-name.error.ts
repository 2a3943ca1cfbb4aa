import { isUnsetName } from '../unset-name';
import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * Thrown when a queue's name is empty, not a text, or holds a colon; when it is `undefined` or `null` as a text too, which
 * is what a variable that is not set becomes in one.
 *
 * @public
 */
export class InvalidQueueNameError extends LaneError {
  readonly code = 'LANE_BAD_NAME';

  /** @param queueName - what was given; it may be a URL in the wrong place, so the error does not hold it */
  constructor(queueName: unknown) {
    super(`Queue name ${showValue(queueName)} cannot be used: ${ruleFor(queueName)} ${fixFor(queueName)}`);
  }
}

function ruleFor(queueName: unknown): string {
  return isUnsetName(queueName) && typeof queueName === 'string'
    ? 'it is what a variable that is not set becomes in a text.'
    : 'it must be a text that is not blank and holds no ":", which separates the parts of stored keys.';
}

function fixFor(queueName: unknown): string {
  if (isUnsetName(queueName)) {
    return 'Check the variable that the name comes from: it is not set.';
  }
  if (typeof queueName !== 'string') {
    return 'Give a name such as "email".';
  }
  if (queueName.includes('://')) {
    return 'A URL belongs into the option "backend"; give the name of the queue here.';
  }
  if (queueName.includes(':')) {
    return `Use another separator, such as ${showValue(queueName.replaceAll(':', '-'))}.`;
  }
  return 'Give a name such as "email"; if this one comes from a variable, that is not set.';
}
