import { describe, expect, it } from '@jest/globals';
import type { Queue } from 'bullmq-6';

import { Gate } from '../../support/gate';
import { waitUntil } from '../../support/wait-until';
import { majors, type Party } from './support/bullmq';
import {
  onCommonGround,
  type CommonGround,
  type CommonWorkerOptions,
  type Handler,
} from './support/common-ground';
import { guardSharedQueues } from './support/guard';
import { expectTwins } from './support/twins';

guardSharedQueues();

describe.each(majors)('a scheduler of BullMQ %i whose jobs we run', (major) => {
  type Start = (handler?: Handler, options?: CommonWorkerOptions) => void;

  function twins(
    scenario: (queue: Queue, start: Start, ground: CommonGround) => Promise<void>,
  ): ReturnType<typeof expectTwins> {
    return expectTwins<Party>({ theirs: major, mixed: 'ours' }, async (ground, worker) => {
      await scenario(
        ground.theirQueue(major, 'work'),
        (handler = () => undefined, options = {}) =>
          void ground.work(worker, 'work', handler, { name: 'w', ...options }),
        ground,
      );
    });
  }

  const untilCompleted = (ground: CommonGround, jobs: number): Promise<unknown> =>
    waitUntil(async () => (await ground.redis.zcard(ground.key('work', 'completed'))) >= jobs, {
      reason: `${jobs} iterations were done`,
      deadline: 8000,
    });

  const ids = (name: string, ...ranks: number[]): string[] => ranks.map((rank) => `repeat:${name}:#${rank}`);

  it.each([
    ['without a template', undefined],
    ['with data', { name: 'tick', data: { a: ['/', 1] } }],
    ['with options', { name: 'tick', data: 1, opts: { attempts: 3, priority: 4, removeOnFail: 10 } }],
  ])('goes on in its interval until its limit, %s', async (_, template) => {
    const left = await twins(async (queue, start, ground) => {
      await queue.upsertJobScheduler('s', { every: 60, limit: 4 }, template);
      start((job) => job.data);
      await untilCompleted(ground, 4);
      await ground.untilQuiet('work');
    });
    expect(left['q:work:completed']).toMatchObject({ content: ids('s', 1, 2, 3, 4) });
    expect(left['q:work:repeat:s']).toMatchObject({ content: { ic: '4', every: '60' } });
  });

  it('goes on by its pattern until its limit', async () => {
    const left = await twins(async (queue, start, ground) => {
      await queue.upsertJobScheduler(
        's',
        { pattern: '* * * * * *', limit: 2, tz: 'America/New_York' },
        { name: 'tick', data: { a: 1 }, opts: { attempts: 2 } },
      );
      start();
      await untilCompleted(ground, 2);
      await ground.untilQuiet('work');
    });
    expect(left['q:work:repeat:s']).toMatchObject({ content: { ic: '2', pattern: '* * * * * *' } });
  });

  it('plans the next iteration at the second that its pattern names', async () => {
    await onCommonGround(async (ground) => {
      const queue = ground.theirQueue(major, 'work');
      await queue.upsertJobScheduler('s', { pattern: '0 30 3 * * 1', tz: 'Asia/Tokyo' }, { name: 'weekly' });
      const [first] = await queue.getDelayed();
      await first!.promote();
      ground.work('ours', 'work', () => undefined);
      await untilCompleted(ground, 1);
      const [next, ...others] = await queue.getDelayed();
      expect(others).toEqual([]);
      const slot = (id: string): number => Number(id.split(':').at(-1));
      expect(slot(next!.id!) - slot(first!.id!)).toBe(7 * 24 * 3600 * 1000);
      expect((await queue.getJobScheduler('s'))!.next).toBe(slot(next!.id!));
      expect(next!.opts).toMatchObject({
        prevMillis: slot(next!.id!),
        repeat: { count: 2, tz: 'Asia/Tokyo' },
      });
      expect(next!.timestamp + next!.delay).toBe(slot(next!.id!));
    });
  });

  it('runs at once when its pattern is told to', async () => {
    await twins(async (queue, start, ground) => {
      await queue.upsertJobScheduler('s', { pattern: '0 0 1 1 *', immediately: true }, { name: 'yearly' });
      start();
      await untilCompleted(ground, 1);
      await waitUntil(() => ground.redis.zcard(ground.key('work', 'delayed')), {
        reason: 'the next is planned',
      });
    });
  });

  it('keeps to its start', async () => {
    await twins(async (queue, start, ground) => {
      await queue.upsertJobScheduler(
        's',
        { every: 50, limit: 2, startDate: Date.now() + 150 },
        { name: 'tick' },
      );
      start();
      await untilCompleted(ground, 2);
      await ground.untilQuiet('work');
    });
  });

  it('ends at its end', async () => {
    await onCommonGround(async (ground) => {
      const queue = ground.theirQueue(major, 'work');
      const endDate = Date.now() + 500;
      await queue.upsertJobScheduler('s', { every: 100, endDate }, { name: 'tick' });
      ground.work('ours', 'work', () => undefined);
      await waitUntil(() => Date.now() > endDate, { reason: 'its end has come' });
      await ground.untilQuiet('work');
      const slots = (await ground.redis.zrange(ground.key('work', 'completed'), '0', '-1')).map((id) =>
        Number(id.split(':').at(-1)),
      );
      expect(slots.length).toBeGreaterThan(1);
      // The last one may have been planned right before the end.
      expect(Math.max(...slots)).toBeLessThanOrEqual(endDate + 100);
      expect(await queue.getJobSchedulersCount()).toBe(1);
    });
  });

  it('plans before it runs, and once', async () => {
    await twins(async (queue, start, ground) => {
      await queue.upsertJobScheduler('s', { every: 3_600_000 }, { name: 'hourly', opts: { attempts: 3 } });
      const planned: number[] = [];
      start(async (job) => {
        planned.push(await ground.redis.zcard(ground.key('work', 'delayed')));
        if (job.attemptsMade < 2) {
          throw new Error('again');
        }
      });
      await untilCompleted(ground, 1);
      expect(planned).toEqual([1, 1, 1]);
    });
  });

  it('goes on when an iteration fails for good', async () => {
    const left = await twins(async (queue, start, ground) => {
      await queue.upsertJobScheduler(
        's',
        { every: 60, limit: 3 },
        { name: 'tick', opts: { removeOnFail: true } },
      );
      let runs = 0;
      start(() => {
        runs += 1;
        if (runs < 3) {
          throw new Error('broken');
        }
      });
      await untilCompleted(ground, 1);
      await ground.untilQuiet('work');
    });
    expect(left['q:work:completed']).toMatchObject({ content: [expect.stringMatching(/^repeat:s:/)] });
  });

  it('ends when it is removed while an iteration runs', async () => {
    const left = await twins(async (queue, start, ground) => {
      await queue.upsertJobScheduler('s', { every: 60 }, { name: 'tick' });
      const gate = new Gate();
      start((job) => gate.enter(job as never));
      await waitUntil(() => gate.running === 1, { reason: 'an iteration runs' });
      await queue.removeJobScheduler('s');
      gate.open();
      await ground.untilQuiet('work');
    });
    expect(left['q:work:repeat']).toBeUndefined();
    expect((left['q:work:completed'] as { content: string[] }).content).toHaveLength(1);
  });

  it('plans nothing when it was removed before its iteration is taken', async () => {
    await twins(async (queue, start, ground) => {
      await queue.upsertJobScheduler('s', { every: 60 }, { name: 'tick' });
      await queue.removeJobScheduler('s');
      start();
      await ground.untilQuiet('work');
    });
  });

  it('may be changed while an iteration runs', async () => {
    const left = await twins(async (queue, start, ground) => {
      await queue.upsertJobScheduler('s', { every: 3000 }, { name: 'tick', data: { version: 1 } });
      const gate = new Gate();
      start(async (job) => {
        await gate.enter(job as never);
        return job.data;
      });
      await waitUntil(() => gate.running === 1, { reason: 'an iteration runs' });
      await queue.upsertJobScheduler('s', { every: 100, limit: 3 }, { name: 'tock', data: { version: 2 } });
      gate.open();
      await untilCompleted(ground, 3);
      await ground.untilQuiet('work');
    });
    expect(left['q:work:repeat:s']).toMatchObject({ content: { name: 'tock' } });
  });

  it('gives each slot one run when all of us work it', async () => {
    await onCommonGround(async (ground) => {
      const queue = ground.theirQueue(major, 'work');
      const runs: string[] = [];
      for (const party of ['ours', major, 'ours'] as Party[]) {
        ground.work(party, 'work', (job) => void runs.push(job.id!));
      }
      await Promise.all(
        ['a', 'b', 'a:b:c:d:e:f'].map((id) =>
          queue.upsertJobScheduler(id, { every: 20, limit: 15 }, { name: 'tick' }),
        ),
      );
      await waitUntil(() => runs.length === 45, { reason: 'all iterations ran' });
      await ground.untilQuiet('work');
      expect(new Set(runs).size).toBe(45);
      expect(await queue.getJobSchedulersCount()).toBe(3);
      for (const id of ['a', 'b', 'a:b:c:d:e:f']) {
        const own = runs.filter((run) => run.slice(0, run.lastIndexOf(':')) === `repeat:${id}`);
        const slots = own.map((run) => Number(run.split(':').at(-1)));
        expect(new Set(slots).size).toBe(15);
      }
    });
  });

  it('goes on from an iteration that was taken but never planned further', async () => {
    const left = await twins(async (queue, start, ground) => {
      await queue.upsertJobScheduler('s', { every: 400, limit: 2 }, { name: 'tick' });
      // A worker that dies between taking the job and planning the next leaves just this.
      await ground.redis.lmove(ground.key('work', 'wait'), ground.key('work', 'active'), 'RIGHT', 'LEFT');
      start(undefined, { stalledInterval: 50 });
      await untilCompleted(ground, 2);
      await ground.untilQuiet('work');
    });
    expect(left['q:work:completed']).toMatchObject({ content: ids('s', 1, 2) });
  });

  it('skips the slots that passed while nobody worked', async () => {
    await onCommonGround(async (ground) => {
      const queue = ground.theirQueue(major, 'work');
      await queue.upsertJobScheduler('s', { every: 50, limit: 3 }, { name: 'tick' });
      const begun = Date.now();
      await waitUntil(() => Date.now() > begun + 220, { reason: 'several slots passed' });
      const runs: number[] = [];
      ground.work('ours', 'work', (job) => void runs.push(Number(job.id!.split(':').at(-1))));
      await waitUntil(() => runs.length === 3, { reason: 'three ran' });
      await ground.untilQuiet('work');
      expect(runs[1]! - runs[0]!).toBeGreaterThanOrEqual(200);
      expect((runs[2]! - runs[1]!) % 50).toBe(0);
    });
  });
});
