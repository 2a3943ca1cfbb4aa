import { MAX_EVENTS, type StoredEvent } from '../../contract/event-log';
import { MAX_BATCH_SIZE } from '../../contract/mutating-call';
import type { EventFields } from '../embedded/store';
import { OrderedIndex } from './ordered-index';

/**
 * Most characters of results, progress, reasons and events of applications in a log: without a bound, ten thousand large results would stay
 * in memory after their jobs were removed.
 */
const MAX_SIZE = 64 * MAX_BATCH_SIZE;

/**
 * The events of a queue.
 *
 * @internal
 */
export class MemoryLog {
  readonly #events = new OrderedIndex<EventFields>();
  #size = 0;
  /** Place of the last event that was dropped. */
  #droppedMillis = -1;
  #droppedNumber = -1;

  /** Number of events. */
  get length(): number {
    return this.#events.size;
  }

  append(millis: number, number: number, fields: EventFields): void {
    this.#events.insert(millis, number, fields);
    this.#size += sizeOf(fields);
  }

  /** Takes the last event back. */
  removeLast(): void {
    this.#size -= sizeOf(this.#events.removeLast());
  }

  /** Drops the oldest events beyond the bounds, never the newest one. */
  trim(): void {
    while (this.length > MAX_EVENTS || (this.#size > MAX_SIZE && this.length > 1)) {
      this.#dropFirst();
    }
  }

  /** Drops the oldest events but for a number. */
  shorten(most: number): void {
    while (this.length > most) {
      this.#dropFirst();
    }
  }

  /** Whether events were dropped that came after a place. */
  isCutAfter(millis: number, number: number): boolean {
    return this.#droppedMillis > millis || (this.#droppedMillis === millis && this.#droppedNumber > number);
  }

  /** Events that come after a place, oldest first. */
  after(millis: number, number: number, limit: number): StoredEvent[] {
    const events: StoredEvent[] = [];
    this.#events.read(
      { from: [millis, number + 1], to: [Infinity, Infinity], offset: 0, limit, descending: false },
      (fields, eventMillis, eventNumber) => events.push({ id: `${eventMillis}-${eventNumber}`, ...fields }),
    );
    return events;
  }

  #dropFirst(): void {
    this.#droppedMillis = this.#events.firstMajor;
    this.#droppedNumber = this.#events.firstMinor;
    this.#size -= sizeOf(this.#events.removeFirst());
  }
}

function sizeOf(fields: EventFields | undefined): number {
  const own = fields?.fields?.reduce((sum, [name, value]) => sum + name.length + value.length, 0) ?? 0;
  return (
    own +
    (fields?.data?.length ?? 0) +
    (fields?.returnvalue?.length ?? 0) +
    (fields?.failedReason?.length ?? 0)
  );
}
