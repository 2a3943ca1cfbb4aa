import { DelayedError } from '../../model/errors/delayed.error';
import { RateLimitError } from '../../model/errors/rate-limit.error';
import { textProperty } from '../../model/errors/text-property';
import { UnrecoverableError } from '../../model/errors/unrecoverable.error';
import { WaitingError } from '../../model/errors/waiting.error';
import { outcomeOf } from './outcome-values';

// What handlers throw to say what becomes of their job. Copies of these classes, of another version of this package or
// BullMQ's own, are known by their names, and those that a bundler has renamed by their messages.

const MOVES = [DelayedError, WaitingError] as const;
const MOVED: ReadonlySet<string | undefined> = new Set(
  MOVES.flatMap((Class) => [new Class().name, new Class().message]),
);

const LIMITED = new RateLimitError().message;

/**
 * Whether a handler says that it has moved its job.
 *
 * @internal
 */
export function saysMoved(error: Error): boolean {
  return (
    MOVES.some((Class) => error instanceof Class) ||
    MOVED.has(textProperty(error, 'name')) ||
    MOVED.has(textProperty(error, 'message'))
  );
}

/**
 * Whether a handler says that it has met a rate limit. Copies are known by their messages alone, as with BullMQ: errors
 * of other packages have that name. One that says for how long has a mark of ours.
 *
 * @internal
 */
export function saysLimited(error: Error): boolean {
  return (
    error instanceof RateLimitError ||
    textProperty(error, 'message') === LIMITED ||
    outcomeOf(error)?.kind === 'rate-limited'
  );
}

/**
 * Whether a handler says that trying again is no use.
 *
 * @internal
 */
export function isUnrecoverable(error: Error): boolean {
  return error instanceof UnrecoverableError || textProperty(error, 'name') === 'UnrecoverableError';
}
