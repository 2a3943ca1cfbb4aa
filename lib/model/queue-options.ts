import { InvalidQueueNameError } from './errors/invalid-queue-name.error';

/**
 * Checks a queue's name.
 *
 * @throws InvalidQueueNameError when it is empty, not a text, or holds a colon
 *
 * @internal
 */
export function checkQueueName(name: unknown): string {
  if (typeof name !== 'string' || name.trim() === '' || name.includes(':')) {
    throw new InvalidQueueNameError(name);
  }
  return name;
}
