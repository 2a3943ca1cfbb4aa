import { describe, expect, it } from '@jest/globals';
import type { Job as TheirJob } from 'bullmq-6';
import type { Job } from 'nestjs-lane/engine';

import { Gate } from '../../support/gate';
import { waitUntil } from '../../support/wait-until';
import { majors, type Party } from './support/bullmq';
import { onCommonGround, type CommonGround, type TakenJob } from './support/common-ground';
import { guardSharedQueues } from './support/guard';

guardSharedQueues();

const states = ['waiting', 'active', 'delayed', 'prioritized', 'completed', 'failed'] as const;

/** Brings jobs into every state, and leaves one running. */
async function populate(ground: CommonGround, producer: Party, worker: Party, gate: Gate): Promise<void> {
  const queue = ground.producer(producer, 'work');
  await queue.add('good', { a: 1 }, { jobId: 'good', priority: 1 });
  await queue.add('bad', {}, { jobId: 'bad', priority: 2, attempts: 2 });
  await queue.add('runs', { at: 'the gate' }, { jobId: 'runs', priority: 3 });
  ground.work(
    worker,
    'work',
    async (job: TakenJob) => {
      await job.updateProgress({ half: true });
      if (job.name === 'bad') {
        throw new Error('bad luck');
      }
      if (job.name === 'runs') {
        await gate.enter(job as Job);
      }
      return { fine: [null, 1] };
    },
    { name: 'worker one' },
  );
  await waitUntil(() => gate.running === 1, { reason: 'a job runs' });
  await queue.add('next', {}, { jobId: 'next' });
  await queue.add('important', {}, { jobId: 'important', priority: 7 });
  await queue.add('late', {}, { jobId: 'late', delay: 60_000 });
}

/** What both sides can say of a job. */
function told(job: Job<unknown, unknown> | TheirJob<unknown, unknown>): object {
  const { id, name, data, progress, delay, priority, timestamp, attemptsMade, attemptsStarted } = job;
  const { stalledCounter, returnvalue, failedReason, stacktrace, processedOn, finishedOn, processedBy } = job;
  return {
    ...{
      id,
      name,
      data,
      progress,
      delay,
      priority,
      timestamp,
      attemptsMade,
      attemptsStarted,
      stalledCounter,
    },
    ...{
      returnvalue,
      failedReason,
      stacktrace,
      processedOn,
      finishedOn,
      processedBy,
    },
  };
}

describe.each(majors)('with BullMQ %i', (major) => {
  const parties: [string, Party, Party][] = [
    ['their jobs that we run', major, 'ours'],
    ['our jobs that they run', 'ours', major],
    ['our jobs that we run', 'ours', 'ours'],
    ['their jobs that they run', major, major],
  ];

  it.each(parties)('STORE-05 both sides see the same of %s', async (_, producer, worker) => {
    await onCommonGround(async (ground) => {
      const gate = new Gate();
      const ours = ground.ourQueue('work');
      const theirs = ground.theirQueue(major, 'work');
      try {
        await populate(ground, producer, worker, gate);

        const expected = { waiting: 1, active: 1, delayed: 1, prioritized: 1, completed: 1, failed: 1 };
        // v5 counts `paused` whenever `waiting` is asked for.
        expect(await theirs.getJobCounts(...states)).toMatchObject(expected);
        expect(await ours.getJobCounts(...states)).toEqual(expected);

        for (const state of states) {
          const [ourJob] = await ours.getJobs(state);
          const [theirJob] = await theirs.getJobs([state]);
          expect(told(ourJob!)).toEqual(told(theirJob!));
          expect(told((await ours.getJob(theirJob!.id!))!)).toEqual(told(theirJob!));
          expect(told((await theirs.getJob(ourJob!.id))!)).toEqual(told(ourJob!));
          expect(await theirJob!.getState()).toBe(state);
          expect(await ourJob!.getState()).toBe(state);
        }
        expect(await theirs.getJob('unknown')).toBeUndefined();
        expect(await theirs.getJobState('unknown')).toBe('unknown');
      } finally {
        gate.open();
      }
    });
  });

  it.each(parties)('JOB-01 every field of %s is filled', async (_, producer, worker) => {
    await onCommonGround(async (ground) => {
      const gate = new Gate();
      const seenBy = worker === 'ours' ? ground.theirQueue(major, 'work') : ground.ourQueue('work');
      try {
        await populate(ground, producer, worker, gate);
        expect(told((await seenBy.getJob('good'))!)).toMatchObject({
          data: { a: 1 },
          returnvalue: { fine: [null, 1] },
          progress: { half: true },
          attemptsMade: 1,
          attemptsStarted: 1,
          processedBy: 'worker one',
          processedOn: expect.any(Number),
          finishedOn: expect.any(Number),
        });
        expect(told((await seenBy.getJob('bad'))!)).toMatchObject({
          failedReason: 'bad luck',
          stacktrace: [expect.stringContaining('bad luck'), expect.stringContaining('bad luck')],
          attemptsMade: 2,
          attemptsStarted: 2,
        });
        expect(told((await seenBy.getJob('runs'))!)).toMatchObject({
          attemptsMade: 0,
          attemptsStarted: 1,
          processedBy: 'worker one',
        });
      } finally {
        gate.open();
      }
    });
  });

  it('both sides list jobs in the same order', async () => {
    await onCommonGround(async (ground) => {
      const ours = ground.ourQueue('work');
      const theirs = ground.theirQueue(major, 'work');
      for (const index of [1, 2, 3, 4, 5, 6]) {
        await (index % 2 ? ours : theirs).add('plain', { index }, { lifo: index === 5 });
        await (index % 2 ? ours : theirs).add('important', { index }, { priority: (index % 3) + 1 });
        await (index % 2 ? ours : theirs).add('late', { index }, { delay: 60_000 + (index % 4) * 1000 });
      }
      const ids = (jobs: { id?: string }[]): (string | undefined)[] => jobs.map(({ id }) => id);
      expect(ids(await ours.getWaiting())).toEqual(ids(await theirs.getWaiting()));
      expect(ids(await ours.getPrioritized())).toEqual(ids(await theirs.getPrioritized()));
      expect(ids(await ours.getDelayed())).toEqual(ids(await theirs.getDelayed()));
      expect(ids(await ours.getWaiting(1, 3))).toEqual(ids(await theirs.getWaiting(1, 3)));

      ground.work('ours', 'work', () => undefined, { removeOnComplete: { count: 9 } });
      await waitUntil(async () => (await ours.getJobCounts('completed')).completed === 9, {
        reason: 'some are done',
      });
      await ground.untilIdle('work');
      await ground.stopWorkers();
      expect(ids(await ours.getCompleted())).toEqual(ids(await theirs.getCompleted()));
      expect(ids(await ours.getCompleted(2, 4))).toEqual(ids(await theirs.getCompleted(2, 4)));
    });
  });

  it('both sides see which jobs wait for their children', async () => {
    await onCommonGround(async (ground) => {
      const ours = ground.ourQueue('work');
      const theirs = ground.theirQueue(major, 'work');
      await ground.flows(major).add({
        ...{ name: 'parent', queueName: 'work', data: { a: 1 }, opts: { jobId: 'P', priority: 2 } },
        children: [{ name: 'child', queueName: 'work', opts: { jobId: 'C' } }],
      });
      expect(await ours.getJobCounts()).toMatchObject({ waiting: 1, 'waiting-children': 1 });
      expect(await ours.count()).toBe(await theirs.count());
      const [parent] = await ours.getWaitingChildren();
      expect(told(parent!)).toEqual(told((await theirs.getJob('P'))!));
      expect(await parent!.getState()).toBe('waiting-children');
      expect(await parent!.isWaitingChildren()).toBe(true);
      expect(await (await ours.getJob('C'))!.isWaitingChildren()).toBe(false);
      ground.work('ours', 'work', () => undefined);
      await ground.untilQuiet('work');
      expect(await ours.getJobCounts()).toMatchObject({ completed: 2, 'waiting-children': 0 });
    });
  });

  it('the lists of workers of both sides show all of them', async () => {
    await onCommonGround(async (ground) => {
      ground.work('ours', 'work', () => undefined);
      ground.work('ours', 'work', () => undefined, { name: 'second' });
      ground.work(major, 'work', () => undefined, { name: 'theirs' });
      ground.work('ours', 'elsewhere', () => undefined);
      const queue = ground.theirQueue(major, 'work');
      await waitUntil(async () => (await queue.getWorkersCount()) === 3, {
        reason: 'three workers are listed',
      });
      const names = (await queue.getWorkers()).map((worker) => worker.rawname);
      const base = `${ground.prefix}:${Buffer.from('work').toString('base64')}`;
      expect(names.sort()).toEqual([base, `${base}:w:second`, `${base}:w:theirs`].sort());
      const ours = await ground.ourQueue('work').getWorkers();
      expect(ours.map(({ name }) => name ?? '').sort()).toEqual(['', 'second', 'theirs']);
      await ground.stopWorkers();
      await waitUntil(async () => (await queue.getWorkersCount()) === 0, { reason: 'no worker is listed' });
    });
  });

  it('a queue that only we have used has a version of BullMQ, as dashboards want it', async () => {
    await onCommonGround(async (ground) => {
      const ours = ground.ourQueue('work');
      await ours.add('plain', {});
      const queue = ground.theirQueue(major, 'work', { skipMetasUpdate: true });
      expect(await queue.getVersion()).toMatch(/^bullmq:/);
      expect(await ours.getVersion()).toBe(await queue.getVersion());
    });
  });

  it('the version and the length of the events that they set are left alone', async () => {
    await onCommonGround(async (ground) => {
      const theirs = ground.theirQueue(major, 'work', { streams: { events: { maxLen: 5000 } } });
      await theirs.add('plain', {});
      const version = await theirs.getVersion();
      await ground.ourQueue('work').add('plain', {});
      ground.work('ours', 'work', () => undefined);
      await ground.untilQuiet('work');
      expect(await theirs.getVersion()).toBe(version);
      expect(await ground.redis.hget(ground.key('work', 'meta'), 'opts.maxLenEvents')).toBe('5000');
    });
  });
});
