import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Queue as TheirQueue } from 'bullmq-6';
import { RateLimitError, type Queue } from 'nestjs-lane/engine';

import { Gate } from '../../support/gate';
import { waitUntil } from '../../support/wait-until';
import { bullmq, majors, type Major, type Party } from './support/bullmq';
import { CommonGround, type Handler } from './support/common-ground';
import { guardSharedQueues } from './support/guard';

guardSharedQueues();

const window = 400;

/** By how much a client's time of a claim may be before the server's. */
const slack = 60;

let ground: CommonGround;

/** When the jobs were claimed, in order. */
async function claimTimes(jobs: number): Promise<number[]> {
  const times: number[] = [];
  for (let id = 1; id <= jobs; id += 1) {
    times.push(Number(await ground.redis.hget(ground.key('work', String(id)), 'processedOn')));
  }
  return times.sort((left, right) => left - right);
}

/** No window, which its first job begins, has more jobs than it may have. */
function expectWindows(times: readonly number[], max: number): void {
  for (let first = max; first < times.length; first += max) {
    expect(times[first]! - times[first - max]!).toBeGreaterThanOrEqual(window - slack);
  }
}

const addSome = (queue: TheirQueue, count: number): Promise<unknown> =>
  queue.addBulk(Array.from({ length: count }, (_, n) => ({ name: 'job', data: { n } })));

const ended: Handler = () => undefined;

describe.each(
  majors.flatMap((major): { by: Party; major: Major; workers: Party[] }[] => [
    { by: 'ours', major, workers: [major] },
    { by: 'ours', major, workers: ['ours', major] },
    { by: major, major, workers: ['ours'] },
    { by: major, major, workers: ['ours', major] },
  ]),
)('a limit that $by sets, with workers of $workers', ({ by, major, workers }) => {
  let ours: Queue;
  let theirs: TheirQueue;
  let setter: Pick<TheirQueue, 'setGlobalConcurrency' | 'setGlobalRateLimit' | 'rateLimit'>;

  beforeEach(() => {
    ground = new CommonGround();
    ours = ground.ourQueue('work');
    theirs = ground.theirQueue(major, 'work');
    setter = by === 'ours' ? (ours as unknown as typeof setter) : theirs;
  });

  afterEach(() => ground.close());

  it('is kept, for jobs that are active at once', async () => {
    await setter.setGlobalConcurrency(3);
    await addSome(theirs, 60);
    let running = 0;
    let most = 0;
    const handler: Handler = async () => {
      running += 1;
      most = Math.max(most, running);
      await ground.redis.ping();
      running -= 1;
    };
    workers.forEach((party) => ground.work(party, 'work', handler, { concurrency: 8, drainDelay: 1 }));
    await ground.untilQuiet('work');

    expect(most).toBe(3);
    expect(await ours.getJobCounts('completed')).toEqual({ completed: 60 });
  });

  it('is kept, for jobs that are claimed in a time', async () => {
    await setter.setGlobalRateLimit(4, window);
    await addSome(theirs, 17);
    workers.forEach((party) => ground.work(party, 'work', ended, { concurrency: 5, drainDelay: 1 }));
    await ground.untilQuiet('work');

    expectWindows(await claimTimes(17), 4);
  });

  it('is kept, where nothing is to be claimed for a time by workers with a limiter', async () => {
    const from = Date.now();
    await setter.rateLimit(window);
    await addSome(theirs, 4);
    const limiter = { max: 100, duration: 1_000 };
    workers.forEach((party) => ground.work(party, 'work', ended, { limiter }));
    await ground.untilQuiet('work');

    expect((await claimTimes(4))[0]! - from).toBeGreaterThanOrEqual(window - slack);
  });
});

describe.each(majors)('limits on a queue that we share with BullMQ %i', (major) => {
  let ours: Queue;
  let theirs: TheirQueue;

  beforeEach(() => {
    ground = new CommonGround();
    ours = ground.ourQueue('work');
    theirs = ground.theirQueue(major, 'work');
  });

  afterEach(() => ground.close());

  it('of workers of both count in one window, under load', async () => {
    await addSome(theirs, 45);
    const options = { concurrency: 10, limiter: { max: 10, duration: window }, drainDelay: 1 };
    for (const party of ['ours', major, 'ours', major] as Party[]) {
      ground.work(party, 'work', ended, options);
    }
    await ground.untilQuiet('work');

    const times = await claimTimes(45);
    expectWindows(times, 10);
    expect(times.at(-1)! - times[0]!).toBeLessThan(5 * window + 2_000);
    expect(await ours.getJobCounts('completed')).toEqual({ completed: 45 });
  });

  it.each<[Party, Party]>([
    ['ours', major],
    [major, 'ours'],
  ])('are read alike when %s sets them and %s reads', async (by, reader) => {
    const set = by === 'ours' ? (ours as unknown as TheirQueue) : theirs;
    const read = reader === 'ours' ? (ours as unknown as TheirQueue) : theirs;
    expect(await read.getGlobalConcurrency()).toBeNull();
    expect(await read.getGlobalRateLimit()).toBeNull();
    expect(await read.getRateLimitTtl()).toBe(-2);
    await set.setGlobalConcurrency(1);
    await set.setGlobalRateLimit(7, 60_000);
    expect(await read.getGlobalConcurrency()).toBe(1);
    expect(await read.getGlobalRateLimit()).toEqual({ max: 7, duration: 60_000 });
    expect(await read.getMeta()).toMatchObject({ concurrency: 1, max: 7, duration: 60_000, paused: false });
    expect(await read.getRateLimitTtl()).toBe(0);

    const gate = new Gate();
    const worker = ground.work(by, 'work', (job) => gate.enter(job as never), { concurrency: 3 });
    await addSome(theirs, 2);
    await waitUntil(() => gate.running === 1, { reason: 'one runs' });
    expect([await read.isMaxed(), await set.isMaxed()]).toEqual([true, true]);
    expect(await read.getRateLimitTtl(1)).toBeGreaterThan(50_000);
    expect(await read.getRateLimitTtl(2)).toBe(0);
    await set.removeGlobalConcurrency();
    expect([await read.isMaxed(), await read.getGlobalConcurrency()]).toEqual([false, null]);
    await set.rateLimit(30_000);
    expect(await read.getRateLimitTtl()).toBeGreaterThan(20_000);
    await set.removeRateLimitKey();
    await set.removeGlobalRateLimit();
    expect([await read.getGlobalRateLimit(), await read.getRateLimitTtl()]).toEqual([null, -2]);
    const letOut = setInterval(() => gate.running > 0 && gate.letOneOut(), 5);
    await ground.untilQuiet('work');
    clearInterval(letOut);
    await worker.close();
  });

  it.each<Party>(['ours', major])(
    'are met by a handler in a worker of %s with the error of the other',
    async (party) => {
      const ErrorClass = party === 'ours' ? bullmq(major).RateLimitError : RateLimitError;
      const queue = party === 'ours' ? theirs : ours;
      const startedAt: number[] = [];
      await addSome(theirs, 1);
      ground.work(
        party,
        'work',
        async () => {
          startedAt.push(Date.now());
          if (startedAt.length === 1) {
            await queue.rateLimit(window);
            throw new ErrorClass();
          }
        },
        { limiter: { max: 100, duration: 1_000 } },
      );
      await ground.untilQuiet('work');

      expect(startedAt).toHaveLength(2);
      expect(startedAt[1]! - startedAt[0]!).toBeGreaterThanOrEqual(window - slack);
      expect(await ground.redis.hmget(ground.key('work', '1'), 'atm', 'ats', 'failedReason')).toEqual([
        '1',
        '2',
        null,
      ]);
      expect(await ground.redis.zcard(ground.key('work', 'completed'))).toBe(1);
    },
  );

  it('that we lift are no longer kept by their workers from their next look on', async () => {
    await theirs.rateLimit(60_000);
    await addSome(theirs, 3);
    ground.work(major, 'work', ended, { limiter: { max: 9, duration: 50 }, maximumRateLimitDelay: 100 });
    ground.work('ours', 'work', ended, { limiter: { max: 9, duration: 50 } });
    await waitUntil(async () => (await ground.redis.exists(ground.key('work', 'ln:h'))) === 1, {
      reason: 'ours is held back',
    });
    expect(await ours.getJobCounts('waiting')).toEqual({ waiting: 3 });
    await ours.removeRateLimitKey();

    await ground.untilQuiet('work');
    expect(await ground.redis.exists(ground.key('work', 'ln:h'))).toBe(0);
  });
});
