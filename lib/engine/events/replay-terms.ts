import { InvalidEventIdError } from '../../model/errors/invalid-event-id.error';
import { eventIdBefore, isEventId } from '../../model/event-id';
import { checkFlag } from '../../model/flag';
import { refuseUnknownOptions } from '../../model/option-names';
import type { ReplayTerms } from './event-replay';

/**
 * Checks the arguments of `queue.events(from, options)`.
 *
 * @throws InvalidEventIdError, InvalidFlagError, UnknownOptionError or InvalidOptionsError
 *
 * @internal
 */
export function replayTerms(from: unknown, options: { strict?: boolean }): ReplayTerms {
  refuseUnknownOptions('events', options, ['strict']);
  const { strict = false } = options;
  checkFlag('strict', strict);
  return { after: placeOf(from), strict };
}

function placeOf(from: unknown): string {
  if (from === 'start') {
    return '0-0';
  }
  if (isEventId(from)) {
    return from;
  }
  const millis = from instanceof Date ? from.getTime() : from;
  if (!Number.isSafeInteger(millis) || (millis as number) < 0) {
    throw new InvalidEventIdError(
      from,
      'from',
      'the id of an event, a time (a Date, or whole milliseconds since 1970), or "start"',
      'Use the id that a listener was given, or "start" for all events that are kept.',
    );
  }
  return eventIdBefore(millis as number);
}
