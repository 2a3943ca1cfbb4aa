import { jest } from '@jest/globals';

import { guardAgainstLeaks } from '../../../support/leak-guard';

/** What every spec of shared queues begins with. */
export function guardSharedQueues(): void {
  // Two sides on one machine, which other specs work as well.
  jest.setTimeout(30_000);
  // What BullMQ 5 breaks off closes by itself within two seconds.
  guardAgainstLeaks({ grace: 3000 });
}
