import { describe, expect, it } from '@jest/globals';
import type { Queue } from 'bullmq-6';

import { waitUntil } from '../../support/wait-until';
import { majors, type Party } from './support/bullmq';
import { onCommonGround, type CommonGround, type Handler } from './support/common-ground';
import { guardSharedQueues } from './support/guard';
import { expectTwins, placeOf } from './support/twins';

guardSharedQueues();

/** What people do with a dashboard. */
describe.each(majors)('with a queue of BullMQ %i, on jobs that we add and run,', (major) => {
  /** `act` finds jobs that ran, and jobs that wait with nobody to run them. */
  function twins(
    act: (queue: Queue, ground: CommonGround, start: () => void) => Promise<unknown>,
    handler: Handler = (job) => {
      if (job.name === 'broken') {
        throw new Error('broken');
      }
    },
  ): ReturnType<typeof expectTwins> {
    return expectTwins<Party>({ theirs: major, mixed: 'ours' }, async (ground, party) => {
      const producer = ground.producer(party, 'work');
      for (const name of ['fine-1', 'fine-2', 'broken']) {
        await producer.add(name.split('-')[0]!, {}, { jobId: name, attempts: 2 });
      }
      const start = (): void => void ground.work(party, 'work', handler, { name: 'w' });
      start();
      await ground.untilQuiet('work');
      await ground.stopWorkers();
      await producer.add('waits', {}, { jobId: 'first' });
      await producer.add('waits', {}, { jobId: 'second' });
      await producer.add('waits', {}, { jobId: 'important', priority: 4 });
      await producer.add('waits', {}, { jobId: 'late', delay: 60_000 });
      await act(ground.theirQueue(major, 'work'), ground, start);
    });
  }

  const job = async (queue: Queue, id: string): Promise<NonNullable<Awaited<ReturnType<Queue['getJob']>>>> =>
    (await queue.getJob(id))!;

  it('retries a job that failed', async () => {
    const left = await twins(async (queue, ground, start) => {
      await (await job(queue, 'broken')).retry('failed', { resetAttemptsMade: true });
      await (await job(queue, 'late')).remove();
      start();
      await ground.untilQuiet('work');
    });
    expect(left['q:work:broken']).toMatchObject({ content: { atm: '2', ats: '4' } });
  });

  it('retries a job that completed', async () => {
    const left = await twins(async (queue, ground, start) => {
      await (await job(queue, 'fine-1')).retry('completed');
      await (await job(queue, 'late')).remove();
      start();
      await ground.untilQuiet('work');
    });
    expect(placeOf(left, 'work', 'fine-1')).toBe('completed');
  });

  it('retries and promotes all there are', async () => {
    await twins(async (queue, ground, start) => {
      await queue.retryJobs({ state: 'failed' });
      await queue.promoteJobs();
      start();
      await ground.untilQuiet('work');
    });
  });

  it('promotes a job that is held back', async () => {
    await twins(async (queue, ground, start) => {
      await (await job(queue, 'late')).promote();
      start();
      await ground.untilQuiet('work');
    });
  });

  it('changes priorities and delays', async () => {
    await twins(async (queue, ground, start) => {
      await (await job(queue, 'first')).changePriority({ priority: 9 });
      await (await job(queue, 'important')).changePriority({ priority: 0 });
      await (await job(queue, 'late')).changeDelay(10);
      start();
      await ground.untilQuiet('work');
    });
  });

  it('changes payloads, progress and logs', async () => {
    const left = await twins(
      async (queue, ground, start) => {
        await (await job(queue, 'late')).remove();
        await (await job(queue, 'first')).updateData({ changed: true });
        await (await job(queue, 'first')).updateProgress(10);
        await (await job(queue, 'first')).log('looked at');
        start();
        await ground.untilQuiet('work');
      },
      (taken) => taken.data,
    );
    expect(left['q:work:first']).toMatchObject({ content: { returnvalue: { changed: true }, progress: 10 } });
    expect(left['q:work:first:logs']).toMatchObject({ content: 1 });
  });

  it('removes jobs wherever they are', async () => {
    const left = await twins(async (queue) => {
      for (const id of ['fine-1', 'broken', 'first', 'important', 'late']) {
        await queue.remove(id);
      }
    });
    expect(left['q:work:wait']).toMatchObject({ content: ['second'] });
  });

  it('cleans finished jobs, and drains those that wait', async () => {
    const left = await twins(async (queue) => {
      const done = Date.now();
      await waitUntil(() => Date.now() > done, { reason: 'all have ended in the past' });
      expect((await queue.clean(0, 100, 'completed')).sort()).toEqual(['fine-1', 'fine-2']);
      expect(await queue.clean(0, 100, 'failed')).toEqual(['broken']);
      await queue.drain(true);
    });
    expect(
      Object.keys(left).filter((key) => /:(?:fine|broken|first|second|important|late)/.test(key)),
    ).toEqual([]);
  });

  it('obliterates a queue: nothing of ours stays for longer than it lives by itself', async () => {
    await onCommonGround(async (ground) => {
      const ours = ground.ourQueue('work');
      ground.work('ours', 'work', () => undefined, { removeOnComplete: { count: 1 } });
      await ours.addBulk(Array.from({ length: 20 }, (_, n) => ({ name: 'job', data: { n } })));
      await ground.untilQuiet('work');
      await ground.stopWorkers();
      await ground.theirQueue(major, 'work').obliterate({ force: true });
      const left = await ground.keys();
      expect(left.filter((key) => !key.startsWith(ground.key('work', 'ln:')))).toEqual([]);
      for (const key of left) {
        expect(await ground.redis.pttl(key)).toBeGreaterThan(0);
      }
      // And the queue can be used on.
      ground.work('ours', 'work', () => undefined);
      await ours.add('job', {});
      await waitUntil(async () => (await ours.getJobCounts('completed')).completed === 1, {
        reason: 'it ran',
      });
    });
  });
});
