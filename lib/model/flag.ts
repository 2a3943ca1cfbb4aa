import { InvalidFlagError } from './errors/invalid-flag.error';

/**
 * Checks what is on or off.
 *
 * @param option - its name, for the error
 * @throws InvalidFlagError unless it is a boolean
 *
 * @internal
 */
export function checkFlag(option: string, value: unknown): boolean {
  if (typeof value !== 'boolean') {
    throw new InvalidFlagError(option, value, 'true or false', 'Correct the value.');
  }
  return value;
}
