import { describe, expect, it } from '@jest/globals';
import { EXPIRED_REASON } from 'nestjs-lane/contract';

import { waitUntil } from '../../support/wait-until';
import { majors } from './support/bullmq';
import { CommonGround } from './support/common-ground';
import { guardSharedQueues } from './support/guard';

guardSharedQueues();

async function onGround(scenario: (ground: CommonGround) => Promise<void>): Promise<void> {
  const ground = new CommonGround();
  try {
    await scenario(ground);
  } finally {
    await ground.close();
  }
  expect(ground.errors).toEqual([]);
}

describe.each(majors)('jobs of ours with time limits, and BullMQ %i', (major) => {
  it('reads them as they are, runs them without limits, and finishes them', async () => {
    await onGround(async (ground) => {
      const ours = ground.ourQueue('work');
      const theirs = ground.theirQueue(major, 'work');
      const { id } = await ours.add('send', { to: 'a' }, { attempts: 2, timeout: 1, expiresIn: 1 });
      const read = (await theirs.getJob(id))!;
      expect(read.data).toEqual({ to: 'a' });
      expect(Object.keys(read.opts)).not.toEqual(expect.arrayContaining(['timeout']));
      expect(read.opts.attempts).toBe(2);

      const ran: unknown[] = [];
      ground.work(major, 'work', (job) => {
        ran.push([job.name, job.attemptsMade]);
        if (job.attemptsMade === 0) throw new Error('once');
        return 'sent';
      });
      await ground.untilQuiet('work');

      expect(ran).toEqual([
        ['send', 0],
        ['send', 1],
      ]);
      const job = (await ours.getJob(id))!;
      expect([await job.getState(), job.returnvalue, job.opts.timeout]).toEqual(['completed', 'sent', 1]);
    });
  });

  it('a sweep of ours drops what it has run, and ends what it has paused', async () => {
    await onGround(async (ground) => {
      const ours = ground.ourQueue('work');
      const theirs = ground.theirQueue(major, 'work');
      const done = await ours.add('done', {}, { expiresIn: 1 });
      const worker = ground.work(major, 'work', () => 'done');
      await ground.untilQuiet('work');
      await worker.close();
      await theirs.pause();
      const late = await ours.add('late', {}, { expiresIn: 1, attempts: 3 });
      const failures: unknown[] = [];
      const sweeper = ground.ourHands('work', { stalledInterval: 20 });
      sweeper.on('failed', (job, error) => failures.push([job.id, error.name]));
      await sweeper.startStalledCheckTimer();
      await waitUntil(() => failures.length > 0, { reason: 'a sweep has ended it' });

      expect(failures).toEqual([[late.id, 'JobExpiredError']]);
      const read = (await theirs.getJob(late.id))!;
      expect([await read.getState(), read.failedReason]).toEqual(['failed', EXPIRED_REASON]);
      expect(await (await theirs.getJob(done.id))!.getState()).toBe('completed');
      expect(await ground.redis.exists(ground.key('work', 'ln:x'))).toBe(0);
      await theirs.resume();
    });
  });

  it('may retry what has expired, which it runs, and so do we', async () => {
    await onGround(async (ground) => {
      const ours = ground.ourQueue('work');
      const theirs = ground.theirQueue(major, 'work');
      const { id } = await ours.add('late', {}, { expiresIn: 1 });
      const ran: unknown[] = [];
      await waitUntil(async () => Date.now() > (await ours.getJob(id))!.expiresAt!, { reason: 'it is late' });
      ground.work('ours', 'work', (job) => void ran.push(job.id));
      await waitUntil(async () => (await ours.getJobCounts('failed')).failed === 1, {
        reason: 'it has failed',
      });
      expect((await ours.getJob(id))!.failedCode).toBe('expired');

      await (await theirs.getJob(id))!.retry('failed', {
        resetAttemptsMade: true,
        resetAttemptsStarted: true,
      });
      await ground.untilQuiet('work');

      expect(ran).toEqual([id]);
      const job = (await ours.getJob(id))!;
      expect([await job.getState(), job.failedCode]).toEqual(['completed', undefined]);
    });
  });

  it('what it removes, cleans or obliterates leaves nothing that a sweep of ours would stumble over', async () => {
    await onGround(async (ground) => {
      const ours = ground.ourQueue('work');
      const theirs = ground.theirQueue(major, 'work');
      const jobs = await ours.addBulk(
        [1, 2].map((n) => ({ name: 'late', data: { n }, opts: { expiresIn: 1 } })),
      );
      await (await theirs.getJob(jobs[0]!.id))!.remove();
      await theirs.obliterate();
      expect(await ground.redis.pttl(ground.key('work', 'ln:x'))).toBeGreaterThan(0);
      const sweeper = ground.ourHands('work', { stalledInterval: 20 });
      await sweeper.startStalledCheckTimer();

      await waitUntil(async () => (await ground.redis.exists(ground.key('work', 'ln:x'))) === 0, {
        reason: 'a sweep has dropped them',
      });
      expect(await ours.getJobCounts()).toMatchObject({ failed: 0, active: 0, waiting: 0 });
    });
  });
});
