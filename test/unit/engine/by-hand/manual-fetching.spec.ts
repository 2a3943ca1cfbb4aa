import { describe, expect, it } from '@jest/globals';

import { ManualFetching } from '../../../../lib/engine/by-hand/manual-fetching';
import type { JobGateway } from '../../../../lib/engine/job-gateway';
import { guardAgainstLeaks } from '../../../support/leak-guard';
import { ManualClock, turnOfTheEventLoop } from '../../../support/manual-clock';

guardAgainstLeaks();

describe('fetching by hand', () => {
  it('begins no wait when the worker is paused or closed while the store is being reached', async () => {
    let reach: (open: unknown) => void = () => undefined;
    let waits = 0;
    const backend = { waitForWork: () => Promise.resolve((waits += 1) > 0) };
    const jobs = {
      fetcher: { fetch: () => Promise.resolve({ job: undefined, idle: null }), limited: {} },
      use: () => new Promise((resolve) => (reach = resolve)),
    } as unknown as JobGateway;
    let mayWait = true;
    const fetching = new ManualFetching(jobs, new ManualClock(), 5_000, () => mayWait);
    const next = fetching.next('token', true);
    await turnOfTheEventLoop();

    mayWait = false;
    fetching.endWaits();
    reach({ backend });

    expect(await next).toBeUndefined();
    expect(waits).toBe(0);
  });
});
