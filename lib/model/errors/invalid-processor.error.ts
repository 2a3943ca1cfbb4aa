import { InvalidOptionError } from './invalid-option.error';

/**
 * Thrown by the constructor of a worker that is given something else than a function to run jobs with.
 *
 * @public
 */
export class InvalidProcessorError extends InvalidOptionError {
  readonly code = 'LANE_BAD_PROCESSOR';

  constructor(value: unknown) {
    super(
      'processor',
      value,
      'a function (job, token, signal) => result, or null for jobs that are fetched by hand',
      'Give it as the second argument.',
    );
  }
}
