import type { Duration } from './duration';
import { durationTextToMillis, LONGEST_DELAY } from './duration';
import { InvalidBackoffError } from './errors/invalid-backoff.error';
import { nearestName } from './nearest-name';
import { isOptionsObject, refuseUnknownOptions } from './option-names';
import { BUILT_IN_BACKOFFS, type Backoff } from './policy/backoff';

/**
 * Wait between the tries of a job.
 *
 * @public
 */
export interface BackoffOptions {
  /**
   * `fixed` waits the same time before each retry, `exponential` doubles it. Any other name is left to the
   * `settings.backoffStrategy` of the worker.
   */
  type: Backoff['type'];
  /**
   * Every wait (fixed), or the first one (exponential); a bare number is milliseconds. Default 0. A strategy of the
   * worker's finds it in `job.opts.backoff`.
   */
  delay?: Duration;
  /** 0 to 1: the share of the wait that is drawn at random, for `fixed` and `exponential`. Default 0. */
  jitter?: number;
}

const OPTION_NAMES: readonly (keyof BackoffOptions)[] = ['type', 'delay', 'jitter'];
const DELAY_RULE = 'milliseconds from 0 to 100 years, or a text such as "5s"';

/**
 * Checks the wait between tries and resolves it to its stored form. Storage protocol, section 8.3.
 *
 * @throws InvalidBackoffError, or UnknownOptionError for unknown names of the object form
 *
 * @internal
 */
export function parseBackoff(value: unknown): Backoff {
  if (typeof value === 'number' || typeof value === 'string') {
    return { type: 'fixed', delay: parseDelay('backoff', value) };
  }
  if (!isOptionsObject(value)) {
    throw new InvalidBackoffError(
      'backoff',
      value,
      `${DELAY_RULE}, or { type, delay, jitter }`,
      'Correct the value.',
    );
  }
  refuseUnknownOptions('backoff', value, OPTION_NAMES);
  const { type, delay, jitter } = value as Partial<BackoffOptions>;
  const known = checkType(type);
  if (jitter !== undefined && !(typeof jitter === 'number' && jitter >= 0 && jitter <= 1)) {
    throw new InvalidBackoffError(
      'backoff.jitter',
      jitter,
      'a number from 0 to 1',
      'It is the share of the wait that is drawn at random: 0.5 varies half of it.',
    );
  }
  return {
    type: known,
    ...(delay !== undefined && { delay: parseDelay('backoff.delay', delay) }),
    ...(delay === undefined && BUILT_IN_BACKOFFS.includes(known) && { delay: 0 }),
    ...(jitter !== undefined && { jitter }),
  };
}

/** A strategy may have any name, but one that is nearly that of a built-in one is a slip of the pen. */
function checkType(type: unknown): string {
  const rule = '"fixed", "exponential", or the name of a strategy of the worker\'s';
  if (typeof type !== 'string' || type === '') {
    throw new InvalidBackoffError('backoff.type', type, rule, 'Correct the type.');
  }
  const nearest = BUILT_IN_BACKOFFS.includes(type) ? undefined : nearestName(type, BUILT_IN_BACKOFFS);
  if (nearest !== undefined) {
    throw new InvalidBackoffError('backoff.type', type, rule, `Did you mean "${nearest}"?`);
  }
  return type;
}

function parseDelay(option: string, value: unknown): number {
  const millis = typeof value === 'string' ? durationTextToMillis(value) : value;
  if (typeof millis !== 'number' || !(millis >= 0 && millis <= LONGEST_DELAY)) {
    throw new InvalidBackoffError(option, value, DELAY_RULE, 'Correct the value.');
  }
  return Math.ceil(millis);
}
