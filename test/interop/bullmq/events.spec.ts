import { describe, expect, it } from '@jest/globals';
import type { QueueEventName } from 'nestjs-lane/engine';

import { waitUntil } from '../../support/wait-until';
import { majors, nameOf, type Major, type Party } from './support/bullmq';
import { onCommonGround, type CommonGround, type CommonJobOptions } from './support/common-ground';
import { guardSharedQueues } from './support/guard';

guardSharedQueues();

const eventNames = [
  'added',
  'waiting',
  'active',
  'delayed',
  'progress',
  'completed',
  'failed',
  'retries-exhausted',
  'duplicated',
  'drained',
  'paused',
  'resumed',
] as const satisfies QueueEventName[];

interface Heard {
  event: string;
  fields: Record<string, unknown>;
}

type Listener = (fields: unknown) => void;

/** What all listeners are: each party types its own events. */
interface Listening {
  on(event: string, listener: Listener): unknown;
  waitUntilReady(): Promise<unknown>;
}

/** Hears everything in a queue, whoever makes it happen. */
async function listen(ground: CommonGround, party: Party): Promise<Heard[]> {
  const heard: Heard[] = [];
  const hear =
    (event: string): Listener =>
    (fields) => {
      // BullMQ hands over the id of the entry alone when there is nothing else to say, and we an empty record.
      heard.push({ event, fields: typeof fields === 'object' ? { ...fields } : {} });
    };
  const events = (
    party === 'ours' ? ground.ourEvents('work') : ground.theirEvents(party, 'work')
  ) as Listening;
  eventNames.forEach((name) => events.on(name, hear(name)));
  await events.waitUntilReady();
  return heard;
}

/** One of everything, by one party. */
async function makeNoise(ground: CommonGround, party: Party): Promise<void> {
  const queue = ground.producer(party, 'work');
  await queue.pause();
  // An id that is there already counts on with BullMQ, and does not with us: every job has one of its own.
  const add = (name: string, opts: CommonJobOptions = {}): Promise<unknown> =>
    queue.add(name, { n: 1 }, { jobId: name, ...opts });
  await add('ok');
  await add('named');
  await add('named');
  await add('late', { delay: 40 });
  await add('important', { priority: 3 });
  await add('flaky', { attempts: 2 });
  await add('patient', { attempts: 2, backoff: { type: 'fixed', delay: 15 } });
  await add('broken', { removeOnFail: true });
  await queue.resume();
  ground.work(party, 'work', async (job) => {
    await job.updateProgress({ of: job.name, done: 0.5 });
    if (job.name === 'broken' || (['flaky', 'patient'].includes(job.name) && job.attemptsMade === 0)) {
      throw new Error('broken\non two lines');
    }
    return { did: job.name };
  });
  await ground.untilQuiet('work');
}

/** In the order of each job; how jobs interleave is not the point, nor is how often the queue ran dry in between. */
function ordered(heard: Heard[]): Record<string, Heard[]> {
  const byJob: Record<string, Heard[]> = {};
  for (const { event, fields } of heard) {
    const told = event === 'delayed' ? { ...fields, delay: typeof fields.delay } : fields;
    (byJob[typeof fields.jobId === 'string' ? fields.jobId : 'queue'] ??= []).push({ event, fields: told });
  }
  byJob.queue = byJob.queue!.filter(({ event }) => event !== 'drained');
  return byJob;
}

async function hear(listener: Party, maker: Party): Promise<Record<string, Heard[]>> {
  return onCommonGround(async (ground) => {
    const heard = await listen(ground, listener);
    await makeNoise(ground, maker);
    await waitUntil(() => heard.filter(({ event }) => ['completed', 'failed'].includes(event)).length === 7, {
      reason: 'every job was heard to end',
    });
    await waitUntil(() => heard.some(({ event }) => event === 'drained'), { reason: 'the queue ran dry' });
    return ordered(heard);
  });
}

describe.each(majors)('events, with BullMQ %i', (major) => {
  it('of ours reach their listeners as those of their own do', async () => {
    const [ofTheirs, ofOurs] = await Promise.all([hear(major, major), hear(major, 'ours')]);
    expect(ofOurs).toEqual(ofTheirs);
    expect(ofOurs.named!.map(({ event }) => event)).toEqual([
      'added',
      'waiting',
      'duplicated',
      'active',
      'progress',
      'completed',
    ]);
  });

  it('of theirs reach our listeners as those of our own do', async () => {
    const [ofOurs, ofTheirs] = await Promise.all([hear('ours', 'ours'), hear('ours', major)]);
    expect(ofTheirs).toEqual(ofOurs);
  });

  it('end the wait of a producer of theirs for a job that we run', async () => {
    await onCommonGround(async (ground) => {
      const events = ground.theirEvents(major, 'work');
      const queue = ground.theirQueue(major, 'work');
      ground.work('ours', 'work', (job) => {
        if (job.name === 'broken') {
          throw new Error('no luck');
        }
        return { a: [1] };
      });
      const good = await queue.add('good', {});
      const broken = await queue.add('broken', {});
      expect(await good.waitUntilFinished(events, 5000)).toEqual({ a: [1] });
      await expect(broken.waitUntilFinished(events, 5000)).rejects.toThrow('no luck');
    });
  });
});

it.each([...majors.map((major): [string, Major] => [nameOf(major), major])])(
  'a job of ours can be followed while %s runs it',
  async (_, major) => {
    await onCommonGround(async (ground) => {
      const queue = ground.ourQueue('work');
      const job = await queue.add('slow', {});
      const seen: unknown[] = [];
      const done = new Promise<void>((resolve) => {
        job.progress$.subscribe({ next: (progress) => seen.push(progress), complete: resolve });
      });
      await queue.waitUntilReady();
      ground.work(major, 'work', async (taken) => {
        await taken.updateProgress(50);
        await taken.updateProgress({ at: 'the end' });
      });
      await done;
      expect(seen.at(-1)).toEqual({ at: 'the end' });
    });
  },
);
