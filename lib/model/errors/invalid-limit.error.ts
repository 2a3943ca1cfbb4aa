import { InvalidOptionError } from './invalid-option.error';

/**
 * Thrown by calls on many jobs whose bound is no number of jobs.
 *
 * @public
 */
export class InvalidLimitError extends InvalidOptionError {
  readonly code = 'LANE_BAD_LIMIT';

  /** @param least - smallest number that is taken */
  constructor(option: string, value: unknown, least: number) {
    super(option, value, `an integer of at least ${least}`, 'Correct the number.');
  }
}
