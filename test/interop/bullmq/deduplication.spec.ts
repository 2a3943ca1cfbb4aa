import { describe, expect, it } from '@jest/globals';
import type { DeduplicationOptions, Queue } from 'bullmq-6';

import { Gate } from '../../support/gate';
import { waitUntil } from '../../support/wait-until';
import { majors, type Party } from './support/bullmq';
import type { CommonGround, Handler, TakenJob } from './support/common-ground';
import { guardSharedQueues } from './support/guard';
import { expectTwins } from './support/twins';

guardSharedQueues();

describe.each(majors)('deduplicated jobs of BullMQ %i that we run', (major) => {
  function twins(
    scenario: (queue: Queue, start: (handler?: Handler) => void, ground: CommonGround) => Promise<void>,
  ): ReturnType<typeof expectTwins> {
    return expectTwins<Party>({ theirs: major, mixed: 'ours' }, async (ground, worker) => {
      const start = (handler: Handler = () => undefined): void =>
        void ground.work(worker, 'work', handler, { name: 'w' });
      await scenario(ground.theirQueue(major, 'work'), start, ground);
      await ground.untilQuiet('work');
    });
  }

  const add = async (
    queue: Queue,
    n: number,
    deduplication: DeduplicationOptions,
    opts = {},
  ): Promise<void> => {
    await queue.add('job', { n }, { deduplication, ...opts });
  };

  it('free their id when they are done', async () => {
    const left = await twins(async (queue, start, ground) => {
      await add(queue, 1, { id: 'one' });
      await add(queue, 2, { id: 'one' });
      start();
      await ground.untilQuiet('work');
      await add(queue, 3, { id: 'one' });
    });
    expect(left['q:work:completed']).toMatchObject({ content: ['1', '3'] });
    expect(left['q:work:de:one']).toBeUndefined();
  });

  it.each([
    { removeOnFail: true },
    { removeOnFail: 5 },
    { attempts: 2, backoff: { type: 'fixed', delay: 10 } },
  ])('free their id when they have failed with %j', async (opts) => {
    const left = await twins(async (queue, start, ground) => {
      await add(queue, 1, { id: 'one' }, opts);
      start((job) => {
        if ((job.data as { n: number }).n === 1) {
          throw new Error('broken');
        }
      });
      await ground.untilQuiet('work');
      await add(queue, 2, { id: 'one' });
    });
    expect(left['q:work:de:one']).toBeUndefined();
  });

  it('keep their id while they wait for another attempt', async () => {
    const left = await twins(async (queue, start, ground) => {
      await add(queue, 1, { id: 'one' }, { attempts: 2, backoff: { type: 'fixed', delay: 60_000 } });
      start((job) => {
        if (job.attemptsMade === 0) {
          throw new Error('broken');
        }
      });
      await waitUntil(() => ground.redis.zcard(ground.key('work', 'delayed')), { reason: 'it waits' });
      await add(queue, 2, { id: 'one' });
      await (await queue.getJob('1'))!.promote();
    });
    expect(left['q:work:completed']).toMatchObject({ content: ['1'] });
  });

  it('keep their id for its time when it has one', async () => {
    const left = await twins(async (queue, start, ground) => {
      await add(queue, 1, { id: 'one', ttl: 60_000 });
      start();
      await ground.untilQuiet('work');
      await add(queue, 2, { id: 'one', ttl: 60_000 });
    });
    expect(left['q:work:completed']).toMatchObject({ content: ['1'] });
    expect(left['q:work:de:one']).toMatchObject({ expires: true, content: '1' });
  });

  it('free their id when its time is over, whether or not they are done', async () => {
    await twins(async (queue, start, ground) => {
      await add(queue, 1, { id: 'one', ttl: 30 });
      await waitUntil(async () => !(await ground.redis.exists(ground.key('work', 'de:one'))), {
        reason: 'it is over',
      });
      await add(queue, 2, { id: 'one', ttl: 60_000 });
      start();
    });
  });

  it('replace each other while they are held back', async () => {
    const left = await twins(async (queue, start) => {
      for (const n of [1, 2, 3]) {
        await add(queue, n, { id: 'one', ttl: 60_000, extend: true, replace: true }, { delay: 80 });
      }
      start();
    });
    expect(left['q:work:completed']).toMatchObject({ content: ['3'] });
    expect(left['q:work:3']).toMatchObject({ content: { data: { n: 3 } } });
  });

  it('extend the time of their id', async () => {
    await twins(async (queue, start, ground) => {
      await add(queue, 1, { id: 'one', ttl: 60_000, extend: true });
      await add(queue, 2, { id: 'one', ttl: 60_000, extend: true });
      start();
      await ground.untilQuiet('work');
      await add(queue, 3, { id: 'one', ttl: 60_000, extend: true });
    });
  });

  const whileActive = (
    queue: Queue,
    start: (handler: Handler) => void,
    during: () => Promise<void>,
    outcome: (job: TakenJob) => unknown = () => undefined,
  ): Promise<void> => {
    const gate = new Gate();
    start(async (job) => {
      await gate.enter(job as never);
      return outcome(job);
    });
    return (async () => {
      await waitUntil(() => gate.running === 1, { reason: 'the first runs' });
      await during();
      gate.open();
    })();
  };

  it('run once more with what came last, when they are told to keep it', async () => {
    const left = await twins(async (queue, start, ground) => {
      await add(queue, 1, { id: 'one', keepLastIfActive: true });
      await whileActive(queue, start, async () => {
        await add(queue, 2, { id: 'one', keepLastIfActive: true });
        await add(queue, 3, { id: 'one', keepLastIfActive: true }, { attempts: 4, priority: 3 });
      });
      await waitUntil(async () => (await ground.redis.zcard(ground.key('work', 'completed'))) === 2, {
        reason: 'both ran',
      });
    });
    expect(Object.keys(left).filter((key) => /:d[en]:/.test(key))).toEqual([]);
    expect((left['q:work:completed'] as { content: string[] }).content).toHaveLength(2);
  });

  it.each<[string, object, object?]>([
    ['with an id of its own', { jobId: 'own' }],
    ['with a delay', { delay: 50 }],
    ['last in, first out', { lifo: true }],
    ['with a time for its id', {}, { ttl: 50 }],
  ])('run once more %s', async (_, opts, deduplication = {}) => {
    await twins(async (queue, start, ground) => {
      await add(queue, 1, { id: 'one', keepLastIfActive: true });
      await whileActive(queue, start, async () => {
        await add(queue, 2, { id: 'one', keepLastIfActive: true, ...deduplication }, opts);
      });
      await waitUntil(async () => (await ground.redis.zcard(ground.key('work', 'completed'))) === 2, {
        reason: 'both ran',
      });
    });
  });

  it('run once more after they have failed', async () => {
    await twins(async (queue, start, ground) => {
      await add(queue, 1, { id: 'one', keepLastIfActive: true });
      await whileActive(
        queue,
        start,
        () => add(queue, 2, { id: 'one', keepLastIfActive: true }),
        (job) => {
          if ((job.data as { n: number }).n === 1) {
            throw new Error('broken');
          }
        },
      );
      await waitUntil(() => ground.redis.zcard(ground.key('work', 'completed')), {
        reason: 'the second ran',
      });
    });
  });

  it('run once more when they are not kept themselves', async () => {
    await twins(async (queue, start, ground) => {
      await add(queue, 1, { id: 'one', keepLastIfActive: true }, { removeOnComplete: true });
      await whileActive(queue, start, () => add(queue, 2, { id: 'one', keepLastIfActive: true }));
      await waitUntil(() => ground.redis.zcard(ground.key('work', 'completed')), {
        reason: 'the second ran',
      });
    });
  });
});
