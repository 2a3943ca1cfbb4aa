import { describe, expect, it } from '@jest/globals';

import { majors, nameOf, type Major, type Party } from './support/bullmq';
import type { CommonGround, CommonJobOptions, CommonWorkerOptions } from './support/common-ground';
import { guardSharedQueues } from './support/guard';
import { expectTwins } from './support/twins';

guardSharedQueues();

type Retention = boolean | number | { count?: number; age?: number; limit?: number };

/** Who has finished the old jobs, and added the new ones; and who finishes those. */
interface Cast {
  first: Party;
  second: Party;
}

const minute = 60;

/** What is kept of four old jobs, of an hour ago, and four new ones. */
const forms: [by: 'the jobs' | 'the worker', Retention, kept: string[]][] = [
  ['the jobs', true, ['old-1', 'old-2', 'old-3', 'old-4']],
  ['the jobs', false, ['old-1', 'old-2', 'old-3', 'old-4', 'new-1', 'new-2', 'new-3', 'new-4']],
  ['the jobs', 0, ['old-1', 'old-2', 'old-3', 'old-4']],
  ['the jobs', -1, ['old-1', 'old-2', 'old-3', 'old-4', 'new-1', 'new-2', 'new-3', 'new-4']],
  ['the jobs', 3, ['new-2', 'new-3', 'new-4']],
  ['the jobs', { count: 0 }, ['old-1', 'old-2', 'old-3', 'old-4']],
  ['the jobs', { count: 6 }, ['old-3', 'old-4', 'new-1', 'new-2', 'new-3', 'new-4']],
  ['the jobs', { age: minute }, ['new-1', 'new-2', 'new-3', 'new-4']],
  ['the jobs', { age: minute, count: 2 }, ['new-3', 'new-4']],
  ['the jobs', { age: minute, limit: 1 }, ['new-1', 'new-2', 'new-3', 'new-4']],
  ['the jobs', { age: 120 * minute, count: 5 }, ['old-4', 'new-1', 'new-2', 'new-3', 'new-4']],
  ['the worker', { count: 0 }, ['old-1', 'old-2', 'old-3', 'old-4']],
  ['the worker', { count: 3 }, ['new-2', 'new-3', 'new-4']],
  ['the worker', { age: minute }, ['new-1', 'new-2', 'new-3', 'new-4']],
  ['the worker', { age: minute, count: 2 }, ['new-3', 'new-4']],
];

const casts = (major: Major): [string, Cast][] => [
  [`jobs that we add and ${nameOf(major)} finishes`, { first: 'ours', second: major }],
  [`jobs that ${nameOf(major)} adds and we finish`, { first: major, second: 'ours' }],
];

const cells = majors.flatMap((major) => casts(major).map(([title, mixed]) => ({ title, major, mixed })));

const states = ['completed', 'failed'] as const;

/** Four jobs that end well and four that end badly, all with these options. */
async function finishSome(
  ground: CommonGround,
  { producer, worker }: { producer: Party; worker: Party },
  name: string,
  job: CommonJobOptions,
  options: CommonWorkerOptions,
): Promise<void> {
  const queue = ground.producer(producer, 'work');
  for (const state of states) {
    for (const n of [1, 2, 3, 4]) await queue.add(state, {}, { jobId: `${state}-${name}-${n}`, ...job });
  }
  ground.work(
    worker,
    'work',
    (taken) => {
      if (taken.name === 'failed') throw new Error('broken');
    },
    options,
  );
  await ground.untilQuiet('work');
  await ground.stopWorkers();
}

/** Sets the end of all finished jobs back by an hour. */
async function age(ground: CommonGround): Promise<void> {
  for (const state of states) {
    const key = ground.key('work', state);
    const ids = await ground.redis.zrange(key, '0', '-1');
    for (const [index, id] of ids.entries()) {
      const finishedOn = Date.now() - 3_600_000 + index;
      await ground.redis.zadd(key, finishedOn, id);
      await ground.redis.hset(ground.key('work', id), 'finishedOn', finishedOn);
    }
  }
}

describe.each(cells)('what is kept of $title', ({ major, mixed }) => {
  // A negative number is read where BullMQ has stored it, and refused when we add a job.
  const ofParty = forms.filter(([, retention]) => retention !== -1 || mixed.first !== 'ours');

  it.each(ofParty)('by the word of %s, which is %j', async (by, retention, kept) => {
    const options = { removeOnComplete: retention, removeOnFail: retention };
    const theirs: Cast = { first: major, second: major };
    await expectTwins<Cast>({ theirs, mixed }, async (ground, { first, second }) => {
      await finishSome(ground, { producer: first, worker: first }, 'old', {}, {});
      await age(ground);
      await finishSome(
        ground,
        { producer: first, worker: second },
        'new',
        by === 'the jobs' ? options : {},
        // BullMQ's types want a number of jobs with each age.
        by === 'the worker' ? (options as CommonWorkerOptions) : {},
      );

      // As both see it.
      const readers = [ground.ourQueue('work'), ground.theirQueue(major, 'work')];
      for (const reader of readers) {
        for (const state of states) {
          const jobs = (await reader.getJobs([state])) as { id?: string }[];
          expect(jobs.map(({ id }) => id!.slice(state.length + 1)).sort()).toEqual([...kept].sort());
        }
      }
    });
  });
});
