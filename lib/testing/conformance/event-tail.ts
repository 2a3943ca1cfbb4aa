import assert from 'node:assert/strict';

import type { StoredEvent } from '../../contract/event-log';
import type { QueueBackend } from '../../contract/queue-backend';

/**
 * An event as the cases write it down: without its id.
 *
 * @public
 */
export type ExpectedEvent = Omit<StoredEvent, 'id'>;

/**
 * Reads what a queue's event log says from some moment on, once.
 *
 * @public
 */
export class EventTail {
  /**
   * @param after - id of the last event that is not read
   * @param compared - is told the name of every event that a case has compared
   */
  constructor(
    private readonly handle: QueueBackend,
    private after: string,
    private readonly compared: (name: string) => void,
  ) {}

  /** The events since the last look are these, in order. */
  async expect(expected: readonly ExpectedEvent[]): Promise<void> {
    this.#compare(await this.next(), expected);
  }

  /** The events since the last look are, leaving out those of other names, these. */
  async expectOf(names: readonly string[], expected: readonly ExpectedEvent[]): Promise<void> {
    const events = await this.next();
    this.#compare(
      events.filter(({ event }) => names.includes(event)),
      expected,
    );
  }

  /** The events since the last look, without their ids, which grow. */
  async next(): Promise<ExpectedEvent[]> {
    const { events } = await this.handle.readEvents({ after: this.after, limit: 100_000, block: 0 });
    return events.map(({ id, ...fields }) => {
      assert.ok(isLater(id, this.after), `the event id ${id} does not come after ${this.after}`);
      this.after = id;
      return fields;
    });
  }

  #compare(actual: readonly ExpectedEvent[], expected: readonly ExpectedEvent[]): void {
    assert.deepEqual(actual, expected);
    expected.forEach(({ event }) => this.compared(event));
  }
}

/**
 * Whether an event id is higher than another.
 *
 * @internal
 */
export function isLater(id: string, than: string): boolean {
  const [millis, number] = partsOf(id);
  const [otherMillis, otherNumber] = partsOf(than);
  return millis > otherMillis || (millis === otherMillis && number > otherNumber);
}

function partsOf(id: string): [number, number] {
  assert.match(id, /^\d+-\d+$/);
  const [millis, number] = id.split('-').map(Number);
  return [millis!, number!];
}
