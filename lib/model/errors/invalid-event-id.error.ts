import { InvalidOptionError } from './invalid-option.error';

/**
 * Thrown when `lastEventId`, or the place where a replay is to begin, is not the id of an event.
 *
 * @public
 */
export class InvalidEventIdError extends InvalidOptionError {
  readonly code = 'LANE_BAD_EVENT_ID';

  /**
   * @param option - name of the option
   * @param rule - what is accepted, as a phrase that follows "must be"
   * @param fix - what to do, as a whole sentence
   */
  constructor(
    value: unknown,
    option = 'lastEventId',
    rule = 'the id of an event, such as "1700000000000-0", or "$"',
    fix = 'Use the id that a listener was given, "0-0" for all events that are kept, or "$" for new ones.',
  ) {
    super(option, value, rule, fix);
  }
}
