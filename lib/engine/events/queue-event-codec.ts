import type { StoredEvent } from '../../contract/event-log';
import { QUEUE_EVENT_NAMES, type QueueEvent } from '../../model/queue-event';

const KNOWN: ReadonlySet<string> = new Set(QUEUE_EVENT_NAMES);

/**
 * Turns a stored event into the one that listeners see: JSON fields are parsed, `type` tells the kind. What is no
 * event of the queue is one of an application's own.
 *
 * A field that is not JSON, which only foreign writers can leave behind, is passed on as its text rather than
 * stopping the listener.
 *
 * @internal
 */
export function decodeEvent(stored: StoredEvent): QueueEvent {
  const { event: type, id, ...payload } = stored;
  if (!KNOWN.has(type)) {
    // fromEntries makes own properties of all names, also of those that objects have from their prototype.
    return { type: 'custom', id, name: type, payload: Object.fromEntries(stored.fields ?? []) };
  }
  if (type === 'completed') {
    return { type, id, ...payload, returnvalue: parseOrText(stored.returnvalue) } as QueueEvent;
  }
  if (type === 'progress') {
    return { type, id, ...payload, data: parseOrText(stored.data) } as QueueEvent;
  }
  return { type, id, ...payload } as QueueEvent;
}

/**
 * The value of a JSON text; what is no JSON, which only foreign writers leave behind, is the text itself.
 *
 * @internal
 */
export function parseOrText(text: string | undefined): unknown {
  if (text === undefined) {
    return undefined;
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
