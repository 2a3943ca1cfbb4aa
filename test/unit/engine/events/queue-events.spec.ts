import { describe, expect, it } from '@jest/globals';

import { memory } from '../../../../lib/backends/memory/memory-backend';
import { QueueEvents } from '../../../../lib/engine/events/queue-events';
import { Queue } from '../../../../lib/engine/queue';
import { guardAgainstLeaks } from '../../../support/leak-guard';

guardAgainstLeaks();

describe('waitUntilReady of a listener', () => {
  it('resolves although it was told not to start by itself', async () => {
    const events = new QueueEvents('email', { backend: memory(), autorun: false });
    await events.waitUntilReady();
    await events.close();
  });

  it('comes before the first event that is sure to be delivered', async () => {
    const backend = memory();
    const queue = new Queue('email', { backend });
    const events = new QueueEvents('email', { backend });
    const seen: string[] = [];
    events.on('added', ({ jobId }) => seen.push(jobId));
    await queue.add('send', {});
    await events.waitUntilReady();
    const delivered = new Promise<string>((resolve) =>
      events.once('added:mine', ({ jobId }) => resolve(jobId)),
    );
    await queue.add('send', {}, { jobId: 'mine' });
    expect(await delivered).toBe('mine');
    expect(seen.at(-1)).toBe('mine');
    await events.close();
    await queue.close();
  });
});
