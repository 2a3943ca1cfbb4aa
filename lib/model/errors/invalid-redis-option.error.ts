import { InvalidOptionError } from './invalid-option.error';

/** Options that may hold a password: of what they were given, errors tell the kind only. */
const SECRETIVE: readonly string[] = ['url', 'connection', 'client'];

/**
 * Thrown by `redis()` when one of its options breaks its rule. Nothing was connected.
 *
 * @public
 */
export class InvalidRedisOptionError extends InvalidOptionError {
  readonly code = 'LANE_BAD_REDIS_OPTION';

  constructor(option: string, value: unknown, rule: string, fix: string) {
    super(option, SECRETIVE.includes(option) ? kindOf(value) : value, rule, fix);
  }
}

function kindOf(value: unknown): unknown {
  if (typeof value === 'string') {
    return value === '' ? '' : '…';
  }
  return typeof value === 'object' && value !== null ? {} : value;
}
