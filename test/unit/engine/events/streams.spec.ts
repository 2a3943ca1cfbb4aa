import { describe, expect, it } from '@jest/globals';

import { memory } from '../../../../lib/backends/memory/memory-backend';
import { QueueEvents } from '../../../../lib/engine/events/queue-events';
import { boundedConcatMap } from '../../../../lib/engine/events/bounded-concat-map';
import { Queue } from '../../../../lib/engine/queue';
import { AlteredBackend } from '../../../support/altered-backend';
import { FailingBackend } from '../../../support/failing-backend';
import { guardAgainstLeaks } from '../../../support/leak-guard';
import { ManualClock, turnOfTheEventLoop } from '../../../support/manual-clock';
import { waitUntil } from '../../../support/wait-until';

guardAgainstLeaks();

describe('queue.events$', () => {
  it('is read once for all subscribers, and for two seconds after the last one', async () => {
    const clock = new ManualClock();
    const backend = new FailingBackend(memory({ clock }));
    const queue = new Queue('email', { backend, clock });
    await queue.waitUntilReady();
    expect(backend.openHandles).toBe(1);
    const first = queue.events$.subscribe();
    const second = queue.events$.subscribe();
    await clock.advance(1);
    expect(backend.openHandles).toBe(2);
    first.unsubscribe();
    second.unsubscribe();
    await clock.advance(1_999);
    const third = queue.events$.subscribe();
    await clock.advance(10_000);
    expect(backend.openHandles).toBe(2);
    third.unsubscribe();
    await clock.advance(2_000);
    await turnOfTheEventLoop();
    expect(backend.openHandles).toBe(1);
    await queue.close();
  });
});

describe('a replay', () => {
  it('reads no page before the last one was taken', async () => {
    const backend = new AlteredBackend(memory());
    const pages: string[] = [];
    backend.alter('readEvents', (read) => (request) => {
      pages.push(request.after);
      return read(request);
    });
    const queue = new Queue('email', { backend });
    await queue.addBulk(Array.from({ length: 500 }, () => ({ name: 'send', data: {} })));
    let next = (): void => undefined;
    let taken = 0;
    queue
      .events('start')
      .pipe(
        boundedConcatMap(() => {
          taken += 1;
          return taken % 100 === 50 ? new Promise<void>((resolve) => (next = resolve)) : Promise.resolve();
        }),
      )
      .subscribe();
    for (let page = 1; page <= 3; page += 1) {
      await waitUntil(() => taken === page * 100 - 50, { reason: `page ${page} is being taken` });
      await turnOfTheEventLoop();
      expect(pages).toHaveLength(page);
      next();
    }
    await queue.close();
  });

  it('goes on when the store was away, and tells of it', async () => {
    const clock = new ManualClock();
    const backend = new FailingBackend(memory({ clock }));
    const queue = new Queue('email', { backend, clock });
    const errors: Error[] = [];
    queue.on('error', (error) => errors.push(error));
    await queue.add('send', {});
    backend.plan('readEvents', 'lose-request');
    const seen: string[] = [];
    queue.events('start').subscribe((event) => seen.push(event.type));
    await turnOfTheEventLoop();
    expect(seen).toEqual([]);
    await clock.advance(1_000);
    await waitUntil(() => seen.length === 2, { reason: 'it goes on' });
    expect(errors).toHaveLength(1);
    await queue.close();
  });
});

describe('who waits for a job', () => {
  it('is one of any number that share one reader and one look', async () => {
    const backend = new AlteredBackend(memory());
    const looks: number[] = [];
    backend.alter('getJobs', (get) => (ids) => {
      looks.push(ids.length);
      return get(ids);
    });
    const queue = new Queue('email', { backend });
    const jobs = await queue.addBulk(Array.from({ length: 1_500 }, () => ({ name: 'send', data: {} })));
    const waits = Promise.allSettled(jobs.map((job) => job.finished()));
    await waitUntil(() => looks.length === 2, { reason: 'all are looked at' });
    expect(looks).toEqual([1_000, 500]);
    await queue.close();
    expect((await waits).every(({ status }) => status === 'rejected')).toBe(true);
  });

  it('looks again when the first look failed, and leaves nothing behind', async () => {
    const clock = new ManualClock();
    const backend = new FailingBackend(memory({ clock }));
    const queue = new Queue('email', { backend, clock });
    const job = await queue.add('send', {});
    await queue.remove(job.id);
    backend.plan('getJobs', 'lose-request');
    const waiting = job.finished().catch((error: unknown) => error);
    await turnOfTheEventLoop();
    await clock.advance(1_000);
    expect(await waiting).toMatchObject({ code: 'LANE_JOB_REMOVED' });
    await clock.advance(5_000);
    expect(clock.pendingTimers).toBe(0);
    await queue.close();
  });

  it('is refused the listener of another queue', async () => {
    const backend = memory();
    const queue = new Queue('email', { backend });
    const events = new QueueEvents('other', { backend });
    const job = await queue.add('send', {});
    await expect(job.waitUntilFinished(events)).rejects.toMatchObject({ code: 'LANE_BAD_QUEUE_EVENTS' });
    await Promise.all([events.close(), queue.close()]);
  });
});
