import { describe, expect, it } from '@jest/globals';
import { ConnectionLostError } from 'nestjs-lane/contract';

import { memory } from '../../../lib/backends/memory/memory-backend';
import { QueueEvents } from '../../../lib/engine/events/queue-events';
import { Worker } from '../../../lib/engine/worker/worker';
import { AlteredBackend } from '../../support/altered-backend';
import { guardAgainstLeaks } from '../../support/leak-guard';
import { ManualClock } from '../../support/manual-clock';
import { waitUntil } from '../../support/wait-until';

guardAgainstLeaks();

describe('a listener', () => {
  it.each([
    [undefined, 10_000],
    ['2s', 2_000],
    [300, 300],
  ] as const)(
    'with the blockingTimeout %p waits for events %p ms at a time',
    async (blockingTimeout, millis) => {
      const backend = new AlteredBackend(memory());
      const blocks: number[] = [];
      backend.alter('readEvents', (read) => (request) => {
        blocks.push(request.block);
        return read(request);
      });
      const events = new QueueEvents('email', { backend, ...(blockingTimeout && { blockingTimeout }) });
      await waitUntil(() => blocks.length > 0, { reason: 'it waits' });

      expect(blocks).toEqual([millis]);
      await events.close();
    },
  );
});

describe('a worker whose store is away', () => {
  it('tries again after pauses that begin short and double, up to runRetryDelay', async () => {
    const clock = new ManualClock();
    const backend = new AlteredBackend(memory({ clock }));
    const tries: number[] = [];
    backend.alter('claimJobs', () => () => {
      tries.push(clock.now());
      return Promise.reject(new ConnectionLostError('the store', false));
    });
    const worker = new Worker('email', () => undefined, { backend, clock, runRetryDelay: 400 });
    worker.on('error', () => undefined);
    await waitUntil(() => tries.length > 0, { reason: 'it claims' });
    await clock.advance(1_600);

    const pauses = tries.slice(1).map((time, index) => time - tries[index]!);
    expect(pauses).toEqual([50, 100, 200, 400, 400, 400]);
    await worker.close();
  });
});
