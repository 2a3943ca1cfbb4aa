import { durationToMillis } from './duration';
import { InvalidDurationError } from './errors/invalid-duration.error';
import { InvalidQueueNameError } from './errors/invalid-queue-name.error';
import { isUnsetName } from './unset-name';

/**
 * Checks a queue's name.
 *
 * @throws InvalidQueueNameError when it is empty, not a text, holds a colon, or came from a variable that is not set
 *
 * @internal
 */
export function checkQueueName(name: unknown): string {
  if (typeof name !== 'string' || name.trim() === '' || name.includes(':') || isUnsetName(name)) {
    throw new InvalidQueueNameError(name);
  }
  return name;
}

/**
 * Checks how long an add may take.
 *
 * @returns milliseconds
 * @throws InvalidDurationError unless it is a duration that is longer than nothing
 *
 * @internal
 */
export function checkAddTimeout(value: unknown): number {
  const millis = durationToMillis('addTimeout', value);
  if (millis === 0) {
    throw new InvalidDurationError(
      'addTimeout',
      value,
      'longer than nothing',
      'Give the time that an add may take, such as "500ms" or "5s".',
    );
  }
  return millis;
}
