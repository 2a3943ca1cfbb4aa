import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Claim, MutatingCall } from 'nestjs-lane/contract';
import { Queue, QueueEvents, Worker } from 'nestjs-lane/engine';
import type { QueueUser } from 'nestjs-lane/testing/conformance';

import { Gate } from '../../support/gate';
import { guardAgainstLeaks } from '../../support/leak-guard';
import { ManualClock } from '../../support/manual-clock';
import { completion, failure, handBack, leaseOf, retry } from '../../support/outcomes';
import { useRedis } from '../../support/redis/own-server';
import { waitUntil } from '../../support/wait-until';

const inRedis = useRedis({ config: ['maxmemory-policy noeviction'] });
guardAgainstLeaks();

afterEach(() => makeRoom());

function fill(): Promise<unknown> {
  return inRedis.client.config('SET', 'maxmemory', 1);
}

function makeRoom(): Promise<unknown> {
  return inRedis.client.config('SET', 'maxmemory', 0);
}

/** Later than the server's time, so that nothing expires. */
const start = 1_900_000_000_000;

const CLAIM = { count: 5, leaseDuration: 30_000, workerName: 'worker' };

type Act = (user: QueueUser, held: Claim, call: MutatingCall) => Promise<unknown>;

describe('a call to a server without memory', () => {
  let user: QueueUser;
  let held: Claim;

  beforeEach(async () => {
    const clock = new ManualClock(start);
    user = inRedis.open({ clock });
    await user.addIds('a', 'b', 'c', 'd', 'e', 'f');
    await user.add({ id: 'p', priority: 1 }, { id: 'due', delay: 1 }, { id: 'late', delay: 60_000 });
    held = await user.claim(4);
    await user.settle([completion(leaseOf(held, 'd'))]);
    clock.set(start + 1);
  });

  it.each<[string, Act]>([
    [
      'addJobs',
      ({ handle }, _, call) => {
        const job = { id: null, name: 'work', data: '{}', options: '{}', priority: 0, delay: 0, lifo: false };
        return handle.addJobs({ jobs: [job, { ...job, priority: 2 }, { ...job, delay: 5 }] }, call);
      },
    ],
    ['claimJobs', ({ handle }, _, call) => handle.claimJobs(CLAIM, call)],
    [
      'settleJobs',
      ({ handle }, claim, call) => {
        const outcomes = [
          completion(leaseOf(claim, 'a'), { retention: { count: 1, age: null, limit: 9 } }),
          failure(leaseOf(claim, 'b')),
          retry(leaseOf(claim, 'c'), { delay: 5 }),
        ];
        return handle.settleJobs({ outcomes, claim: CLAIM }, call);
      },
    ],
    [
      'settleJobs, of jobs of which nothing is kept',
      ({ handle }, claim, call) => {
        const outcomes = [
          completion(leaseOf(claim, 'a'), { retention: { count: 0, age: null, limit: 9 } }),
          handBack(leaseOf(claim, 'b')),
        ];
        return handle.settleJobs({ outcomes, claim: null }, call);
      },
    ],
    [
      'renewLeases',
      ({ handle }, claim, call) =>
        handle.renewLeases({ leases: [leaseOf(claim, 'a')], leaseDuration: 90_000 }, call),
    ],
    [
      'recoverAbandonedJobs',
      ({ handle }, _, call) =>
        handle.recoverAbandonedJobs({ sweepInterval: 30_000, maxStalledCount: 1 }, call),
    ],
    [
      'updateProgress',
      ({ handle }, _, call) => handle.updateProgress({ updates: [{ id: 'a', progress: '1' }] }, call),
    ],
    ['pause', ({ handle }, _, call) => handle.pause(call)],
  ])('STORE-09 changes nothing, and can be made again: %s', async (_name, act) => {
    const stored = inRedis.stored();
    const call = await user.nextCall('w1');
    const before = await stored.dump();
    await fill();

    await expect(act(user, held, call)).rejects.toMatchObject({
      code: 'LANE_STORE_FULL',
      message: expect.stringMatching(/^Redis at 127\.0\.0\.1:\d+ is full: .* The call changed nothing\./),
    });

    expect(await stored.dump()).toEqual(before);
    await makeRoom();
    await act(user, held, call);
    expect(await stored.dump()).not.toEqual(before);
  });

  it('resumes nothing either', async () => {
    await user.pause();
    const call = await user.nextCall('c0');
    const before = await inRedis.stored().dump();
    await fill();

    await expect(user.handle.resume(call)).rejects.toMatchObject({ code: 'LANE_STORE_FULL' });

    expect(await inRedis.stored().dump()).toEqual(before);
    await makeRoom();
    expect(await user.handle.resume(call)).toMatchObject({ changed: true });
  });

  it('is carried out when it only reads', async () => {
    await fill();

    expect(await user.handle.getCounts()).toMatchObject({
      waiting: 2,
      prioritized: 1,
      active: 3,
      completed: 1,
    });
    expect(await user.state('a')).toBe('active');
    expect(await user.ids('waiting')).toEqual(['e', 'f']);
  });
});

describe('a worker on a server without memory', () => {
  it('STORE-15 says so once, and writes what its handler brought when there is memory', async () => {
    const backend = inRedis.backend();
    const queue = new Queue('mail', { backend });
    const gate = new Gate();
    const errors: Error[] = [];
    const completed: unknown[] = [];
    let runs = 0;
    const worker = new Worker(
      'mail',
      async (job) => {
        runs += 1;
        await gate.enter(job);
        return 'sent';
      },
      { backend },
    );
    worker.on('error', (error) => errors.push(error));
    worker.on('completed', (_, result) => completed.push(result));
    const job = await queue.add('send', {});
    await waitUntil(() => gate.running === 1, { reason: 'the handler runs' });
    await fill();

    gate.open();
    await waitUntil(() => errors.length > 0, { reason: 'the worker was refused' });
    await expect(queue.add('send', {})).rejects.toMatchObject({ code: 'LANE_STORE_FULL' });
    expect(await queue.getJobState(job.id)).toBe('active');
    await makeRoom();
    await waitUntil(() => completed.length > 0, { reason: 'the result was written' });
    await queue.add('send', {});
    await waitUntil(() => completed.length > 1, { reason: 'the worker goes on' });

    expect(runs).toBe(2);
    expect(completed).toEqual(['sent', 'sent']);
    expect(errors).toMatchObject([{ code: 'LANE_STORE_FULL' }]);
    await worker.close();
    await queue.close();
  });

  it('closes at once, as does a listener', async () => {
    const backend = inRedis.backend();
    const worker = new Worker('mail', () => undefined, { backend });
    const listener = new QueueEvents('mail', { backend });
    await waitUntil(
      async () => {
        const clients = (await inRedis.client.client('LIST')) as string;
        return ['bzpopmin', 'xread'].every((command) => clients.includes(`cmd=${command}`));
      },
      { reason: 'both wait' },
    );
    await fill();
    const before = performance.now();
    await Promise.all([worker.close(), listener.close()]);

    expect(performance.now() - before).toBeLessThan(3_000);
  });
});
