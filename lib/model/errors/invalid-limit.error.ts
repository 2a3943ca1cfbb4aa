import { InvalidOptionError } from './invalid-option.error';

/**
 * Thrown when a bound is no number of jobs: that of a call on many jobs, or a limit of a queue or worker.
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
