import { describe, expect, it } from '@jest/globals';

import { waitUntil } from '../../support/wait-until';
import { majors, nameOf, type Major, type Party } from './support/bullmq';
import type { CommonGround } from './support/common-ground';
import { dieWithJobs, shortLeases } from './support/dying-worker';
import { guardSharedQueues } from './support/guard';
import { expectTwins, placeOf } from './support/twins';

guardSharedQueues();

interface Cast {
  dead: Party;
  survivor: Party;
}

const policies = [
  'failParentOnFailure',
  'continueParentOnFailure',
  'ignoreDependencyOnFailure',
  'removeDependencyOnFailure',
] as const;

const cases = majors.flatMap((major): { title: string; major: Major; mixed: Cast }[] => [
  {
    title: `${nameOf(major)} whose jobs we take over`,
    major,
    mixed: { dead: major, survivor: 'ours' },
  },
  {
    title: `ours whose jobs ${nameOf(major)} takes over`,
    major,
    mixed: { dead: 'ours', survivor: major },
  },
]);

describe.each(cases)('a killed worker of $title', ({ major, mixed }) => {
  const twins = (
    scenario: (ground: CommonGround, cast: Cast) => Promise<void>,
  ): ReturnType<typeof expectTwins> =>
    // BullMQ 5 and 6 say on their worker that a job was failed for stalling.
    expectTwins<Cast>({ theirs: { dead: major, survivor: major }, mixed }, scenario, {
      mayReport: /stalled/,
    });

  it('its jobs are run by another, at no cost of an attempt', async () => {
    const left = await twins(async (ground, { dead, survivor }) => {
      const queue = ground.theirQueue(major, 'work');
      await queue.add('plain', {}, { jobId: 'plain' });
      await queue.add('important', {}, { jobId: 'important', priority: 3 });
      await queue.add('retried', {}, { jobId: 'retried', attempts: 2 });
      await dieWithJobs(ground, dead, ['work'], 3);
      ground.work(
        survivor,
        'work',
        (job) => {
          if (job.name === 'retried' && job.attemptsMade === 0) {
            throw new Error('once');
          }
          return job.attemptsStarted;
        },
        { ...shortLeases, name: 'w' },
      );
      await ground.untilQuiet('work');
    });
    expect(left['q:work:plain']).toMatchObject({ content: { stc: '1', atm: '1', ats: '2', returnvalue: 2 } });
    expect(left['q:work:retried']).toMatchObject({ content: { stc: '1', atm: '2', ats: '3' } });
    expect(left['q:work:events']).toMatchObject({
      content: { plain: expect.arrayContaining([expect.stringContaining('event=stalled')]) },
    });
  });

  it('a job that was abandoned too often fails with their words, and so do its parents', async () => {
    const left = await twins(async (ground, { dead, survivor }) => {
      const flows = ground.flows(major);
      for (const policy of policies) {
        await flows.add({
          ...{ name: 'parent', queueName: 'parents', data: {}, opts: { jobId: policy } },
          children: [
            {
              name: 'child',
              queueName: 'children',
              data: {},
              opts: { jobId: `of-${policy}`, [policy]: true },
            },
          ],
        });
      }
      await dieWithJobs(ground, dead, ['children'], 4, 0);
      const options = { ...shortLeases, maxStalledCount: 0, name: 'w' };
      ground.work(survivor, 'children', () => 'never run', options);
      await waitUntil(async () => (await ground.redis.zcard(ground.key('children', 'failed'))) === 4, {
        reason: 'the children failed',
      });
      ground.work(survivor, 'parents', () => 'ran', options);
      await ground.untilQuiet('children', 'parents');
    });
    expect(left['q:children:of-failParentOnFailure']).toMatchObject({
      content: { failedReason: 'job stalled more than allowable limit', stc: '1' },
    });
    expect(policies.map((policy) => placeOf(left, 'parents', policy))).toEqual([
      'failed',
      'completed',
      'completed',
      'completed',
    ]);
  });

  it('goes on with its schedule', async () => {
    const left = await twins(async (ground, { dead, survivor }) => {
      const queue = ground.theirQueue(major, 'work');
      await queue.upsertJobScheduler('tick', { every: 300, limit: 3 }, { name: 'tick', data: { a: 1 } });
      await dieWithJobs(ground, dead, ['work'], 1, 0);
      ground.work(survivor, 'work', () => 'ran', { ...shortLeases, maxStalledCount: 0, name: 'w' });
      await waitUntil(async () => (await ground.redis.zcard(ground.key('work', 'completed'))) === 3, {
        reason: 'all three ran',
      });
      await ground.untilQuiet('work');
    });
    expect(left['q:work:completed']).toMatchObject({
      content: ['repeat:tick:#1', 'repeat:tick:#2', 'repeat:tick:#3'],
    });
  });
});
