import { describe, expect, it } from '@jest/globals';
import { Queue, QueueEvents } from 'nestjs-lane';
import type { StoredEvent } from 'nestjs-lane/contract';
import { memory } from 'nestjs-lane/memory';

import { EventPageSize } from '../../../../lib/engine/events/event-page-size';
import { AlteredBackend } from '../../../support/altered-backend';
import { guardAgainstLeaks } from '../../../support/leak-guard';
import { waitUntil } from '../../../support/wait-until';

guardAgainstLeaks();

function pageOf(count: number, fields: Partial<StoredEvent> = {}): StoredEvent[] {
  return Array.from({ length: count }, (_, index) => ({ id: `${index}-0`, event: 'completed', ...fields }));
}

describe('the size of a page of events', () => {
  it('is a thousand, and grows to the length of a log while pages are full', () => {
    const size = new EventPageSize();
    const limits = [size.limit];
    for (let page = 0; page < 5; page += 1) {
      size.adaptTo(pageOf(size.limit));
      limits.push(size.limit);
    }
    expect(limits).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);

    size.adaptTo(pageOf(9_999));
    expect(size.limit).toBe(1_000);
  });

  it.each<[string, Partial<StoredEvent>]>([
    ['results', { returnvalue: 'x'.repeat(20_000) }],
    ['progress', { data: 'x'.repeat(20_000) }],
    ['reasons', { failedReason: 'x'.repeat(20_000) }],
    ['events of an application', { fields: [['address', 'x'.repeat(19_993)]] }],
  ])('shrinks while %s are large, and grows again step by step', (_, large) => {
    const size = new EventPageSize();
    size.adaptTo(pageOf(1_000, large));
    expect(size.limit).toBe(200);

    // A page that is not full says nothing of those that will be.
    size.adaptTo(pageOf(10));
    expect(size.limit).toBe(200);

    size.adaptTo(pageOf(200));
    expect(size.limit).toBe(400);
  });

  it('does not shrink to nothing', () => {
    const size = new EventPageSize();
    size.adaptTo(pageOf(1_000, { data: 'x'.repeat(1_000_000) }));
    expect(size.limit).toBe(100);
  });
});

it('a listener that is behind asks for a thousand events first', async () => {
  const store = memory();
  const queue = new Queue('email', { backend: store });
  await queue.addBulk(Array.from({ length: 1_500 }, () => ({ name: 'send', data: {} })));
  const limits: number[] = [];
  const backend = new AlteredBackend(store);
  backend.alter('readEvents', (read) => (request) => {
    limits.push(request.limit);
    return read(request);
  });
  const heard: string[] = [];
  const events = new QueueEvents('email', { backend, lastEventId: '0-0' });
  events.on('added', ({ jobId }) => heard.push(jobId));

  await waitUntil(() => heard.length === 1_500, { reason: 'all adds are heard of' });

  expect(limits.slice(0, 2)).toEqual([1_000, 2_000]);
  await events.close();
  await queue.close();
});
