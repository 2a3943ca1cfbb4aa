import { InvalidOptionError } from './invalid-option.error';

/**
 * Thrown by look-ups whose `start` or `end` is no position.
 *
 * @public
 */
export class InvalidRangeError extends InvalidOptionError {
  readonly code = 'LANE_BAD_RANGE';

  constructor(option: 'start' | 'end', value: unknown) {
    super(
      option,
      value,
      option === 'start' ? 'an integer of at least 0' : 'an integer of at least 0, or -1 for the last',
      'Positions count from 0, and both ends are included.',
    );
  }
}
