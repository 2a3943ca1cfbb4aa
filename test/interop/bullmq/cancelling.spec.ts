import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { waitUntil } from '../../support/wait-until';
import { majors } from './support/bullmq';
import { CommonGround } from './support/common-ground';
import { guardSharedQueues } from './support/guard';

guardSharedQueues();

/** What handlers last until. */
function hold(): { readonly over: Promise<void>; end(): void; fail(error: Error): void } {
  let [end, fail]: [() => void, (error: Error) => void] = [() => undefined, () => undefined];
  const over = new Promise<void>((resolve, reject) => ([end, fail] = [resolve, reject]));
  return { over, end, fail };
}

describe.each(majors)('a cancel on a queue that is shared with BullMQ %i', (major) => {
  let ground: CommonGround;

  beforeEach(() => {
    ground = new CommonGround();
  });

  afterEach(() => ground.close());

  const stored = (queue: string, id: string): Promise<Record<string, string>> =>
    ground.redis.hgetall(ground.key(queue, id));

  async function failedOf(queue: string): Promise<string[]> {
    return ground.redis.zrange(ground.key(queue, 'failed'), '0', '-1');
  }

  it('JOB-07 ends jobs of theirs that wait, as failed for them too, and tells their listeners', async () => {
    const theirs = ground.theirQueue(major, 'work');
    const listener = ground.theirEvents(major, 'work');
    await listener.waitUntilReady();
    const told: [string, string, string | undefined][] = [];
    listener.on('failed', ({ jobId, failedReason, prev }) => told.push([jobId, failedReason, prev]));
    await theirs.add('send', {}, { jobId: 'waits' });
    await theirs.add('send', {}, { jobId: 'late', delay: 60_000 });
    await theirs.add('send', {}, { jobId: 'ranked', priority: 3 });
    await theirs.add('send', {}, { jobId: 'dropped', removeOnFail: true });
    const queue = ground.ourQueue('work');

    for (const id of ['waits', 'late', 'ranked', 'dropped']) {
      expect(await queue.cancel(id, 'enough')).toBe('ended');
    }

    const reason = 'job was cancelled: enough';
    await waitUntil(() => told.length === 4, { reason: 'all are told' });
    expect(told).toEqual([
      ['waits', reason, 'waiting'],
      ['late', reason, 'delayed'],
      ['ranked', reason, 'prioritized'],
      ['dropped', reason, 'waiting'],
    ]);
    for (const id of ['waits', 'late', 'ranked']) {
      const job = (await theirs.getJob(id))!;
      expect(await job.getState()).toBe('failed');
      expect([job.failedReason, job.attemptsMade, job.stacktrace]).toEqual([reason, 0, []]);
      expect(job.finishedOn).toEqual(expect.any(Number));
    }
    expect(await theirs.getJob('dropped')).toBeUndefined();
    expect(await theirs.getJobCounts('wait', 'delayed', 'prioritized', 'failed')).toEqual({
      wait: 0,
      delayed: 0,
      prioritized: 0,
      failed: 3,
    });
    await (await theirs.getJob('waits'))!.retry();
    ground.work('ours', 'work', () => 'done');
    await ground.untilQuiet('work');
    expect((await stored('work', 'waits')).returnvalue).toBe('"done"');
  });

  it('takes jobs of a queue that they have paused', async () => {
    const theirs = ground.theirQueue(major, 'work');
    await theirs.add('send', {}, { jobId: 'a' });
    await theirs.pause();
    await theirs.add('send', {}, { jobId: 'b' });
    const queue = ground.ourQueue('work');

    expect([await queue.cancel('a'), await queue.cancel('b')]).toEqual(['ended', 'ended']);

    await theirs.resume();
    expect(await failedOf('work')).toEqual(['a', 'b']);
    expect(await ground.redis.exists(ground.key('work', 'wait'), ground.key('work', 'paused'))).toBe(0);
  });

  it('notes the cancel of a job that their worker holds, which ends where it would be tried again', async () => {
    const queue = ground.ourQueue('work');
    const held = hold();
    const runs: string[] = [];
    ground.work(
      major,
      'work',
      async (job) => {
        runs.push(job.name);
        await held.over;
        if (job.name === 'broken') {
          throw new Error('broken');
        }
        return 'by them';
      },
      { concurrency: 2 },
    );
    const backoff = { type: 'fixed', delay: 200 } as const;
    const broken = await queue.add('broken', {}, { attempts: 3, backoff });
    const fine = await queue.add('fine', {});
    await waitUntil(() => runs.length === 2, { reason: 'both run' });

    expect(await queue.cancel(broken.id, 'enough')).toBe('unreachable');
    expect(await queue.cancel(fine.id)).toBe('unreachable');
    expect(await stored('work', broken.id)).toMatchObject({ 'ln:cancel': 'job was cancelled: enough' });
    held.end();

    expect(await fine.finished()).toBe('by them');
    await waitUntil(() => broken.isDelayed(), { reason: 'it is to be tried again' });
    await ground.stopWorkers();
    const ourRuns: string[] = [];
    ground.work('ours', 'work', (job) => ourRuns.push(job.name));
    await expect(broken.finished()).rejects.toMatchObject({ code: 'LANE_JOB_CANCELLED', reason: 'enough' });

    expect(ourRuns).toEqual([]);
    const left = await stored('work', broken.id);
    expect(left).toMatchObject({
      failedReason: 'job was cancelled: enough',
      'ln:code': 'cancelled',
      atm: '2',
    });
    expect(left).not.toHaveProperty('ln:cancel');
  });

  it('ends a job whose worker of theirs is gone', async () => {
    const queue = ground.ourQueue('work');
    const job = await queue.add('send', {}, { attempts: 3 });
    const hands = ground.theirHands(major, 'work', { lockDuration: 300 });
    await hands.getNextJob('theirs');
    expect(await queue.cancel(job.id)).toBe('unreachable');
    const runs: string[] = [];
    ground.work('ours', 'work', ({ name }) => runs.push(name), { stalledInterval: 200 });

    await expect(job.finished({ timeout: 8_000 })).rejects.toMatchObject({ code: 'LANE_JOB_CANCELLED' });
    expect(runs).toEqual([]);
  });

  it('reaches our worker with a job of theirs, which their parent is told of as of any failure', async () => {
    const held = hold();
    ground.work('ours', 'children', () => held.over);
    await ground.flows(major).add({
      name: 'parent',
      queueName: 'parents',
      data: {},
      opts: { jobId: 'P' },
      children: [
        { name: 'child', queueName: 'children', data: {}, opts: { jobId: 'A', failParentOnFailure: true } },
        {
          name: 'child',
          queueName: 'children',
          data: {},
          opts: { jobId: 'B', ignoreDependencyOnFailure: true },
        },
      ],
    });
    const children = ground.ourQueue('children');
    await waitUntil(async () => (await children.getActiveCount()) === 1, { reason: 'a child runs' });
    const [running] = await children.getActive();
    const waiting = running!.id === 'A' ? 'B' : 'A';

    expect(await children.cancel(waiting, 'first')).toBe('ended');
    expect(await children.cancel(running!.id, 'second')).toBe('requested');
    held.fail(new Error('it is told to end'));

    await waitUntil(async () => (await failedOf('children')).length === 2, { reason: 'both have failed' });
    expect((await stored('parents', 'P')).defa).toMatch(/child .*A failed/);
    expect(await ground.redis.lrange(ground.key('parents', 'wait'), '0', '-1')).toEqual(['P']);
  });

  it('ends a parent that waits for its children, which go on', async () => {
    await ground.flows(major).add({
      name: 'parent',
      queueName: 'parents',
      data: {},
      opts: { jobId: 'P' },
      children: [{ name: 'child', queueName: 'children', data: {}, opts: { jobId: 'A' } }],
    });

    expect(await ground.ourQueue('parents').cancel('P')).toBe('ended');

    ground.work(major, 'children', () => 'done');
    await ground.untilQuiet('children');
    expect(await failedOf('parents')).toEqual(['P']);
    expect(await ground.redis.zrange(ground.key('children', 'completed'), '0', '-1')).toEqual(['A']);
    expect(await ground.redis.exists(ground.key('parents', 'wait'))).toBe(0);
  });

  it('gives up the deduplication id of a job that waits', async () => {
    const theirs = ground.theirQueue(major, 'work');
    const first = await theirs.add('send', {}, { deduplication: { id: 'one' } });
    expect((await theirs.add('send', {}, { deduplication: { id: 'one' } })).id).toBe(first.id);

    expect(await ground.ourQueue('work').cancel(first.id!)).toBe('ended');

    const second = await theirs.add('send', {}, { deduplication: { id: 'one' } });
    expect(second.id).not.toBe(first.id);
    expect(await second.getState()).toBe('waiting');
  });

  it('is refused for what a scheduler goes on from, unless it runs, and then the schedule goes on', async () => {
    const theirs = ground.theirQueue(major, 'work');
    await theirs.upsertJobScheduler('s', { every: 60_000 }, { name: 'tick' });
    const queue = ground.ourQueue('work');
    const [next] = [...(await queue.getDelayed()), ...(await queue.getWaiting())];
    await expect(queue.cancel(next!.id)).rejects.toMatchObject({ code: 'LANE_OUTSTANDING_ITERATION' });
    if (await next!.isDelayed()) {
      await next!.promote();
    }
    const held = hold();
    ground.work('ours', 'work', () => held.over);
    await waitUntil(() => next!.isActive(), { reason: 'it runs' });

    expect(await queue.cancel(next!.id)).toBe('requested');
    held.fail(new Error('it is told to end'));

    await waitUntil(() => next!.isFailed(), { reason: 'it has failed' });
    expect((await queue.getJob(next!.id))!.failedCode).toBe('cancelled');
    expect((await queue.getDelayed()).length).toBe(1);
  });
});
