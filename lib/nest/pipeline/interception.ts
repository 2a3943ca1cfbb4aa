import { AsyncResource } from 'node:async_hooks';

import type { ExecutionContext, NestInterceptor } from '@nestjs/common';
import { defer, from, isObservable, mergeAll, Observable, type ObservableInput } from 'rxjs';

import { isThenable } from '../../model/thenable';

/**
 * What interceptors make of a handler, to Nest's meaning:
 *
 * - nothing is called before somebody subscribes, and everything further in is called again for who subscribes again, as
 *   `retry` does
 * - what is further in is called in the asynchronous context in which `handle()` was, as interceptors count on that run
 *   it in an `AsyncLocalStorage` of theirs
 * - an interceptor may give a promise of its Observable
 *
 * @param handle - calls the handler; an Observable that it gives is followed, any other value is the only one
 *
 * @internal
 */
export function intercepted(
  interceptors: readonly NestInterceptor[],
  host: ExecutionContext,
  handle: () => unknown,
): Observable<unknown> {
  const open = (place: number): ObservableInput<unknown> => {
    const interceptor = interceptors[place];
    return interceptor === undefined
      ? valuesOf(handle())
      : followed(interceptor.intercept(host, { handle: () => inThisContext(() => open(place + 1)) }));
  };
  return defer(() => open(0));
}

function inThisContext(open: () => ObservableInput<unknown>): Observable<unknown> {
  const context = new AsyncResource('LaneInterceptor');
  return defer(() => context.runInAsyncScope(open));
}

function followed(given: Observable<unknown> | Promise<Observable<unknown>>): ObservableInput<unknown> {
  return isThenable(given) ? from(given).pipe(mergeAll()) : given;
}

/** Its values come in a later turn, whether the handler waits for anything or not. */
function valuesOf(result: unknown): Observable<unknown> {
  return new Observable((subscriber) => {
    Promise.resolve(result).then(
      (value) => {
        if (isObservable(value)) {
          // A source that nobody waits for any more is not begun.
          if (!subscriber.closed) {
            subscriber.add(value.subscribe(subscriber));
          }
          return;
        }
        subscriber.next(value);
        subscriber.complete();
      },
      (error: unknown) => subscriber.error(error),
    );
  });
}
