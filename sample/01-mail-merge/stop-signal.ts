import { constants } from 'node:os';

/** Signals within so many milliseconds are one Ctrl-C: npm passes on to us what the terminal has sent us already. */
const ONE_KEY_PRESS = 300;

/**
 * Calls back once when the process is asked to stop, with the exit code for it. Asked a second time it ends at once.
 */
export function onStopSignal(stop: (exitCode: number) => void): void {
  let first: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      const exitCode = 128 + constants.signals[signal];
      if (first === undefined) {
        first = performance.now();
        stop(exitCode);
      } else if (performance.now() - first > ONE_KEY_PRESS) {
        process.exit(exitCode);
      }
    });
  }
}
