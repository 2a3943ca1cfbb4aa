import { InvalidTokenError } from './errors/invalid-token.error';

/** What clients of BullMQ take for "no lease": whoever says so may end any job. */
const NO_LEASE = '0';

/**
 * Checks a lease token that a caller gives.
 *
 * @throws InvalidTokenError unless it is a text that proves something
 *
 * @internal
 */
export function checkLeaseToken(value: unknown): string {
  if (typeof value !== 'string' || value === '' || value === NO_LEASE) {
    throw new InvalidTokenError(
      'token',
      value,
      'a text of at least one character, other than "0"',
      'It is what the job was fetched with: job.token in a handler, or the argument of getNextJob().',
    );
  }
  return value;
}
