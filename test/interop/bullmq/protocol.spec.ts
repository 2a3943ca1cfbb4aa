import { describe, expect, it } from '@jest/globals';
import type { FlowJob } from 'bullmq-6';
import { QueueEventsProducer } from 'nestjs-lane/engine';

import { waitUntil } from '../../support/wait-until';
import { majors, type Party } from './support/bullmq';
import { onCommonGround, type Handler } from './support/common-ground';
import { guardSharedQueues } from './support/guard';

guardSharedQueues();

const child = (id: string, data: object, opts: FlowJob['opts'] = {}): FlowJob => ({
  name: 'child',
  queueName: 'children',
  data,
  opts: { jobId: id, ...opts },
});

const work: Handler = ({ data }) => {
  const { fails, gives } = data as { fails?: string; gives?: unknown };
  if (fails !== undefined) throw new Error(fails);
  return gives;
};

describe('what parents keep of the children that we run', () => {
  it('keeps the failure of a child as plain text, and its result as JSON', async () => {
    await onCommonGround(async (ground) => {
      const flows = ground.flows(6);
      await flows.add({
        name: 'parent',
        queueName: 'parents',
        opts: { jobId: 'P' },
        children: [
          child('good', { gives: { a: ['1'] } }),
          child('text', { gives: 'one' }),
          child('ignored', { fails: 'no "luck"' }, { ignoreDependencyOnFailure: true }),
          child('fatal', { fails: 'worse' }, { failParentOnFailure: true }),
        ],
      });
      ground.work('ours', 'children', work);
      await ground.untilQuiet('children');

      const [full, kept] = [(id: string) => ground.key('children', id), ground.key('parents', 'P')];
      expect(await ground.redis.hgetall(`${kept}:processed`)).toEqual({
        [full('good')]: '{"a":["1"]}',
        [full('text')]: '"one"',
      });
      expect(await ground.redis.hgetall(`${kept}:failed`)).toEqual({ [full('ignored')]: 'no "luck"' });
      expect(await ground.redis.zrange(`${kept}:unsuccessful`, '0', '-1')).toEqual([full('fatal')]);
      expect(await ground.redis.hget(kept, 'defa')).toBe(`child ${full('fatal')} failed`);
    });
  });
});

describe('the number of the last job', () => {
  const countedBy = (...parties: Party[]): Promise<string | null> =>
    onCommonGround(async (ground) => {
      const jobs = [{}, { jobId: 'own' }, { jobId: 'own' }, {}, { jobId: 'own' }, { delay: 60_000 }];
      for (const [index, opts] of jobs.entries()) {
        await ground.producer(parties[index % parties.length]!, 'work').add('job', {}, opts);
      }
      return ground.redis.get(ground.key('work', 'id'));
    });

  it.each(majors)('counts every add, as BullMQ %i does, whoever adds', async (major) => {
    const expected = await countedBy(major);

    expect(await countedBy('ours')).toBe(expected);
    expect(await countedBy('ours', major)).toBe(expected);
  });
});

describe('a listener that stops at what is no JSON', () => {
  it.each(majors)(
    'ends no listener of BullMQ %i, whatever is a result, a progress or an event of our own',
    async (major) => {
      await onCommonGround(async (ground) => {
        const heard: unknown[] = [];
        const progress: unknown[] = [];
        const theirs = ground.theirEvents(major, 'work');
        theirs.on('completed', ({ returnvalue }) => heard.push(returnvalue));
        theirs.on('progress', ({ data }) => progress.push(data));
        await theirs.waitUntilReady();
        const results = [undefined, null, 'text', '{', 0, NaN, false, { a: [1] }, [], new Date(0)];
        ground.work('ours', 'work', async (job) => {
          const { at } = job.data as { at: number };
          await job.updateProgress(results[at] as never).catch(() => undefined);
          return results[at];
        });
        const own = new QueueEventsProducer('work', { backend: ground.backend });
        for (const eventName of ['completed', 'progress', 'completed:1']) {
          await expect(own.publishEvent({ eventName, returnvalue: '{', data: '{' })).rejects.toMatchObject({
            code: 'LANE_BAD_EVENT',
          });
        }
        await own.publishEvent({ eventName: 'bounced', returnvalue: '{', data: '{' });
        await own.close();

        const queue = ground.ourQueue('work');
        for (const at of results.keys()) {
          await queue.add('job', { at });
        }
        await waitUntil(() => heard.length === results.length, { reason: 'they heard of every end' });
        const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));
        expect(heard).toEqual(results.map(asJson));
        for (const value of progress) expect(results.map(asJson)).toContainEqual(value);
        expect(ground.errors).toEqual([]);
      });
    },
  );
});

describe('jobs that wait', () => {
  it.each(majors)('are found in the list of a queue that BullMQ %i has paused', async (major) => {
    await onCommonGround(async (ground) => {
      const [theirs, ours] = [ground.theirQueue(major, 'work'), ground.ourQueue('work')];
      await theirs.add('job', {}, { jobId: 'a' });
      await theirs.pause();
      await theirs.add('job', {}, { jobId: 'b' });
      const list = major === 5 ? 'paused' : 'wait';
      expect(await ground.redis.lrange(ground.key('work', list), 0, -1)).toEqual(['b', 'a']);

      expect(await ours.getJobState('a')).toBe('waiting');
      expect((await ours.getWaiting()).map(({ id }) => id)).toEqual(['a', 'b']);
      expect(await ours.getJobCounts('waiting', 'wait')).toEqual({ waiting: 2, wait: 2 });
      await (await ours.getJob('a'))!.changePriority({ priority: 2 });
      expect(await ours.getJobState('a')).toBe('prioritized');
      await (await ours.getJob('b'))!.remove();
      expect(await ground.redis.exists(ground.key('work', list), ground.key('work', 'b'))).toBe(0);
    });
  });
});
