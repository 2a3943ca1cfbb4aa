import { clearTimeout, setImmediate, setTimeout } from 'node:timers';

// Taken when the kit is loaded, so that fake timers which a test installs later leave it alone.
const platform = { clearTimeout, setImmediate, setTimeout, now: Date.now.bind(Date) };

/** Milliseconds since 1970 by the machine, whatever the test has made of `Date`. @internal */
export function realTime(): number {
  return platform.now();
}

/** Lets the event loop go round once. @internal */
export function turnOfTheEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    platform.setImmediate(() => resolve());
  });
}

/** Waits in real time. @internal */
export function realWait(millis: number): Promise<void> {
  return new Promise((resolve) => {
    platform.setTimeout(resolve, millis);
  });
}

/**
 * Calls back in real time.
 *
 * @returns takes it back
 *
 * @internal
 */
export function realTimer(millis: number, callback: () => void, keepAlive: boolean): () => void {
  const timer = platform.setTimeout(callback, Math.min(Math.max(1, Math.ceil(millis)), 2_147_483_647));
  if (!keepAlive) {
    timer.unref();
  }
  return () => platform.clearTimeout(timer);
}
