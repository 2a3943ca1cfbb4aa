import { InvalidEventError } from './errors/invalid-event.error';
import { showValue } from './errors/show-value';
import { isOptionsObject } from './option-names';
import { QUEUE_EVENT_NAMES } from './queue-event';

/** Names under which listeners are told something else, or which their emitter uses itself. */
const RESERVED: readonly string[] = [
  ...QUEUE_EVENT_NAMES,
  'error',
  'gap',
  'newListener',
  'removeListener',
  'ioredis:close',
];

/**
 * Most fields that an event of an application's own has: a script passes them all to one command.
 *
 * @public
 */
export const MAX_CUSTOM_FIELDS = 1_000;

/** The same number as of a time in the storage protocol, whose commands take no larger one. */
const MOST_EVENTS = Number.MAX_SAFE_INTEGER;

/**
 * An event of an application's own, checked, as texts.
 *
 * @internal
 */
export interface CheckedEvent {
  readonly name: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/**
 * Whether listeners would take an event of that name for one of the queue's: `completed`, and `completed:17` too.
 *
 * @internal
 */
export function isReservedEventName(name: string): boolean {
  return RESERVED.includes(name) || QUEUE_EVENT_NAMES.some((own) => name.startsWith(`${own}:`));
}

/**
 * Checks an event that an application writes.
 *
 * @param event - its name as `eventName`, and its fields
 * @throws InvalidEventError
 *
 * @internal
 */
export function parseCustomEvent(event: unknown): CheckedEvent {
  if (!isOptionsObject(event)) {
    throw new InvalidEventError(
      `The event that was given is ${showValue(event)}`,
      'an object with eventName and the fields of the event',
      'Pass { eventName, ...fields }.',
    );
  }
  const { eventName, ...rest } = event as Record<string, unknown>;
  if (typeof eventName !== 'string' || eventName === '') {
    throw new InvalidEventError(
      `The eventName is ${showValue(eventName)}`,
      'a text that is not empty',
      'Name the event.',
    );
  }
  if (isReservedEventName(eventName)) {
    throw new InvalidEventError(
      `The eventName is ${showValue(eventName)}`,
      'a name that listeners cannot take for an event of the queue, or for an error',
      'Choose another name.',
    );
  }
  const fields = Object.entries(rest).filter(([, value]) => value !== undefined);
  if (fields.length > MAX_CUSTOM_FIELDS) {
    throw new InvalidEventError(
      `Event ${showValue(eventName)} has ${fields.length} fields`,
      `an event of at most ${MAX_CUSTOM_FIELDS}`,
      'Put what belongs together into one field, as JSON.',
    );
  }
  return {
    name: wellFormed(eventName),
    fields: fields.map(([name, value]) => [wellFormed(name), textOf(eventName, name, value)] as const),
  };
}

/**
 * Checks how many events a log is to keep.
 *
 * @throws InvalidEventError
 *
 * @internal
 */
export function checkMaxEvents(maxEvents: unknown): number {
  if (!Number.isInteger(maxEvents) || (maxEvents as number) < 1 || (maxEvents as number) > MOST_EVENTS) {
    throw new InvalidEventError(
      `The value of maxEvents is ${showValue(maxEvents)}`,
      'a whole number of at least 1',
      'Correct the value, or leave it out to keep as many events as the queue does.',
    );
  }
  return maxEvents as number;
}

function textOf(eventName: string, field: string, value: unknown): string {
  if (field === 'event') {
    throw new InvalidEventError(
      `Event ${showValue(eventName)} has a field "event", which is where its name is stored`,
      'a field of another name',
      'Rename it.',
    );
  }
  if (typeof value === 'string') {
    return wellFormed(value);
  }
  if (!['number', 'boolean', 'bigint'].includes(typeof value)) {
    throw new InvalidEventError(
      `Field ${showValue(field)} of event ${showValue(eventName)} is ${kindOf(value)}`,
      'a text, a number or a boolean',
      'Write it as JSON, with JSON.stringify.',
    );
  }
  return String(value);
}

/** Never the value itself: it is a payload. */
function kindOf(value: unknown): string {
  return value === null ? 'null' : `of the type ${typeof value}`;
}

/** Halves of characters cannot be stored as UTF-8; they become what a store would make of them. */
function wellFormed(text: string): string {
  return text.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD');
}
