import { describe, expect, it } from '@jest/globals';

import { waitUntil } from '../../support/wait-until';
import { majors, type Party } from './support/bullmq';
import { onCommonGround, type CommonGround, type Handler } from './support/common-ground';
import { guardSharedQueues } from './support/guard';
import { expectTwins, placeOf } from './support/twins';

guardSharedQueues();

/** A job of either party, as far as it is moved by hand. */
interface MovableJob {
  promote(): Promise<void>;
  changeDelay(delay: number): Promise<void>;
  changePriority(options: { priority?: number; lifo?: boolean }): Promise<void>;
  retry(
    state?: 'failed' | 'completed',
    options?: { resetAttemptsMade?: boolean; resetAttemptsStarted?: boolean },
  ): Promise<void>;
}

/** A queue of either party, as far as jobs are moved with it. */
interface Mover {
  getJob(id: string): Promise<MovableJob | undefined>;
  promoteJobs(options?: { count?: number }): Promise<unknown>;
  retryJobs(options?: {
    state?: 'failed' | 'completed';
    count?: number;
    timestamp?: number;
  }): Promise<unknown>;
}

function moverOf(ground: CommonGround, party: Party, queue: string): Mover {
  return party === 'ours' ? ground.ourQueue(queue) : ground.theirQueue(party, queue);
}

async function jobOf(mover: Mover, id: string): Promise<MovableJob> {
  const job = await mover.getJob(id);
  expect(job).toBeDefined();
  return job!;
}

const failsOnce: Handler = (job) => {
  if (job.name === 'broken' && job.attemptsMade === 0) {
    throw new Error('broken');
  }
  return job.name;
};

describe.each(majors)('jobs that BullMQ %i adds and runs, and we move,', (major) => {
  /** Jobs have ended, wait and are held back when `act` moves them; then all are run. */
  function twins(
    act: (mover: Mover, ground: CommonGround) => Promise<unknown>,
    { runs = true }: { runs?: boolean } = {},
  ): ReturnType<typeof expectTwins> {
    return expectTwins<Party>({ theirs: major, mixed: 'ours' }, async (ground, party) => {
      const producer = ground.producer(major, 'work');
      for (const name of ['fine-1', 'fine-2', 'broken-1', 'broken-2']) {
        await producer.add(name.split('-')[0]!, {}, { jobId: name });
      }
      ground.work(major, 'work', failsOnce, { name: 'w' });
      await ground.untilQuiet('work');
      await ground.stopWorkers();
      await producer.add('waits', {}, { jobId: 'first' });
      await producer.add('waits', {}, { jobId: 'second' });
      await producer.add('waits', {}, { jobId: 'important', priority: 4 });
      await producer.add('waits', {}, { jobId: 'urgent', priority: 2 });
      await producer.add('waits', {}, { jobId: 'late', delay: 60_000 });
      await producer.add('waits', {}, { jobId: 'later', delay: 90_000 });
      await act(moverOf(ground, party, 'work'), ground);
      if (runs) {
        ground.work(major, 'work', failsOnce, { name: 'w' });
        await ground.untilIdle('work');
      }
    });
  }

  it('run when they are promoted', async () => {
    const one = await twins(async (mover) => (await jobOf(mover, 'later')).promote());
    expect([placeOf(one, 'work', 'later'), placeOf(one, 'work', 'late')]).toEqual(['completed', 'delayed']);
  });

  it('run when they are due by a changed delay', async () => {
    const left = await twins(async (mover, ground) => {
      await (await jobOf(mover, 'late')).changeDelay(20);
      ground.work(major, 'work', failsOnce, { name: 'w' });
      await waitUntil(async () => (await ground.redis.zcard(ground.key('work', 'delayed'))) === 1, {
        reason: 'the job was due',
      });
    });
    expect(left['q:work:late']).toMatchObject({ content: { returnvalue: 'waits' } });
  });

  it('stand where their changed priorities put them', async () => {
    const left = await twins(
      async (mover) => {
        await (await jobOf(mover, 'second')).changePriority({ priority: 4 });
        await (await jobOf(mover, 'important')).changePriority({ priority: 0, lifo: true });
        await (await jobOf(mover, 'urgent')).changePriority({ priority: 5 });
        await (await jobOf(mover, 'late')).changePriority({ priority: 3 });
        await (await jobOf(mover, 'fine-1')).changePriority({ priority: 3 });
      },
      { runs: false },
    );
    expect(left['q:work:wait']).toMatchObject({ content: ['first', 'important'] });
    expect(left['q:work:prioritized']).toMatchObject({
      content: ['second', expect.any(String), 'urgent', expect.any(String)],
    });
  });

  it('run again when they are retried, with their attempts kept or forgotten', async () => {
    const left = await twins(async (mover) => {
      await (await jobOf(mover, 'broken-1')).retry();
      await (await jobOf(mover, 'broken-2')).retry('failed', { resetAttemptsStarted: true });
      await (await jobOf(mover, 'fine-1')).retry('completed', { resetAttemptsMade: true });
    });
    expect(placeOf(left, 'work', 'broken-1')).toBe('completed');
    expect(left['q:work:broken-2']).toMatchObject({ content: { atm: '2', ats: '1' } });
    expect(left['q:work:fine-1']).toMatchObject({ content: { atm: '1', ats: '2' } });
  });

  it('run again when all are retried, in the order of their ends', async () => {
    const waiting = await twins(async (mover) => mover.retryJobs({ count: 1 }), { runs: false });
    expect(waiting['q:work:wait']).toMatchObject({ content: ['broken-2', 'broken-1', 'second', 'first'] });
    const left = await twins(async (mover) => mover.retryJobs({ state: 'completed', count: 3 }));
    expect(left['q:work:fine-2']).toMatchObject({ content: { atm: '2' } });
  });

  it('stand behind those of their priority when they are made ready together', async () => {
    await onlyOurs(async (ground, queue) => {
      await queue.add('send', {}, { jobId: 'd', delay: 60_000, priority: 3 });
      await queue.add('broken', {}, { jobId: 'f', priority: 3 });
      ground.work(major, 'work', failsOnce);
      await ground.untilIdle('work');
      await ground.stopWorkers();
      const ours = ground.ourQueue('work');
      expect([await ours.promoteJobs(), await ours.retryJobs()]).toEqual([1, 1]);
      expect(await ground.redis.zrange(ground.key('work', 'prioritized'), '0', '-1')).toEqual(['d', 'f']);
      ground.work(major, 'work', failsOnce);
      await ground.untilQuiet('work');
      expect(await ground.redis.zcard(ground.key('work', 'completed'))).toBe(2);
    });
  });

  it('start at once in the hands of a worker that waits', async () => {
    await onlyOurs(async (ground, queue) => {
      const late = await queue.add('send', {}, { delay: 60_000 });
      const failing = await queue.add('broken', {});
      ground.work(major, 'work', failsOnce, { drainDelay: 60 });
      const ours = ground.ourQueue('work');
      await waitUntil(async () => (await ours.getJobState(failing.id!)) === 'failed', {
        reason: 'it failed',
      });
      await (await jobOf(ours, late.id!)).promote();
      await (await jobOf(ours, failing.id!)).retry();
      await ground.untilQuiet('work');
      expect((await ours.getJobCounts()).completed).toBe(2);
    });
  });

  async function onlyOurs(
    act: (ground: CommonGround, queue: ReturnType<CommonGround['producer']>) => Promise<void>,
  ): Promise<void> {
    await onCommonGround(async (ground) => {
      await act(ground, ground.producer(major, 'work'));
      await ground.stopWorkers();
      expect(ground.errors).toEqual([]);
    });
  }
});

describe('a queue that BullMQ 5 has paused', () => {
  it('keeps what we move where BullMQ 5 looks for it', async () => {
    const left = await expectTwins<Party>({ theirs: 5, mixed: 'ours' }, async (ground, party) => {
      const queue = ground.theirQueue(5, 'work');
      await queue.add('broken', {}, { jobId: 'f' });
      ground.work(5, 'work', failsOnce);
      await ground.untilQuiet('work');
      await ground.stopWorkers();
      await queue.add('waits', {}, { jobId: 'w' });
      await queue.pause();
      await queue.add('waits', {}, { jobId: 'late', delay: 60_000 });
      await queue.add('waits', {}, { jobId: 'p', priority: 4 });
      const mover = moverOf(ground, party, 'work');
      await (await jobOf(mover, 'late')).promote();
      await (await jobOf(mover, 'f')).retry();
      await (await jobOf(mover, 'p')).changePriority({ priority: 0 });
      await (await jobOf(mover, 'w')).changePriority({ priority: 3 });
      expect(await ground.redis.lrange(ground.key('work', 'paused'), 0, -1)).toEqual(['p', 'f', 'late']);
      expect(await ground.redis.exists(ground.key('work', 'wait'))).toBe(0);
      await queue.resume();
      ground.work(5, 'work', failsOnce);
      await ground.untilQuiet('work');
    });
    expect(placeOf(left, 'work', 'f')).toBe('completed');
  });
});

const policies = [
  'failParentOnFailure',
  'continueParentOnFailure',
  'ignoreDependencyOnFailure',
  'removeDependencyOnFailure',
  'none',
] as const;

describe.each(majors)('a child of a flow of BullMQ %i that we retry', (major) => {
  /** Child `A` fails, or completes, while `B` is held back; then `A` is retried. */
  function twins(
    policy: (typeof policies)[number],
    name: 'broken' | 'fine',
    act: (mover: Mover) => Promise<unknown>,
  ): ReturnType<typeof expectTwins> {
    return expectTwins<Party>({ theirs: major, mixed: 'ours' }, async (ground, party) => {
      // Whoever opens a queue of BullMQ leaves something there.
      await ground.theirQueue(major, 'children').waitUntilReady();
      const opts = policy === 'none' ? {} : { [policy]: true };
      await ground.flows(major).add({
        name: 'parent',
        queueName: 'parents',
        opts: { jobId: 'P' },
        children: [
          { name, queueName: 'children', opts: { jobId: 'A', ...opts } },
          { name: 'fine', queueName: 'children', opts: { jobId: 'B', delay: 60_000 } },
        ],
      });
      const worker = ground.work(major, 'children', failsOnce, { name: 'w' });
      await ground.untilIdle('children');
      await worker.close();
      await act(moverOf(ground, party, 'children'));
    });
  }

  it.each(policies)(
    'MGMT-23 after it has failed, with %s, is awaited again by its parent',
    async (policy) => {
      const left = await twins(policy, 'broken', async (mover) => (await jobOf(mover, 'A')).retry());
      const isForgotten = policy === 'removeDependencyOnFailure';
      const awaited = isForgotten ? ['q:children:B'] : ['q:children:A', 'q:children:B'];
      expect((left['q:parents:P:dependencies'] as { content: string[] }).content.sort()).toEqual(awaited);
      expect(left['q:parents:P:unsuccessful'] ?? left['q:parents:P:failed']).toBeUndefined();
    },
  );

  it('MGMT-23 after it has completed is awaited again by its parent', async () => {
    const left = await twins('none', 'fine', async (mover) => (await jobOf(mover, 'A')).retry('completed'));
    expect(left['q:parents:P:processed']).toBeUndefined();
    expect(left['q:parents:P:dependencies']).toMatchObject({ content: ['q:children:A', 'q:children:B'] });
  });

  if (major === 6) {
    it.each(policies)('with all others, with %s, is awaited again by its parent', async (policy) => {
      await twins(policy, 'broken', (mover) => mover.retryJobs());
    });

    it('with all others that completed is awaited again by its parent', async () => {
      await twins('none', 'fine', (mover) => mover.retryJobs({ state: 'completed' }));
    });
  }
});
