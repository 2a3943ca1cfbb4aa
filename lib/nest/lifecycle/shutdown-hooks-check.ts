import type { Logger } from '@nestjs/common';

import { warningOf } from '../errors/config-problem';
import { noShutdownHooks } from '../messages/worker.messages';

/** Milliseconds in which `main.ts` has done what it does once the application is there. */
const SETTLED_AFTER = 2_000;

/**
 * Warns when nobody in the process listens to the signal by which it is told to end: it then ends with jobs in its hands.
 *
 * @returns calls it off
 *
 * @internal
 */
export function checkShutdownHooks(logger: Logger): () => void {
  const timer = setTimeout(() => {
    if (process.listenerCount('SIGTERM') === 0) {
      logger.warn(warningOf(noShutdownHooks()));
    }
  }, SETTLED_AFTER).unref();
  return () => clearTimeout(timer);
}
