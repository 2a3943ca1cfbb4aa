import { AsyncResource } from 'node:async_hooks';

import { Logger } from '@nestjs/common';
import { defaultIfEmpty, isObservable, Observable, Subscription, type Subscriber } from 'rxjs';

import type { Clock } from '../../contract/clock';
import type { JobContext } from '../context/job-context';
import type { Emissions } from '../decorators/process.decorator';
import { streamWithoutEnd } from '../messages/worker.messages';
import { pull, Stop } from './pulled-values';
import { StreamProgress } from './stream-progress';

/** Milliseconds after which a stream that nothing ends is told of. */
const LONG = 3_600_000;

/**
 * What the streams of a handler go by.
 *
 * @internal
 */
export interface StreamTerms {
  readonly emissions: Emissions;
  /** That of the worker. */
  readonly clock: Clock;
  /** Whether the handler or its worker limits the time of an attempt. */
  readonly isTimed: boolean;
  /** Such as `EmailProcessor.send`. */
  readonly label: string;
}

/**
 * Makes what a handler returns fit for its pipeline, which takes the last value of an Observable.
 *
 * An Observable or an asynchronous iterable becomes an Observable of all its values, so that interceptors see each of
 * them; without any, it has the value `undefined`. Values before the last one are written as progress. When the signal of the
 * job is aborted, the source is ended and the Observable fails with the reason.
 *
 * @internal
 */
export class HandlerStreams {
  #hasToldOfLong = false;

  constructor(private readonly terms: StreamTerms) {}

  /** The Observable of what a handler returned, or of what its promise came to; anything else is itself. */
  resultOf(returned: unknown, context: JobContext): unknown {
    if (isObservable(returned)) {
      return this.#streamOf(context, (subscriber, progress) =>
        subscribed(returned, subscriber, context.signal, progress),
      );
    }
    if (isAsyncIterable(returned)) {
      return this.#streamOf(context, (subscriber, progress) =>
        pulled(returned, subscriber, context.signal, progress, this.terms.clock),
      );
    }
    return returned;
  }

  #streamOf(
    context: JobContext,
    open: (subscriber: Subscriber<unknown>, progress: StreamProgress | undefined) => void,
  ): Observable<unknown> {
    // Subscribed to where the interceptors are, its code runs in the context in which the handler did.
    const openInContext = AsyncResource.bind(open);
    return new Observable((subscriber) => {
      const { emissions, clock } = this.terms;
      const progress = emissions === 'progress' ? new StreamProgress(context.job, clock) : undefined;
      subscriber.add(() => progress?.end());
      subscriber.add(this.#watchTime(context));
      openInContext(subscriber, progress);
    }).pipe(defaultIfEmpty(undefined));
  }

  /** Tells of the first stream that runs for long and has no time limit. */
  #watchTime({ job }: JobContext): (() => void) | undefined {
    const { isTimed, clock, label } = this.terms;
    if (isTimed || job.timeout !== undefined || this.#hasToldOfLong) {
      return undefined;
    }
    const tell = (): void => {
      if (!this.#hasToldOfLong) {
        this.#hasToldOfLong = true;
        new Logger('LaneModule').warn(streamWithoutEnd(label, job.queueName, job.id));
      }
    };
    return clock.setTimer(LONG, tell, false);
  }
}

function subscribed(
  source: Observable<unknown>,
  subscriber: Subscriber<unknown>,
  signal: AbortSignal,
  progress: StreamProgress | undefined,
): void {
  const subscription = new Subscription();
  const abort = (): void => subscriber.error(reasonOf(() => subscription.unsubscribe(), signal));
  if (!onAbort(signal, subscriber, abort)) {
    return;
  }
  subscriber.add(subscription);
  subscription.add(
    source.subscribe({
      next: (value) => {
        progress?.writeSoon(value);
        subscriber.next(value);
      },
      error: (error) => subscriber.error(error),
      complete: () => subscriber.complete(),
    }),
  );
}

function pulled(
  source: AsyncIterable<unknown>,
  subscriber: Subscriber<unknown>,
  signal: AbortSignal,
  progress: StreamProgress | undefined,
  clock: Clock,
): void {
  const stop = new Stop(() => signal.reason);
  onAbort(signal, subscriber, () => stop.now());
  // An interceptor may have enough before the end.
  subscriber.add(() => stop.now());
  const ended = pull(source, stop, clock, (value) => {
    subscriber.next(value);
    return subscriber.closed ? undefined : progress?.write(value);
  });
  ended.then(
    (result) => {
      if (result !== undefined) {
        subscriber.next(result);
      }
      subscriber.complete();
    },
    (error: unknown) => subscriber.error(error),
  );
}

/**
 * Calls back, in the context of the job, when the signal is aborted before the subscriber has its end.
 *
 * @returns whether that is still to come
 */
function onAbort(signal: AbortSignal, subscriber: Subscriber<unknown>, abort: () => void): boolean {
  if (signal.aborted) {
    abort();
    return false;
  }
  const listener = AsyncResource.bind(abort);
  signal.addEventListener('abort', listener, { once: true });
  subscriber.add(() => signal.removeEventListener('abort', listener));
  return true;
}

/** What is thrown in a listener of a signal ends the process, so what a teardown throws becomes the handler's error. */
function reasonOf(unsubscribe: () => void, signal: AbortSignal): unknown {
  try {
    unsubscribe();
  } catch (thrown) {
    return thrown;
  }
  return signal.reason;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] === 'function'
  );
}
