import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Queue } from 'bullmq-6';

import { waitUntil } from '../../support/wait-until';
import { bullmq, majors, nameOf, type Major, type Party } from './support/bullmq';
import { CommonGround, onCommonGround, type Handler } from './support/common-ground';
import { guardSharedQueues } from './support/guard';

guardSharedQueues();

describe.each(majors)('what a queue of BullMQ %i says', (major) => {
  let ground: CommonGround;
  let queue: Queue;
  let startedAt: number[];

  beforeEach(() => {
    ground = new CommonGround();
    queue = ground.theirQueue(major, 'work');
    startedAt = [];
  });

  afterEach(() => ground.close());

  const note: Handler = () => void startedAt.push(Date.now());

  const addSome = (count: number): Promise<unknown> =>
    queue.addBulk(Array.from({ length: count }, (_, n) => ({ name: 'job', data: { n } })));

  it.each([
    ['we', ['ours']],
    ['we and they', ['ours', major]],
  ] as [string, Party[]][])('of a ceiling holds when %s work it', async (_, parties) => {
    await queue.setGlobalConcurrency(2);
    await addSome(40);
    let running = 0;
    let most = 0;
    const handler: Handler = async () => {
      running += 1;
      most = Math.max(most, running);
      await ground.redis.ping();
      running -= 1;
    };
    parties.forEach((party) => ground.work(party, 'work', handler, { concurrency: 10 }));
    await ground.untilQuiet('work');
    expect(most).toBe(2);
    expect(await queue.getJobCounts('completed')).toEqual({ completed: 40 });
  });

  it('of a ceiling can be taken back while we work', async () => {
    await queue.setGlobalConcurrency(1);
    await addSome(6);
    let running = 0;
    const gates: (() => void)[] = [];
    ground.work(
      'ours',
      'work',
      () => {
        running += 1;
        return new Promise<void>((resolve) => gates.push(resolve));
      },
      { concurrency: 5, drainDelay: 1 },
    );
    await waitUntil(() => running === 1, { reason: 'one runs' });
    await queue.removeGlobalConcurrency();
    await waitUntil(
      () => {
        gates.splice(0).forEach((leave) => leave());
        return running === 6;
      },
      { reason: 'all ran' },
    );
    await waitUntil(
      async () => {
        gates.splice(0).forEach((leave) => leave());
        return (await queue.getJobCounts('completed')).completed === 6;
      },
      { reason: 'all are done' },
    );
  });

  it.each([
    ['we', ['ours']],
    ['we and they', ['ours', major]],
  ] as [string, Party[]][])('of a rate holds when %s work it', async (_, parties) => {
    await queue.setGlobalRateLimit(3, 300);
    await addSome(9);
    const from = Date.now();
    parties.forEach((party) => ground.work(party, 'work', note, { concurrency: 5 }));
    await ground.untilQuiet('work');
    expect(startedAt).toHaveLength(9);
    // Three windows, the first of which begins with the first job.
    expect(startedAt.at(-1)! - from).toBeGreaterThanOrEqual(2 * 300);
  });

  it('of a rate is counted as they count it', async () => {
    await queue.setGlobalRateLimit(5, 60_000);
    await addSome(8);
    ground.work('ours', 'work', note, { concurrency: 2 });
    await waitUntil(async () => (await queue.getJobCounts('completed')).completed === 5, {
      reason: 'five ran',
    });
    expect(await ground.redis.get(ground.key('work', 'limiter'))).toBe('5');
    const left = await ground.redis.pttl(ground.key('work', 'limiter'));
    expect(left).toBeGreaterThan(50_000);
    expect(left).toBeLessThanOrEqual(60_000);
    expect(await queue.getRateLimitTtl(5)).toBeGreaterThan(50_000);
    expect(await queue.getJobCounts('completed', 'active')).toEqual({ completed: 5, active: 0 });

    await queue.removeRateLimitKey();
    await queue.removeGlobalRateLimit();
    // A worker of theirs would not know before its own wait is over either: ours hears of the next job.
    await addSome(1);
    const worker = ground.theirWorker(major, 'work', note);
    await ground.untilQuiet('work');
    await worker.close();
    expect(startedAt).toHaveLength(9);
  });

  it('of a break in all work is kept, given that there is a rate', async () => {
    await queue.setGlobalRateLimit(1000, 1000);
    const from = Date.now();
    await queue.rateLimit(400);
    await addSome(3);
    ground.work('ours', 'work', note);
    await ground.untilQuiet('work');
    expect(startedAt[0]! - from).toBeGreaterThanOrEqual(400);
    expect(startedAt).toHaveLength(3);
  });

  it('of a break that their own worker has called is kept', async () => {
    await queue.setGlobalRateLimit(1000, 1000);
    let calls = 0;
    const from = Date.now();
    const theirs = ground.theirWorker(major, 'work', async () => {
      calls += 1;
      await queue.rateLimit(400);
      throw new (bullmq(major).RateLimitError)();
    });
    await addSome(1);
    await waitUntil(async () => calls === 1 && (await queue.getJobCounts('waiting')).waiting === 1, {
      reason: 'it was put back',
    });
    await theirs.close();
    ground.work('ours', 'work', (job) => {
      startedAt.push(Date.now());
      return job.attemptsMade;
    });
    await ground.untilQuiet('work');
    expect(startedAt[0]! - from).toBeGreaterThanOrEqual(400);
    expect(await ground.redis.hmget(ground.key('work', '1'), 'atm', 'ats', 'returnvalue')).toEqual([
      '1',
      '2',
      '0',
    ]);
  });
});

describe.each(
  majors.flatMap((major): { by: Party; other: Party; major: Major }[] => [
    { by: 'ours', other: major, major },
    { by: major, other: 'ours', major },
  ]),
)('a queue that $by pauses, with a worker of $other', ({ by, other, major }) => {
  let ground: CommonGround;
  beforeEach(() => {
    ground = new CommonGround();
  });
  afterEach(() => ground.close());

  const isPausedFor = async (party: Party): Promise<boolean> =>
    party === 'ours' ? ground.ourQueue('work').isPaused() : ground.theirQueue(party, 'work').isPaused();

  it.each([
    [`${nameOf(by)}, who paused it`, by],
    [nameOf(other), other],
  ])('hands out nothing until it is resumed by %s', async (_, resumer) => {
    // v5 has used the queue: its way of pausing is known to us from then on.
    const theirs = ground.theirQueue(major, 'work');
    await theirs.waitUntilReady();
    const pauser = ground.producer(by, 'work');
    const producers = [pauser, ground.producer(other, 'work')];
    const ran: string[] = [];
    await pauser.add('before', {}, { jobId: 'before' });
    await pauser.pause();
    expect(await isPausedFor(other)).toBe(true);
    for (const [index, producer] of producers.entries()) {
      await producer.add('while', {}, { jobId: `while-${index}` });
      await producer.add('while', {}, { jobId: `important-${index}`, priority: 2 });
      await producer.add('while', {}, { jobId: `late-${index}`, delay: 1 });
    }
    ground.work(other, 'work', (job) => void ran.push(job.id!), { drainDelay: 1 });
    // It has looked: what was due waits now.
    await waitUntil(async () => (await ground.redis.zcard(ground.key('work', 'delayed'))) === 0, {
      reason: 'the worker has looked at the queue',
    });
    expect(ran).toEqual([]);

    await ground.producer(resumer, 'work').resume();
    expect(await isPausedFor(by)).toBe(false);
    expect(await isPausedFor(other)).toBe(false);
    await waitUntil(() => ran.length === 7, { reason: 'all jobs ran' });
    await ground.untilQuiet('work');
    expect(ran.sort()).toEqual(
      [
        'before',
        ...[0, 1].flatMap((index) => [`while-${index}`, `important-${index}`, `late-${index}`]),
      ].sort(),
    );
  });

  it('lets running jobs end', async () => {
    const theirs = ground.theirQueue(major, 'work');
    let end: (() => void) | undefined;
    ground.work(other, 'work', () => new Promise<void>((resolve) => (end = resolve)));
    await theirs.add('runs', {});
    await theirs.add('waits', {});
    await waitUntil(() => end, { reason: 'a job runs' });
    const pauser = ground.producer(by, 'work');
    await pauser.pause();
    end!();
    await waitUntil(async () => (await theirs.getJobCounts('completed')).completed === 1, {
      reason: 'it is done',
    });
    end = undefined;
    expect(await theirs.getActiveCount()).toBe(0);
    expect(await theirs.getWaitingCount()).toBe(1);
    await pauser.resume();
    await waitUntil(() => end, { reason: 'the other runs' });
    end!();
    await ground.untilQuiet('work');
  });
});

describe('a queue that we have paused before BullMQ 5 came, of which we were told', () => {
  it('loses nothing when version 5 resumes it', async () => {
    await onCommonGround(async (ground) => {
      ground.expected = 5;
      const ours = ground.ourQueue('work');
      await ours.add('job', {}, { jobId: 'before' });
      await ours.pause();
      await ours.add('job', {}, { jobId: 'while' });
      const theirs = ground.theirQueue(5, 'work');
      await theirs.add('job', {}, { jobId: 'theirs' });
      expect(await theirs.getJobCounts('waiting', 'paused' as never)).toEqual({ waiting: 0, paused: 3 });
      expect(await ours.getJobCounts('waiting')).toEqual({ waiting: 3 });
      await theirs.resume();
      const ran: string[] = [];
      ground.work('ours', 'work', (job) => void ran.push(job.id!));
      await ground.untilQuiet('work');
      expect(ran).toEqual(['before', 'while', 'theirs']);
    });
  });
});
