import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { waitUntil } from '../../support/wait-until';
import { majors } from './support/bullmq';
import { CommonGround } from './support/common-ground';
import { guardSharedQueues } from './support/guard';

guardSharedQueues();

describe('what older versions and other producers have left', () => {
  let ground: CommonGround;
  let key: (...parts: string[]) => string;
  let ran: string[];

  beforeEach(() => {
    ground = new CommonGround();
    key = (...parts) => ground.key('work', ...parts);
    ran = [];
  });

  afterEach(async () => {
    const { errors } = ground;
    await ground.close();
    if (errors.length > 0) {
      throw new AggregateError(errors, 'A worker or a queue reported errors.');
    }
  });

  const minimal = {
    name: 'old',
    data: '{"n":1}',
    opts: '{}',
    timestamp: '1600000000000',
    delay: '0',
    priority: '0',
  };

  const work = (): void =>
    void ground.work('ours', 'work', (job) => void ran.push(job.id!), { concurrency: 3 });

  it('markers among the waiting jobs are dropped', async () => {
    const queue = ground.ourQueue('work');
    await ground.redis.lpush(key('wait'), '0:0', '0:1600000000000');
    const [first] = await queue.addBulk([1, 2].map((n) => ({ name: 'plain', data: { n } })));
    await ground.redis.lpush(key('wait'), '0:0');
    await ground.redis.rpush(key('wait'), '0:1600000000000');
    await queue.add('important', {}, { priority: 2 });
    expect((await queue.getWaiting()).map(({ id }) => id)).toContain(first!.id);
    work();
    await ground.untilQuiet('work');
    expect(ran).toEqual(['1', '2', '3']);
    expect(await ground.redis.exists(key('0:0'), key('0:1600000000000'))).toBe(0);
  });

  it('ids whose job is gone are dropped, and leave no record', async () => {
    const queue = ground.ourQueue('work');
    await ground.redis.lpush(key('wait'), 'gone-1');
    await queue.add('plain', {});
    await ground.redis.lpush(key('wait'), 'gone-2');
    await ground.redis.zadd(key('prioritized'), 4294967296, 'gone-3');
    await queue.add('important', {}, { priority: 2 });
    await ground.redis.zadd(key('delayed'), 0, 'gone-4');
    work();
    await ground.untilQuiet('work');
    expect(ran).toEqual(['1', '2']);
    expect(await ground.redis.exists(...[1, 2, 3, 4].map((n) => key(`gone-${n}`)))).toBe(0);
    expect(await queue.getJobCounts('waiting', 'active', 'completed')).toEqual({
      waiting: 0,
      active: 0,
      completed: 2,
    });
  });

  it.each([
    ['nothing but what every producer writes', minimal, {}],
    ['no options', { ...minimal, opts: '' }, {}],
    [
      'neither delay nor priority',
      { name: 'old', data: '{"n":1}', opts: '{}', timestamp: '1600000000000' },
      {},
    ],
    ['attempts under their old name', { ...minimal, attemptsMade: '2' }, {}],
    [
      'options and fields that nobody knows',
      { ...minimal, opts: '{"own":[1],"x":null}', own: 'kept' },
      { own: 'kept' },
    ],
    ['a bare number for a backoff', { ...minimal, opts: '{"backoff":5,"attempts":1}' }, {}],
    [
      'a type of backoff that only its producer knows',
      { ...minimal, opts: '{"backoff":{"type":"own"}}' },
      {},
    ],
    ['a colon in its id', minimal, {}, 'a:b'],
  ] as [string, Record<string, string>, Record<string, string>, string?][])(
    'a job with %s is run',
    async (_, fields, expected, id = 'old') => {
      await ground.redis.hset(key(id), fields);
      await ground.redis.lpush(key('wait'), id);
      const queue = ground.ourQueue('work');
      expect(await queue.getJob(id)).toMatchObject({
        id,
        name: 'old',
        data: { n: 1 },
        delay: 0,
        priority: 0,
      });
      work();
      await ground.untilQuiet('work');
      expect(ran).toEqual([id]);
      const left = await ground.redis.hgetall(key(id));
      expect(left).toMatchObject({ ...fields, returnvalue: 'null', ats: '1', ...expected });
      expect((await queue.getJob(id))!.finishedOn).toBe(Number(left.finishedOn));
      expect(await queue.getJobState(id)).toBe('completed');
    },
  );

  it.each([['{"backoff":5,"attempts":2}'], ['{"backoff":{"type":"fixed","delay":5},"attempts":2,"own":{}}']])(
    'a job with the options %s is tried again',
    async (opts) => {
      await ground.redis.hset(key('old'), { ...minimal, opts });
      await ground.redis.lpush(key('wait'), 'old');
      ground.work('ours', 'work', (job) => {
        if (job.attemptsMade === 0) {
          throw new Error('once');
        }
      });
      await ground.untilQuiet('work');
      expect(await ground.redis.hmget(key('old'), 'atm', 'opts')).toEqual(['2', opts]);
    },
  );

  it('stacks that cannot be read do not stop a job from failing', async () => {
    await ground.redis.hset(key('old'), { ...minimal, stacktrace: 'no list', opts: '{"stackTraceLimit":1}' });
    await ground.redis.lpush(key('wait'), 'old');
    ground.work('ours', 'work', () => {
      throw new Error('broken');
    });
    await ground.untilQuiet('work');
    expect(await ground.redis.zscore(key('failed'), 'old')).not.toBeNull();
    expect(JSON.parse((await ground.redis.hget(key('old'), 'stacktrace'))!)).toHaveLength(1);
  });

  it('jobs of repeatables of BullMQ 5 are run, and plan nothing', async () => {
    const queue = ground.theirQueue(5, 'work') as unknown as {
      add(name: string, data: object, opts: { repeat: { every: number } }): Promise<{ id?: string }>;
    };
    const first = await queue.add('tick', {}, { repeat: { every: 50 } });
    work();
    await ground.untilQuiet('work');
    expect(ran).toEqual([first.id]);
  });

  it.each(majors)(
    'jobs that BullMQ %i left in the list of a paused queue run when it is resumed',
    async (major) => {
      await ground.redis.hset(key('old'), minimal);
      await ground.redis.lpush(key('paused'), 'old');
      await ground.redis.hset(key('meta'), 'paused', '1');
      const queue = ground.ourQueue('work');
      await ground.theirQueue(major, 'work').waitUntilReady();
      expect(await queue.getJobCounts('waiting')).toEqual({ waiting: 1 });
      expect((await queue.getWaiting()).map(({ id }) => id)).toEqual(['old']);
      expect(await queue.getJobState('old')).toBe('waiting');
      work();
      await queue.resume();
      await waitUntil(() => ran.length === 1, { reason: 'it ran' });
      await ground.untilQuiet('work');
    },
  );
});
