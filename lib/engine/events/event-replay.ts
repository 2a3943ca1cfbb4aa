import { Observable, type Subscriber } from 'rxjs';

import type { Clock } from '../../contract/clock';
import type { EventPage } from '../../contract/event-log';
import { hasBrand } from '../../model/brand';
import { EventsLostError } from '../../model/errors/events-lost.error';
import { isLaneError } from '../../model/errors/lane-error';
import type { EventGap, QueueEvent } from '../../model/queue-event';
import { asError } from '../runtime/safe-emitter';
import { wait } from '../runtime/wait';
import { decodeEvent } from './queue-event-codec';

/** Tells a replay, also that of a queue from another copy of the package. */
const BRAND = Symbol.for('nestjs-lane.event-replay');

/** Events that are read ahead of who takes them. */
const PAGE = 100;
const PAUSE_AFTER_ERROR = 1_000;

/**
 * Where a replay reads.
 *
 * @internal
 */
export interface ReplaySource {
  readonly queueName: string;
  readonly clock: Clock;
  /** Tells that something new was written; completes when there will be no more. */
  readonly events$: Observable<unknown>;
  /** Resolves once `events$` tells of what is written from then on. */
  positioned(): Promise<void>;
  read(after: string, limit: number): Promise<EventPage>;
  onError(error: Error): void;
}

/**
 * Where a replay begins, and what it does about gaps.
 *
 * @internal
 */
export interface ReplayTerms {
  readonly after: string;
  readonly strict: boolean;
}

/**
 * Events from some place of the log on, and then what comes: `queue.events(from)`. Every subscriber reads for itself, page
 * by page.
 *
 * As an async iterable (`for await`), and with `boundedConcatMap`, it reads on only when what it has read was taken. Other
 * operators cannot tell it to wait: what they are slower than piles up in them.
 *
 * @public
 */
export class EventReplay<Event extends QueueEvent | EventGap = QueueEvent | EventGap>
  extends Observable<Event>
  implements AsyncIterable<Event>
{
  readonly #open: (signal: AbortSignal) => AsyncGenerator<Event, void, undefined>;

  /** @internal */
  constructor(open: (signal: AbortSignal) => AsyncGenerator<Event, void, undefined>) {
    super((subscriber) => {
      const stop = new AbortController();
      void push(open(stop.signal), subscriber);
      return () => stop.abort();
    });
    this.#open = open;
  }

  /** @internal */
  get [BRAND](): true {
    return true;
  }

  /**
   * The events of some kinds, read as these are.
   *
   * @internal
   */
  keep<Kept extends Event>(isKept: (event: Event) => event is Kept): EventReplay<Kept> {
    const open = this.#open;
    return new EventReplay(async function* (signal) {
      for await (const event of open(signal)) {
        if (isKept(event)) {
          yield event;
        }
      }
    });
  }

  [Symbol.asyncIterator](): AsyncIterator<Event, void, undefined> {
    const stop = new AbortController();
    const events = this.#open(stop.signal);
    return {
      next: () => events.next(),
      return: () => {
        // What the generator waits for comes to its end first.
        stop.abort();
        return events.return();
      },
    };
  }
}

/**
 * Whether a stream is a replay, from whichever copy of the package its queue is.
 *
 * @internal
 */
export function isEventReplay<Event extends QueueEvent | EventGap>(
  source: Observable<Event>,
): source is EventReplay<Event> {
  return hasBrand(source, BRAND);
}

/**
 * Reads the log of a queue page by page, and waits at its end.
 *
 * @throws EventsLostError at a gap, when it is to be strict
 *
 * @internal
 */
export async function* replayEvents(
  source: ReplaySource,
  { after, strict }: ReplayTerms,
  signal: AbortSignal,
): AsyncGenerator<QueueEvent | EventGap, void, undefined> {
  let position = after;
  for (;;) {
    const page = await nextPage(source, position, signal);
    if (page === undefined || signal.aborted) {
      return;
    }
    // Who asks for all that is kept misses nothing.
    if (page.hasGap && position !== '0-0') {
      const gap: EventGap = { type: 'gap', from: position, to: page.events[0]!.id };
      if (strict) {
        throw new EventsLostError(source.queueName, gap.from, gap.to);
      }
      yield gap;
    }
    for (const event of page.events) {
      position = event.id;
      yield decodeEvent(event);
    }
  }
}

/** @returns a page with events, or `undefined` when there will be no more */
async function nextPage(
  source: ReplaySource,
  position: string,
  signal: AbortSignal,
): Promise<EventPage | undefined> {
  while (!signal.aborted) {
    try {
      const page = await source.read(position, PAGE);
      if (page.events.length > 0) {
        return page;
      }
      const news = new News(source.events$, signal);
      try {
        const positioned = source.positioned().then(() => true);
        if (!(await Promise.race([positioned, news.come]))) {
          return undefined;
        }
        // What was written before the listening began tells nobody.
        const later = await source.read(position, PAGE);
        if (later.events.length > 0) {
          return later;
        }
        if (!(await news.come)) {
          return undefined;
        }
      } finally {
        news.stop();
      }
    } catch (error) {
      if (isLaneError(error, 'LANE_CLOSED')) {
        return undefined;
      }
      source.onError(asError(error));
      await wait(source.clock, PAUSE_AFTER_ERROR, signal);
    }
  }
  return undefined;
}

/** The next piece of news, if there is one before the end. */
class News {
  readonly come: Promise<boolean>;
  #end: (isNews: boolean) => void = () => undefined;

  constructor(events$: Observable<unknown>, signal: AbortSignal) {
    this.come = new Promise((resolve) => (this.#end = resolve));
    const subscription = events$.subscribe({
      next: () => this.#end(true),
      complete: () => this.#end(false),
    });
    const onAbort = (): void => this.#end(false);
    signal.addEventListener('abort', onAbort, { once: true });
    this.stop = () => {
      subscription.unsubscribe();
      signal.removeEventListener('abort', onAbort);
    };
    if (signal.aborted) {
      onAbort();
    }
  }

  readonly stop: () => void;
}

async function push<Event>(
  events: AsyncGenerator<Event, void, undefined>,
  subscriber: Subscriber<Event>,
): Promise<void> {
  try {
    for await (const event of events) {
      if (subscriber.closed) {
        return;
      }
      subscriber.next(event);
    }
    subscriber.complete();
  } catch (error) {
    subscriber.error(error);
  }
}
