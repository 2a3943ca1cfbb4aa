import { setImmediate } from 'node:timers';

/**
 * Calls back in the next turn of the event loop. It is the platform's, taken once: fake timers of a test, which stand
 * still, are for what the test's own code waits for.
 *
 * @internal
 */
export const nextTurn: (callback: () => void) => void = setImmediate;
