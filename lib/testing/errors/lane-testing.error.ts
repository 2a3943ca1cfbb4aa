import { LaneError } from '../../model/errors/lane-error';

/**
 * The test kit was asked for what cannot be: the application is not started, a queue has no processor, there is no job to
 * run.
 *
 * @public
 */
export class LaneTestingError extends LaneError {
  readonly code = 'LANE_TESTING';

  /**
   * @param what - what cannot be, as a sentence
   * @param fix - what to do instead, as a sentence
   */
  constructor(what: string, fix: string) {
    super(`${what} ${fix}`);
  }
}
