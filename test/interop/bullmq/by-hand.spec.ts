import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { DelayedError, UnrecoverableError, WaitingError } from 'nestjs-lane/engine';

import { bullmq, majors, nameOf, type Party } from './support/bullmq';
import { CommonGround } from './support/common-ground';
import { guardSharedQueues } from './support/guard';

guardSharedQueues();

const ERRORS = { DelayedError, UnrecoverableError, WaitingError };

describe.each(majors)('runs that are ended by hand, with BullMQ %i', (major) => {
  let ground: CommonGround;

  beforeEach(() => {
    ground = new CommonGround();
  });

  afterEach(() => ground.close());

  it('JOB-16 they end what we have fetched, with its token and no other', async () => {
    const queue = ground.ourQueue('work');
    const jobs = await queue.addBulk(
      ['done', 'failed', 'later', 'again'].map((name) => ({ name, data: {} })),
    );
    const hands = ground.ourHands('work');
    for (const [index] of jobs.entries()) {
      await hands.getNextJob(`ours-${index}`);
    }
    const theirs = ground.theirQueue(major, 'work');
    const [done, failed, later, again] = await Promise.all(jobs.map(({ id }) => theirs.getJob(id)));

    await expect(done!.moveToCompleted('x', 'theirs', false)).rejects.toThrow(/lock/i);
    expect(await done!.extendLock('ours-0', 60_000)).toBe(1);
    await done!.moveToCompleted({ by: 'them' }, 'ours-0', false);
    await failed!.moveToFailed(new Error('by them'), 'ours-1');
    await later!.moveToDelayed(Date.now() + 60_000, 'ours-2');
    await again!.moveToWait('ours-3');

    expect(await queue.getJobCounts('active', 'completed', 'failed', 'delayed', 'waiting')).toEqual({
      active: 0,
      completed: 1,
      failed: 1,
      delayed: 1,
      waiting: 1,
    });
    expect((await queue.getJob(jobs[0]!.id))!.returnvalue).toEqual({ by: 'them' });
    expect((await queue.getJob(jobs[1]!.id))!.failedReason).toBe('by them');
  });

  it('JOB-16 we end what they have fetched, with its token and no other', async () => {
    const theirs = ground.theirQueue(major, 'work');
    const jobs = await theirs.addBulk(
      ['done', 'failed', 'later', 'again'].map((name) => ({ name, data: {} })),
    );
    const hands = ground.theirHands(major, 'work');
    for (const [index] of jobs.entries()) {
      await hands.getNextJob(`theirs-${index}`);
    }
    const queue = ground.ourQueue('work');
    const [done, failed, later, again] = await Promise.all(jobs.map(({ id }) => queue.getJob(id!)));

    await expect(done!.moveToCompleted('x', 'ours', false)).rejects.toMatchObject({
      code: 'LANE_LEASE_LOST',
    });
    expect(await done!.extendLock('theirs-0', '1m')).toBe(1);
    const until = Date.now() + 60_000;
    expect(await done!.moveToCompleted({ by: 'us' }, 'theirs-0', false)).toBeUndefined();
    await failed!.moveToFailed(new Error('by us'), 'theirs-1');
    await later!.moveToDelayed(until, 'theirs-2');
    await again!.moveToWait('theirs-3');

    expect(await theirs.getJobCounts('active', 'completed', 'failed', 'delayed', 'wait')).toEqual({
      active: 0,
      completed: 1,
      failed: 1,
      delayed: 1,
      wait: 1,
    });
    expect((await theirs.getJob(jobs[0]!.id!))!.returnvalue).toEqual({ by: 'us' });
    const delayed = (await theirs.getDelayed())[0]!;
    expect(delayed.attemptsMade).toBe(0);
    expect(Math.abs(delayed.delay - 60_000)).toBeLessThan(10_000);
    expect(await ground.redis.hget(ground.key('work', jobs[3]!.id!), 'atm')).toBeNull();
  });

  it('each fetches the next job when it ends one of the other', async () => {
    const queue = ground.ourQueue('work');
    await queue.addBulk(['a', 'b', 'c', 'd'].map((name) => ({ name, data: {} })));
    const ours = ground.ourHands('work');
    const theirs = ground.theirHands(major, 'work');
    const a = (await ours.getNextJob('mine'))!;

    const b = (await (await queue.getJob(a.id))!.moveToCompleted(1, 'mine'))!;
    expect([b.name, b.token]).toEqual(['b', 'mine']);
    await b.moveToCompleted(2, 'mine', false);
    const c = await theirs.getNextJob('yours');
    const [, next] = (await c.moveToCompleted(3, 'yours', true)) as unknown as [object, string];

    const d = (await queue.getJob(next))!;
    expect([d.name, await d.getState()]).toEqual(['d', 'active']);
    expect(await d.moveToCompleted(4, 'yours', true)).toBeUndefined();
    expect((await queue.getJobCounts()).completed).toBe(4);
  });

  const workers: Party[] = ['ours', major];
  it.each(
    workers.flatMap((worker) => workers.map((thrower) => [nameOf(worker), nameOf(thrower), worker, thrower])),
  )('a handler of %s that moves its job throws the errors of %s', async (_a, _b, worker, thrower) => {
    const errors = thrower === 'ours' ? ERRORS : bullmq(thrower as 5 | 6);
    const runs: string[] = [];
    ground.work(worker as Party, 'work', async (job, token) => {
      runs.push(job.name);
      const run = runs.filter((name) => name === job.name).length;
      if (job.name === 'later' && run === 1) {
        await job.moveToDelayed(Date.now() + 20, token);
        throw new errors.DelayedError();
      }
      if (job.name === 'again' && run === 1) {
        await job.moveToWait(token);
        throw new errors.WaitingError();
      }
      if (job.name === 'never') {
        throw new errors.UnrecoverableError('never');
      }
      return job.attemptsMade;
    });
    const queue = ground.ourQueue('work');
    const jobs = await queue.addBulk(
      ['later', 'again', 'never'].map((name) => ({ name, data: {}, opts: { attempts: 3 } })),
    );
    await ground.untilQuiet('work');

    const ended = await Promise.all(jobs.map(({ id }) => queue.getJob(id)));
    expect(ended.map((job) => [job!.name, job!.attemptsMade, job!.attemptsStarted])).toEqual([
      ['later', 1, 2],
      ['again', 1, 2],
      ['never', 1, 1],
    ]);
    expect(await queue.getJobCounts('completed', 'failed')).toEqual({ completed: 2, failed: 1 });
    expect(ground.errors).toEqual([]);
  });

  it('T-B14 a job that must not run any more fails when we fetch, and they see it failed', async () => {
    const queue = ground.ourQueue('work');
    await queue.add('dead', {});
    await queue.add('alive', {});
    const [dead] = await queue.getWaiting();
    await ground.redis.hset(ground.key('work', dead!.id), 'defa', 'job stalled more than allowable limit');

    const job = (await ground.ourHands('work').getNextJob('mine'))!;

    expect(job.name).toBe('alive');
    expect(await ground.theirQueue(major, 'work').getJobState(dead!.id)).toBe('failed');
    await job.moveToCompleted(1, 'mine', false);
  });
});
