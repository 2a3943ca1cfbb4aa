import { InvalidOptionError } from './invalid-option.error';

/**
 * Thrown when `lastEventId` is not the id of an event.
 *
 * @public
 */
export class InvalidEventIdError extends InvalidOptionError {
  readonly code = 'LANE_BAD_EVENT_ID';

  constructor(value: unknown) {
    super(
      'lastEventId',
      value,
      'the id of an event, such as "1700000000000-0", or "$"',
      'Use the id that a listener was given, "0-0" for all events that are kept, or "$" for new ones.',
    );
  }
}
