import { defaultIfEmpty, isObservable, Observable, Subscription } from 'rxjs';

import type { JobContext } from '../context/job-context';

/**
 * Makes what a handler returned fit for Nest's external context, which takes the last value of an Observable and
 * does not bear an empty one: empty gives `undefined`, and an aborted signal unsubscribes.
 *
 * @internal
 */
export function bounded(returned: unknown, context: JobContext): unknown {
  if (isObservable(returned)) {
    return untilAborted(returned, context).pipe(defaultIfEmpty(undefined));
  }
  return isThenable(returned) ? Promise.resolve(returned).then((value) => bounded(value, context)) : returned;
}

function untilAborted(source: Observable<unknown>, { signal }: JobContext): Observable<unknown> {
  return new Observable((subscriber) => {
    const subscription = new Subscription();
    const abort = (): void => subscriber.error(reasonOf(() => subscription.unsubscribe(), signal));
    if (signal.aborted) {
      abort();
      return;
    }
    signal.addEventListener('abort', abort, { once: true });
    subscriber.add(() => signal.removeEventListener('abort', abort));
    subscriber.add(subscription);
    subscription.add(
      source.subscribe({
        next: (value) => subscriber.next(value),
        error: (error) => subscriber.error(error),
        complete: () => subscriber.complete(),
      }),
    );
  });
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

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  );
}
