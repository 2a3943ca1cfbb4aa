import { describe, expect, it } from '@jest/globals';

import { memory } from '../../../../lib/backends/memory/memory-backend';
import { QueueEvents } from '../../../../lib/engine/events/queue-events';
import { Queue } from '../../../../lib/engine/queue';
import { FailingBackend } from '../../../support/failing-backend';
import { guardAgainstLeaks } from '../../../support/leak-guard';
import { waitUntil } from '../../../support/wait-until';

guardAgainstLeaks();

describe('waitUntilReady of a listener', () => {
  it('resolves although it was told not to start by itself', async () => {
    const events = new QueueEvents('email', { backend: memory(), autorun: false });
    await events.waitUntilReady();
    await events.close();
  });

  it('waits until the place in the log is known from which it reads', async () => {
    const backend = new FailingBackend(memory());
    backend.plan('lastEventId', 'hold');
    const events = new QueueEvents('email', { backend });
    let isReady = false;
    const ready = events.waitUntilReady().then(() => (isReady = true));
    await waitUntil(() => backend.heldCalls === 1, { reason: 'the listener asks for its place' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isReady).toBe(false);
    backend.release();
    await ready;
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

describe('a listener', () => {
  it('hears everything of ten thousand adds of one tick', async () => {
    const backend = memory();
    const queue = new Queue('email', { backend });
    const events = new QueueEvents('email', { backend });
    await events.waitUntilReady();
    const heard: string[] = [];
    events.on('added', ({ jobId }) => heard.push(jobId));

    const jobs = await queue.addBulk(Array.from({ length: 10_000 }, () => ({ name: 'send', data: {} })));
    const last = jobs.at(-1)!.id;
    await waitUntil(() => heard.at(-1) === last, { reason: 'the last one is heard of' });

    expect(heard).toEqual(jobs.map((job) => job.id));
    await events.close();
    await queue.close();
  });
});
