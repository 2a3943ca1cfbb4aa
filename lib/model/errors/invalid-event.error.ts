import { LaneError } from './lane-error';

/**
 * Thrown when an event of an application's own cannot be written. Nothing was stored.
 *
 * @public
 */
export class InvalidEventError extends LaneError {
  readonly code = 'LANE_BAD_EVENT';

  /**
   * @param found - what was given, as a sentence without its full stop
   * @param rule - what is accepted, as a phrase that follows "It must be"
   * @param fix - what to do, as a whole sentence
   */
  constructor(found: string, rule: string, fix: string) {
    super(`${found}. It must be ${rule}. ${fix}`);
  }
}
