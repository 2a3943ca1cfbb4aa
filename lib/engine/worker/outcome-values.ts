import type { Duration } from '../../model/duration';
import { durationToMillis, LONGEST_DELAY } from '../../model/duration';
import { InvalidDurationError } from '../../model/errors/invalid-duration.error';
import { InvalidReasonError } from '../../model/errors/invalid-reason.error';
import type { RateLimited } from '../../model/errors/rate-limited.error';
import { checkFlag } from '../../model/flag';
import { refuseUnknownOptions } from '../../model/option-names';
import { OUTCOME } from '../../model/outcome-brand';

/**
 * What `discard` takes besides the reason.
 *
 * @public
 */
export interface DiscardOptions {
  /** Keeps nothing of the job, whatever its `removeOnFail` says; that it failed is told all the same. Default `false`. */
  remove?: boolean;
}

/**
 * A value by which a handler says what becomes of its job, made by `snooze`, `discard` or `complete`. It has its effect
 * whether it is returned or thrown.
 *
 * @typeParam Result - what the handler returns otherwise
 *
 * @public
 */
export type JobOutcome<Result = unknown> = { readonly [OUTCOME]: true } & (
  | {
      readonly kind: 'snooze';
      /** Milliseconds. */
      readonly duration: number;
      /** @internal How often nobody has had a handler for the job, this time included. */
      readonly unhandled?: number;
    }
  | {
      readonly kind: 'discard';
      readonly reason: string;
      /** Whether nothing of the job is kept. */
      readonly remove: boolean;
    }
  | { readonly kind: 'complete'; readonly value: Result }
);

const MARK = { [OUTCOME]: true } as const;

/**
 * Holds the job back for a time, at no cost of an attempt; then it is run anew.
 *
 * @param duration - how long from now; a bare number is milliseconds. With 0 it is due at once.
 * @throws InvalidDurationError unless it is a time of at most a hundred years
 *
 * @example
 * ```ts
 * if (!(await this.shop.isOpen())) {
 *   return snooze('10m');
 * }
 * ```
 *
 * @public
 */
export function snooze(duration: Duration): JobOutcome<never> {
  const millis = Math.ceil(durationToMillis('duration', duration));
  if (millis > LONGEST_DELAY) {
    throw new InvalidDurationError('duration', duration, 'at most 100 years', 'Correct the time.');
  }
  return Object.freeze({ ...MARK, kind: 'snooze', duration: millis });
}

/**
 * Milliseconds that a job waits for a process with a handler for the first time; the others are twice as long as the one
 * before.
 */
const FIRST_RELEASE = 1_000;
const LONGEST_RELEASE = 300_000;

/** Times that a job is held back for want of a handler. */
const MOST_RELEASES = 10;

/**
 * Holds a job back that this process has no handler for, or whose version it does not know, but another may: 1 s for the
 * first time, twice as long as the time before for the others, 5 minutes at most.
 *
 * @param unhandled - how often that was so already
 * @returns `undefined` when that was often enough
 *
 * @internal
 */
export function release(unhandled: number): JobOutcome<never> | undefined {
  if (unhandled >= MOST_RELEASES) {
    return undefined;
  }
  const duration = Math.min(LONGEST_RELEASE, FIRST_RELEASE * 2 ** unhandled);
  return Object.freeze({ ...MARK, kind: 'snooze', duration, unhandled: unhandled + 1 });
}

/**
 * Ends the job without a result: it has failed with the code `discarded` and is not retried, whatever attempts it has
 * left.
 *
 * @param reason - becomes its `failedReason`; default `job was discarded`
 * @param options - whether anything of the job is kept
 * @throws InvalidReasonError unless the reason is a text, InvalidOptionsError, UnknownOptionError or InvalidFlagError for
 * bad options
 *
 * @example
 * ```ts
 * if (user === undefined) {
 *   return discard('the user is gone');
 * }
 * ```
 *
 * @public
 */
export function discard(reason = 'job was discarded', options: DiscardOptions = {}): JobOutcome<never> {
  if (typeof reason !== 'string') {
    throw new InvalidReasonError(reason, 'discarding');
  }
  refuseUnknownOptions('discard', options, ['remove']);
  const { remove = false } = options;
  return Object.freeze({ ...MARK, kind: 'discard', reason, remove: checkFlag('remove', remove) });
}

/**
 * Completes the job with a result, as returning it does. For whoever can only throw, such as an exception filter.
 *
 * @param value - the result: any JSON value
 *
 * @public
 */
export function complete<Result>(value: Result): JobOutcome<Result> {
  return Object.freeze({ ...MARK, kind: 'complete', value });
}

/**
 * The outcome that a handler has returned or thrown, if it is one. Never throws.
 *
 * @internal
 */
export function outcomeOf(value: unknown): JobOutcome | RateLimited | undefined {
  if (typeof value !== 'object' || value === null) {
    return undefined;
  }
  try {
    return (value as { [OUTCOME]?: unknown })[OUTCOME] === true ? (value as JobOutcome) : undefined;
  } catch {
    // A proxy that lets nobody look.
    return undefined;
  }
}
