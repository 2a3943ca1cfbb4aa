import { from, Observable, type ObservableInput, type Subscriber, type Subscription } from 'rxjs';

import { EventOverflowError } from '../../model/errors/event-overflow.error';
import { InvalidStreamOptionError } from '../../model/errors/invalid-stream-option.error';
import { refuseUnknownOptions } from '../../model/option-names';
import type { EventGap, QueueEvent } from '../../model/queue-event';
import { Ring } from '../runtime/ring';
import { isEventReplay, type EventReplay } from './event-replay';

type AnyEvent = QueueEvent | EventGap;

/**
 * How `boundedConcatMap` holds events that have to wait.
 *
 * @public
 */
export interface BoundedConcatMapOptions {
  /** Most events that wait; at least 1. Default 1,000. */
  buffer?: number;
  /**
   * What happens when one more comes: `drop` drops the oldest, and a gap is handled in their place; `latest` drops all
   * but the newest, without a word; `error` ends the stream with EventOverflowError. Default `drop`.
   */
  overflow?: 'drop' | 'latest' | 'error';
}

const OVERFLOWS = ['drop', 'latest', 'error'] as const;

/**
 * RxJS operator that handles events one after the other, as `concatMap` does, in bounded memory: what comes in faster from
 * a hot stream (`queue.events$`) waits in a ring, and a replay (`queue.events(from)`, with or without `ofType`) reads on only
 * when the event before was handled.
 *
 * @example
 * ```ts
 * queue.events('start').pipe(ofType('completed'), boundedConcatMap((event) => archive(event))).subscribe();
 * ```
 *
 * @param project - handles an event: a promise, an observable, or anything else that `concatMap` takes
 * @throws InvalidStreamOptionError, UnknownOptionError or InvalidOptionsError
 *
 * @public
 */
export function boundedConcatMap<Event extends AnyEvent, Result>(
  project: (event: Event | EventGap, index: number) => ObservableInput<Result>,
  options: BoundedConcatMapOptions = {},
): (source: Observable<Event>) => Observable<Result> {
  refuseUnknownOptions('boundedConcatMap', options, ['buffer', 'overflow']);
  const { buffer = 1_000, overflow = 'drop' } = options;
  if (!Number.isSafeInteger(buffer) || buffer < 1) {
    throw new InvalidStreamOptionError('buffer', buffer, 'an integer of at least 1', 'Correct the value.');
  }
  if (!OVERFLOWS.includes(overflow)) {
    throw new InvalidStreamOptionError(
      'overflow',
      overflow,
      '"drop", "latest" or "error"',
      'Correct the value.',
    );
  }
  return (source) =>
    isEventReplay(source) ? pulled(source, project) : pushed(source, project, buffer, overflow);
}

function pulled<Event extends AnyEvent, Result>(
  source: EventReplay<Event>,
  project: (event: Event, index: number) => ObservableInput<Result>,
): Observable<Result> {
  return new Observable((subscriber) => {
    const events = source[Symbol.asyncIterator]();
    let index = 0;
    const takeNext = async (): Promise<void> => {
      try {
        const next = await events.next();
        if (subscriber.closed) {
          return;
        }
        if (next.done === true) {
          subscriber.complete();
          return;
        }
        forward(project(next.value, index++), subscriber, () => void takeNext());
      } catch (error) {
        subscriber.error(error);
      }
    };
    void takeNext();
    return () => void events.return?.();
  });
}

function pushed<Event extends AnyEvent, Result>(
  source: Observable<Event>,
  project: (event: Event | EventGap, index: number) => ObservableInput<Result>,
  buffer: number,
  overflow: 'drop' | 'latest' | 'error',
): Observable<Result> {
  return new Observable((subscriber) => {
    const ring = new Ring<Event | EventGap>();
    let lastTaken: string | undefined;
    let droppedAfter: string | undefined;
    let isBusy = false;
    let isTaking = false;
    let isComplete = false;
    let index = 0;

    const takeNext = (): void => {
      if (isTaking) {
        // The loop below goes on: events that are handled at once would fill the stack otherwise.
        return;
      }
      isTaking = true;
      while (!isBusy && !subscriber.closed) {
        const event = nextOf();
        if (event === undefined) {
          break;
        }
        isBusy = true;
        try {
          forward(project(event, index++), subscriber, () => {
            isBusy = false;
            takeNext();
          });
        } catch (error) {
          subscriber.error(error);
        }
      }
      isTaking = false;
      if (isComplete && !isBusy && ring.length === 0) {
        subscriber.complete();
      }
    };
    const nextOf = (): Event | EventGap | undefined => {
      const { first } = ring;
      if (first !== undefined && droppedAfter !== undefined) {
        const gap: EventGap = { type: 'gap', from: droppedAfter, to: idOf(first) };
        droppedAfter = undefined;
        return gap;
      }
      if (first !== undefined) {
        ring.shift();
        lastTaken = idOf(first);
      }
      return first;
    };
    const makeRoom = (): void => {
      if (overflow === 'error') {
        subscriber.error(new EventOverflowError(buffer));
      } else if (overflow === 'latest') {
        ring.clear();
      } else {
        ring.shift();
        droppedAfter ??= lastTaken;
      }
    };

    return source.subscribe({
      next: (event) => {
        if (ring.length === buffer) {
          makeRoom();
        }
        ring.push(event);
        takeNext();
      },
      error: (error) => subscriber.error(error),
      complete: () => {
        isComplete = true;
        takeNext();
      },
    });
  });
}

/** Passes on what an event was made into, and says when that has come to its end. */
function forward<Result>(
  input: ObservableInput<Result>,
  subscriber: Subscriber<Result>,
  onComplete: () => void,
): void {
  const inner: Subscription = from(input).subscribe({
    next: (value) => subscriber.next(value),
    error: (error) => subscriber.error(error),
    complete: () => {
      onComplete();
    },
  });
  if (!inner.closed) {
    subscriber.add(inner);
  }
}

function idOf(event: AnyEvent): string {
  return event.type === 'gap' ? event.to : event.id;
}
