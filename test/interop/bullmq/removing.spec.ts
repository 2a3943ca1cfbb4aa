import { describe, expect, it } from '@jest/globals';
import type { FlowJob, Queue as TheirQueue } from 'bullmq-6';
import type { Queue } from 'nestjs-lane/engine';

import { waitUntil } from '../../support/wait-until';
import { majors, type Party } from './support/bullmq';
import { onCommonGround, type CommonGround } from './support/common-ground';
import { guardSharedQueues } from './support/guard';
import { expectTwins, placeOf } from './support/twins';

guardSharedQueues();

/** What both parties can do to jobs. */
type Remover = Pick<Queue, 'remove' | 'clean' | 'drain' | 'obliterate'>;

function child(id: string, opts: FlowJob['opts'] = {}, children: FlowJob[] = [], queueName = 'children') {
  return { name: 'child', queueName, data: {}, opts: { jobId: id, ...opts }, children };
}

function parent(children: FlowJob[], queueName = 'parents'): FlowJob {
  return { name: 'parent', queueName, data: {}, opts: { jobId: 'P' }, children };
}

describe.each(majors)('what BullMQ %i has stored, when we remove it', (major) => {
  /** `act` is given the queue by which jobs are removed: theirs the one time, ours the other. */
  function twins(
    act: (remover: (name: string) => Remover, ground: CommonGround) => Promise<unknown>,
  ): ReturnType<typeof expectTwins> {
    return expectTwins<Party>({ theirs: major, mixed: 'ours' }, async (ground, party) => {
      const remover = (name: string): Remover => {
        // It introduces itself to its queue, in both runs.
        const theirs = ground.theirQueue(major, name);
        return party === 'ours' ? ground.ourQueue(name) : (theirs as unknown as Remover);
      };
      await act(remover, ground);
    });
  }

  /** Queues of theirs that hold one completed and one failed job, and jobs that wait in every way. */
  async function fill(ground: CommonGround): Promise<TheirQueue> {
    const queue = ground.theirQueue(major, 'work');
    await queue.add('fine', {}, { jobId: 'fine' });
    await queue.add('broken', {}, { jobId: 'broken' });
    ground.work(major, 'work', (job) => {
      if (job.name === 'broken') {
        throw new Error('broken');
      }
    });
    await ground.untilQuiet('work');
    await ground.stopWorkers();
    await queue.add('waits', {}, { jobId: 'first' });
    await queue.add('waits', {}, { jobId: 'second' });
    await queue.add('waits', {}, { jobId: 'third' });
    await queue.add('waits', {}, { jobId: 'important', priority: 4 });
    await queue.add('waits', {}, { jobId: 'late', delay: 60_000 });
    await (await queue.getJob('second'))!.log('a row');
    const now = Date.now();
    await waitUntil(() => Date.now() > now, { reason: 'all are of the past' });
    return queue;
  }

  it('jobs are gone wherever they were, with all that was kept of them', async () => {
    const left = await twins(async (remover, ground) => {
      await fill(ground);
      for (const id of ['fine', 'broken', 'second', 'important', 'late']) {
        expect(await remover('work').remove(id)).toBe(1);
      }
    });
    expect(left['q:work:wait']).toMatchObject({ content: ['third', 'first'] });
    expect(left['q:work:second:logs']).toBeUndefined();
  });

  it('MGMT-35 old jobs of each state are gone, and the others stay', async () => {
    await twins(async (remover, ground) => {
      await fill(ground);
      expect(await remover('work').clean(0, 100, 'completed')).toEqual(['fine']);
      expect(await remover('work').clean(0, 100, 'failed')).toEqual(['broken']);
      expect(await remover('work').clean(0, 100, 'delayed')).toEqual(['late']);
      expect(await remover('work').clean(0, 1, 'wait')).toEqual(['first']);
    });
  });

  it.each([true, false])('MGMT-33 a queue is drained, with its delayed jobs: %p', async (delayed) => {
    const left = await twins(async (remover, ground) => {
      await fill(ground);
      await remover('work').drain(delayed);
    });
    expect(placeOf(left, 'work', 'late')).toBe(delayed ? undefined : 'delayed');
    expect(placeOf(left, 'work', 'fine')).toBe('completed');
  });

  it('MGMT-13 a parent is released when its last child is gone', async () => {
    const left = await twins(async (remover, ground) => {
      await ground.flows(major).add(parent([child('A'), child('B', { delay: 60_000 })]));
      await remover('children').remove('A');
      expect(await ground.redis.zcard(ground.key('parents', 'waiting-children'))).toBe(1);
      await remover('children').remove('B');
    });
    expect(placeOf(left, 'parents', 'P')).toBe('wait');
    expect(left['q:parents:P:dependencies']).toBeUndefined();
  });

  it('a family is gone with its parent, down to the last', async () => {
    await onCommonGround(async (ground) => {
      const family = parent([child('A', { priority: 2 }, [child('C', {}, [], 'grand')]), child('B')]);
      await ground.flows(major).add(family);
      await ground.flows(major).add({ ...parent([child('X')]), opts: { jobId: 'Q' } });

      expect(await ground.ourQueue('parents').remove('P')).toBe(1);

      const jobs = (await ground.keys()).filter((key) => /:[A-Z](?::[a-z]+)?$/.test(key)).sort();
      expect(jobs).toEqual([
        ground.key('children', 'X'),
        ground.key('parents', 'Q'),
        ground.key('parents', 'Q', 'dependencies'),
      ]);
      expect(await ground.redis.zrange(ground.key('parents', 'waiting-children'), '0', '-1')).toEqual(['Q']);
      // None of the parents was released on the way.
      const events = await ground.redis.xrange(ground.key('parents', 'events'), '-', '+');
      const ofP = events.filter(([, fields]) => fields.includes('P')).map(([, fields]) => fields);
      expect(ofP.at(-1)).toEqual(['event', 'removed', 'jobId', 'P', 'prev', 'waiting-children']);
      expect(ofP.filter((fields) => fields.includes('waiting'))).toEqual([]);
      ground.work(major, 'children', () => null);
      ground.work(major, 'parents', () => null);
      await waitUntil(() => ground.redis.zcard(ground.key('parents', 'completed')), {
        reason: 'the other family has ended',
      });
    });
  });

  it('children stay when they are to, and end without their parent', async () => {
    const left = await twins(async (remover, ground) => {
      await ground.flows(major).add(parent([child('A'), child('B')]));
      await remover('parents').remove('P', { removeChildren: false });
      ground.work(major, 'children', () => 'done');
      await ground.untilQuiet('children');
    });
    expect(left['q:parents:P']).toBeUndefined();
    expect(placeOf(left, 'children', 'A')).toBe('completed');
  });

  it('children that have ended are gone with their parent', async () => {
    const left = await twins(async (remover, ground) => {
      const family = parent([
        child('A'),
        child('B', { ignoreDependencyOnFailure: true }),
        child('C', { failParentOnFailure: true }),
        child('D', { delay: 60_000 }),
      ]);
      await ground.flows(major).add(family);
      ground.work(major, 'children', ({ id }) => {
        if (id !== 'A') {
          throw new Error('broken');
        }
      });
      await waitUntil(async () => (await ground.redis.zcard(ground.key('children', 'failed'))) === 2, {
        reason: 'they have ended',
      });
      await ground.stopWorkers();
      await remover('parents').remove('P');
    });
    expect(Object.keys(left).filter((key) => /:[A-Z](?::|$)/.test(key))).toEqual([]);
  });

  it('nothing is gone when a worker of theirs has a child', async () => {
    await onCommonGround(async (ground) => {
      let finish: () => void = () => undefined;
      const over = new Promise<void>((resolve) => (finish = resolve));
      await ground.flows(major).add(parent([child('A'), child('B')]));
      ground.work(major, 'children', () => over);
      await waitUntil(() => ground.redis.llen(ground.key('children', 'active')), { reason: 'it is active' });
      const ours = ground.ourQueue('parents');
      const before = (await ground.keys()).filter((key) => !key.includes(':ln:')).sort();

      expect(await ours.remove('P')).toBe(0);
      await expect((await ours.getJob('P'))!.remove()).rejects.toMatchObject({ code: 'LANE_JOB_LEASED' });

      expect((await ground.keys()).filter((key) => !key.includes(':ln:')).sort()).toEqual(before);
      expect(await ground.redis.scard(ground.key('parents', 'P', 'dependencies'))).toBe(2);
      finish();
      await ground.stopWorkers();
    });
  });

  it.each(['drain', 'clean'] as const)(
    'a parent in the same queue goes with the last that it waited for: %s',
    async (how) => {
      const left = await twins(async (remover, ground) => {
        await ground.flows(major).add(parent([child('A', {}, [], 'parents'), child('B', {}, [], 'parents')]));
        const now = Date.now();
        await waitUntil(() => Date.now() > now, { reason: 'all are of the past' });
        await (how === 'drain' ? remover('parents').drain() : remover('parents').clean(0, 100, 'wait'));
      });
      expect(Object.keys(left).filter((key) => /:[A-Z](?::|$)/.test(key))).toEqual([]);
      expect(left['q:parents:waiting-children']).toBeUndefined();
    },
  );

  it('a parent in another queue is released by a drain of its children', async () => {
    await onCommonGround(async (ground) => {
      await ground.flows(major).add(parent([child('A'), child('B')]));
      await ground.ourQueue('children').drain();

      expect(await ground.redis.lrange(ground.key('parents', 'wait'), 0, -1)).toEqual(['P']);
      expect(await ground.redis.exists(ground.key('parents', 'P', 'dependencies'))).toBe(0);
      const ran: unknown[] = [];
      ground.work(major, 'parents', ({ id }) => void ran.push(id));
      await waitUntil(() => ran.length === 1, { reason: 'it is run' });
    });
  });

  it('deduplication ids are given up by those who hold them', async () => {
    const left = await twins(async (remover, ground) => {
      const queue = ground.theirQueue(major, 'work');
      for (const id of ['removed', 'cleaned', 'drained']) {
        await queue.add('job', {}, { jobId: id, deduplication: { id, ttl: 60_000 } });
      }
      const now = Date.now();
      await waitUntil(() => Date.now() > now, { reason: 'all are of the past' });
      await remover('work').remove('removed');
      expect(await remover('work').clean(0, 1, 'wait')).toEqual(['cleaned']);
      await remover('work').drain();
      expect(
        await ground.redis.exists(
          ...['removed', 'cleaned', 'drained'].map((id) => ground.key('work', 'de', id)),
        ),
      ).toBe(0);
      await queue.add('job', {}, { jobId: 'again', deduplication: { id: 'removed' } });
    });
    expect(placeOf(left, 'work', 'again')).toBe('wait');
  });

  it('T-B34 the deduplication id of a newer job is not given up with an older one', async () => {
    const left = await twins(async (remover, ground) => {
      const queue = ground.theirQueue(major, 'work');
      const deduplication = { id: 'k' };
      await queue.add('job', {}, { jobId: 'one', deduplication });
      ground.work(major, 'work', () => {
        throw new Error('broken');
      });
      await ground.untilQuiet('work');
      await ground.stopWorkers();
      await queue.add('job', {}, { jobId: 'two', deduplication, delay: 3_600_000 });
      await remover('work').remove('one');
      expect((await queue.add('job', {}, { jobId: 'three', deduplication })).id).toBe('two');
    });
    expect(left['q:work:de:k']).toMatchObject({ content: 'two' });
    expect(left['q:work:three']).toBeUndefined();
  });

  it('MGMT-34 MGMT-36 the jobs that schedulers go on from stay', async () => {
    await onCommonGround(async (ground) => {
      const queue = ground.theirQueue(major, 'work');
      await queue.upsertJobScheduler('s', { every: 3_600_000, offset: 60_000 }, { name: 'tick' });
      await queue.add('job', {}, { jobId: 'late', delay: 60_000 });
      const id = (await queue.getDelayed()).find(({ name }) => name === 'tick')!.id!;
      const ours = ground.ourQueue('work');

      await expect(ours.remove(id)).rejects.toMatchObject({ code: 'LANE_OUTSTANDING_ITERATION', jobId: id });
      await expect((await ours.getJob(id))!.remove()).rejects.toMatchObject({
        code: 'LANE_OUTSTANDING_ITERATION',
      });
      await ours.drain(true);
      expect((await ours.getDelayed()).map((job) => job.id)).toEqual([id]);
      expect(await ours.clean(0, 0, 'delayed')).toEqual([]);
      await queue.removeJobScheduler('s');

      expect(await ours.count()).toBe(0);
    });
  });

  it('MGMT-38 STORE-03 nothing of a queue stays that was destroyed', async () => {
    await onCommonGround(async (ground) => {
      const queue = await fill(ground);
      await queue.upsertJobScheduler('s', { every: 3_600_000 }, { name: 'tick' });
      await queue.upsertJobScheduler('t', { pattern: '0 0 1 1 *' }, { name: 'tick' });
      await queue.add('job', {}, { deduplication: { id: 'k', keepLastIfActive: true } });
      await queue.setGlobalConcurrency(3);
      await queue.setGlobalRateLimit(100, 60_000);
      await queue.rateLimit(60_000);
      await ground
        .flows(major)
        .add(parent([child('A', {}, [], 'elsewhere'), child('B', {}, [], 'work')], 'work'));
      await ground.redis.set(ground.key('work', 'de', 'k2'), 'nobody');
      await ground.redis.hset(ground.key('work', 'first'), 'deid', 'k2');

      await ground.ourQueue('work').obliterate({ count: 3 });

      const left = (await ground.keys()).filter((key) => key.startsWith(ground.key('work', '')));
      expect(left.filter((key) => !key.startsWith(ground.key('work', 'ln:')))).toEqual([]);
      for (const key of left) {
        expect(await ground.redis.pttl(key)).toBeGreaterThan(0);
      }
      expect(await ground.redis.exists(ground.key('elsewhere', 'A'))).toBe(1);
      await queue.add('job', {}, { jobId: 'again' });
      expect(await ground.ourQueue('work').count()).toBe(1);
    });
  });

  it('listeners of theirs hear what we remove', async () => {
    await onCommonGround(async (ground) => {
      await fill(ground);
      const heard: unknown[] = [];
      const events = ground.theirEvents(major, 'work');
      events.on('removed', ({ jobId, prev }) => heard.push(['removed', jobId, prev]));
      events.on('cleaned', ({ count }) => heard.push(['cleaned', count]));
      const ours = ground.ourQueue('work');

      await ours.remove('important');
      await ours.clean(0, 2, 'wait');

      await waitUntil(() => heard.length === 2, { reason: 'both are heard' });
      expect(heard).toEqual([
        ['removed', 'important', 'prioritized'],
        ['cleaned', '2'],
      ]);
    });
  });
});

describe('what BullMQ 5 has paused', () => {
  it('can be removed, cleaned and drained', async () => {
    await onCommonGround(async (ground) => {
      const theirs = ground.theirQueue(5, 'work');
      const ids = ['a', 'b', 'c', 'd', 'e'];
      for (const jobId of ids) {
        await theirs.add('job', {}, { jobId });
      }
      await theirs.pause();
      expect(await ground.redis.llen(ground.key('work', 'paused'))).toBe(5);
      const ours = ground.ourQueue('work');

      expect(await ours.remove('b')).toBe(1);
      expect(await ours.clean(0, 1, 'wait')).toEqual(['a']);
      expect(await ours.clean(0, 1, 'paused')).toEqual(['c']);
      expect(await ground.redis.lrange(ground.key('work', 'paused'), 0, -1)).toEqual(['e', 'd']);
      await ours.drain();

      expect(await ground.redis.exists(ground.key('work', 'paused'))).toBe(0);
      await theirs.add('job', {}, { jobId: 'f' });
      await theirs.resume();
      const ran: unknown[] = [];
      ground.work(5, 'work', ({ id }) => void ran.push(id));
      await waitUntil(() => ran.length === 1, { reason: 'what is left is run' });
      expect(ran).toEqual(['f']);
    });
  });

  it('stays what it is for a queue that we destroy: we pause and add in its way again', async () => {
    await onCommonGround(async (ground) => {
      ground.expected = 5;
      const ours = ground.ourQueue('work');
      await ours.add('job', {}, { jobId: 'a' });
      await ours.obliterate();
      await ours.add('job', {}, { jobId: 'b' });
      await ours.pause();

      expect(await ground.redis.lrange(ground.key('work', 'paused'), 0, -1)).toEqual(['b']);
    });
  });
});
