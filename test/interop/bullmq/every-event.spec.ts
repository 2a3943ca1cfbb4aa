import { describe, expect, it } from '@jest/globals';
import { QUEUE_EVENT_NAMES } from 'nestjs-lane/contract';
import { QueueEventsProducer } from 'nestjs-lane/engine';

import { waitUntil } from '../../support/wait-until';
import { bullmq, majors, type Major, type Party } from './support/bullmq';
import { onCommonGround, type CommonGround } from './support/common-ground';
import { dieWithJobs, shortLeases } from './support/dying-worker';
import { guardSharedQueues } from './support/guard';

guardSharedQueues();

const ownNames = ['bounced', 'bounced:7'];

interface Heard {
  event: string;
  fields: Record<string, unknown>;
}

interface Listening {
  on(event: string, listener: (fields: unknown) => void): unknown;
  waitUntilReady(): Promise<unknown>;
}

async function listen(ground: CommonGround, party: Party): Promise<Heard[]> {
  const heard: Heard[] = [];
  const events = (
    party === 'ours' ? ground.ourEvents('work') : ground.theirEvents(party, 'work')
  ) as Listening;
  for (const event of [...QUEUE_EVENT_NAMES, ...ownNames]) {
    events.on(event, (fields) => {
      heard.push({ event, fields: typeof fields === 'object' ? { ...fields } : {} });
    });
  }
  await events.waitUntilReady();
  return heard;
}

/** Everything that clients of BullMQ can make a queue tell. */
async function makeNoise(ground: CommonGround, major: Major): Promise<void> {
  const queue = ground.theirQueue(major, 'work');
  await queue.add('lost', {}, { jobId: 'lost' });
  await dieWithJobs(ground, major, ['work'], 1);
  await queue.pause();
  await queue.add('late', {}, { jobId: 'late', delay: 60_000 });
  await queue.add('late', {}, { jobId: 'late' });
  await queue.add('once', {}, { jobId: 'once', deduplication: { id: 'd' } });
  await queue.add('once', {}, { jobId: 'again', deduplication: { id: 'd' } });
  await queue.add('broken', {}, { jobId: 'broken' });
  await ground.flows(major).add({
    name: 'parent',
    queueName: 'work',
    opts: { jobId: 'parent' },
    children: [{ name: 'child', queueName: 'work', opts: { jobId: 'child' } }],
  });
  await queue.resume();
  ground.work(
    major,
    'work',
    async (job) => {
      await job.updateProgress({ half: 0.5 });
      if (job.name === 'broken') {
        throw new Error('broken');
      }
      return [job.name];
    },
    shortLeases,
  );
  await waitUntil(async () => (await queue.getJobCountByTypes('completed')) === 4, {
    reason: 'the lost job, the single one and both of the flow are completed',
  });
  // With a delayed job in the queue BullMQ does not tell that it ran dry.
  await queue.remove('late');
  await queue.add('last', {}, { jobId: 'last' });
  await waitUntil(async () => (await queue.getJobState('last')) === 'completed', {
    reason: 'the last one ran',
  });
  await ground.untilIdle('work');
  await queue.clean(0, 100, 'completed');
}

async function publish(ground: CommonGround, party: Party): Promise<void> {
  const event = { eventName: 'bounced', jobId: '7', to: 'zoé', constructor: 'own' };
  if (party === 'ours') {
    const producer = new QueueEventsProducer('work', { backend: ground.backend });
    await producer.publishEvent(event);
    await producer.close();
  } else {
    const producer = new (bullmq(party).QueueEventsProducer)('work', ground.connection);
    await producer.publishEvent(event);
    await producer.close();
  }
}

describe.each(majors)('every event, with BullMQ %i', (major) => {
  it('JOB-35 of theirs is told by our listener as by theirs, with all of its fields', async () => {
    await onCommonGround(async (ground) => {
      const theirs = await listen(ground, major);
      const ours = await listen(ground, 'ours');
      await makeNoise(ground, major);
      await waitUntil(() => [ours, theirs].every((heard) => heard.at(-1)?.event === 'cleaned'), {
        reason: 'both heard of the last thing',
      });

      expect(ours).toEqual(theirs);
      const told = new Set(ours.map(({ event }) => event));
      expect(QUEUE_EVENT_NAMES.filter((name) => !told.has(name))).toEqual(major === 5 ? [] : ['debounced']);
      expect(ours).toContainEqual({
        event: 'deduplicated',
        fields: { jobId: 'once', deduplicationId: 'd', deduplicatedJobId: 'again' },
      });
      expect(ours).toContainEqual({ event: 'waiting-children', fields: { jobId: 'parent' } });
      expect(ours).toContainEqual({ event: 'removed', fields: { jobId: 'late', prev: 'delayed' } });
    });
  });

  it.each<[Party, string]>([
    ['ours', 'of our producer'],
    [major, 'of their producer'],
  ])('own events (%s) are told %s by both listeners alike', async (party) => {
    await onCommonGround(async (ground) => {
      const theirs = await listen(ground, major);
      const ours = await listen(ground, 'ours');
      await publish(ground, party);
      await waitUntil(() => ours.length === 2 && theirs.length === 2, { reason: 'both heard of it' });

      const fields = { jobId: '7', to: 'zoé', constructor: 'own' };
      expect(ours).toEqual([
        { event: 'bounced', fields },
        { event: 'bounced:7', fields },
      ]);
      expect(theirs).toEqual(ours);
    });
  });

  it('own events of theirs that would pass for others are told by none of our listeners', async () => {
    await onCommonGround(async (ground) => {
      const listener = ground.ourEvents('work');
      await listener.waitUntilReady();
      const heard: string[] = [];
      listener.on('completed:7', () => heard.push('completed:7'));
      listener.on<Record<'bounced', () => void>>('bounced', () => heard.push('bounced'));
      const producer = new (bullmq(major).QueueEventsProducer)('work', ground.connection);
      for (const eventName of ['completed:7', 'error', 'gap', 'newListener', 'bounced']) {
        await producer.publishEvent({ eventName });
      }
      await ground.redis.xadd(ground.key('work', 'events'), '*', 'no', 'event');
      await producer.publishEvent({ eventName: 'bounced' });
      await waitUntil(() => heard.length === 2, { reason: 'the honest ones were heard' });

      expect(heard).toEqual(['bounced', 'bounced']);
      expect(ground.errors).toEqual([]);
      await producer.close();
    });
  });
});

describe('every event, with both majors of BullMQ', () => {
  // A look for what no event tells is ten seconds away: one wait does for both.
  it('whoever waits for a job of ours that they run, or remove, is told of its end', async () => {
    await Promise.all(majors.map((major) => onCommonGround((ground) => expectEndsTold(ground, major))));
  });
});

async function expectEndsTold(ground: CommonGround, major: Major): Promise<void> {
  const queue = ground.ourQueue('work');
  const events = ground.ourEvents('work');
  await events.waitUntilReady();
  const [good, bad, removed, drained] = await queue.addBulk(
    ['good', 'bad', 'removed', 'drained'].map((name) => ({
      name,
      data: {},
      opts: { removeOnComplete: true, removeOnFail: true, ...(name === 'drained' ? {} : { delay: 300 }) },
    })),
  );
  const ends = Promise.allSettled(
    [good!, bad!, removed!, drained!].flatMap((job) => [job.finished(), job.waitUntilFinished(events)]),
  );
  await queue.waitUntilReady();
  const theirs = ground.theirQueue(major, 'work');
  await theirs.drain();
  await theirs.remove(removed!.id);
  ground.work(major, 'work', (job) => {
    if (job.name === 'bad') {
      throw new Error('no luck');
    }
    return Promise.resolve({ did: job.name });
  });

  const [value, same, ...errors] = await ends;
  expect([value, same]).toMatchObject(Array(2).fill({ value: { did: 'good' } }));
  expect(errors.map((end) => (end as { reason: { code: string } }).reason.code)).toEqual([
    'LANE_JOB_FAILED',
    'LANE_JOB_FAILED',
    ...Array<string>(4).fill('LANE_JOB_REMOVED'),
  ]);
}
