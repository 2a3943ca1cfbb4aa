import type { Clock } from '../../contract/clock';

/**
 * Waits for a time, or until the signal is aborted.
 *
 * @returns `true` when the time has passed, `false` when the signal came first
 *
 * @internal
 */
export function wait(clock: Clock, millis: number, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve(false);
      return;
    }
    const onAbort = (): void => {
      cancel();
      resolve(false);
    };
    const cancel = clock.setTimer(millis, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve(true);
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/**
 * The same time, with timers that keep no process alive: for what has no need to end if nothing else is left.
 *
 * @internal
 */
export function withoutKeepingAlive(clock: Clock): Clock {
  return {
    now: () => clock.now(),
    setTimer: (millis, callback) => clock.setTimer(millis, callback, false),
  };
}

/**
 * Waits for a promise, at most for a time.
 *
 * @param millis - the bound; `Infinity` waits for ever
 * @param cutOff - ends the time early
 * @returns whether the promise ended in time, well or badly
 *
 * @internal
 */
export async function endsWithin(
  clock: Clock,
  promise: Promise<unknown>,
  millis: number,
  cutOff?: AbortSignal,
): Promise<boolean> {
  const ended = promise.then(
    () => true,
    () => true,
  );
  if (millis === Infinity && cutOff === undefined) {
    return ended;
  }
  const overTime = new AbortController();
  const endTime = (): void => overTime.abort();
  cutOff?.addEventListener('abort', endTime);
  if (cutOff?.aborted === true) {
    endTime();
  }
  const time = millis === Infinity ? aborted(overTime.signal) : wait(clock, millis, overTime.signal);
  const result = await Promise.race([ended, time.then(() => false)]);
  cutOff?.removeEventListener('abort', endTime);
  endTime();
  return result;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
    }
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/**
 * Waits for a promise until the signal is aborted, for what cannot be ended by the signal itself.
 *
 * @throws the signal's reason when it comes first
 *
 * @internal
 */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) {
      onAbort();
    }
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
