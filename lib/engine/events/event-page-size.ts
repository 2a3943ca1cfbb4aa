import { MAX_EVENTS, type StoredEvent } from '../../contract/event-log';

const USUAL = 1_000;
const SMALLEST = 100;
/** Characters that a page should have at most. */
const CHARACTERS = 4_000_000;

/**
 * How many events a reader asks for at once.
 *
 * One that fills its pages is behind: the next ones are larger, up to as much as a log keeps, or what is still to be
 * read would be pushed out by a burst such as many adds of one tick. They grow no further than what is in them allows,
 * so that large results and progress do not all come at once.
 *
 * @internal
 */
export class EventPageSize {
  #limit = USUAL;

  /** Most events of the next page. */
  get limit(): number {
    return this.#limit;
  }

  /** @param events - what the page had that was asked for with the present limit */
  adaptTo(events: readonly StoredEvent[]): void {
    if (events.length < this.#limit) {
      this.#limit = Math.min(this.#limit, USUAL);
      return;
    }
    const fitting = Math.floor((events.length * CHARACTERS) / Math.max(1, charactersOf(events)));
    this.#limit = Math.max(SMALLEST, Math.min(2 * this.#limit, fitting, MAX_EVENTS));
  }
}

/** Of what may be long. */
function charactersOf(events: readonly StoredEvent[]): number {
  return events.reduce(
    (sum, { data, returnvalue, failedReason, fields = [] }) =>
      sum +
      lengthOf(data) +
      lengthOf(returnvalue) +
      lengthOf(failedReason) +
      fields.reduce((ofFields, [name, value]) => ofFields + name.length + value.length, 0),
    0,
  );
}

function lengthOf(text: string | undefined): number {
  return text?.length ?? 0;
}
