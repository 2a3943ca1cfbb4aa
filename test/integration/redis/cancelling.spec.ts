import { describe, expect, it, jest } from '@jest/globals';
import { Queue, Worker, type Processor, type WorkerSettings } from 'nestjs-lane/engine';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { useRedis } from '../../support/redis/own-server';
import { waitUntil } from '../../support/wait-until';

const inRedis = useRedis({});
guardAgainstLeaks();
jest.setTimeout(30_000);

/** Milliseconds within which a signal is aborted, wherever its job runs. */
const soon = 1_000;

/** A handler that lasts until it is told to stop, and tells when both happen. */
function until(begins: string[], ends: Map<string, number>): Processor {
  return (job, _token, signal) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        ends.set(job.id, performance.now());
        reject(signal.reason as Error);
      });
      begins.push(job.id);
    });
}

/** Two sides that have nothing in common but the server: a queue that cancels, and a worker. Leases last a minute. */
async function onBothSides(
  options: Partial<WorkerSettings>,
  act: (sides: {
    queue: Queue;
    worker: Worker;
    begins: string[];
    ends: Map<string, number>;
  }) => Promise<void>,
  processor = until,
): Promise<void> {
  const begins: string[] = [];
  const ends = new Map<string, number>();
  const queue = new Queue('mail', { backend: inRedis.backend() });
  const worker = new Worker('mail', processor(begins, ends), {
    backend: inRedis.backend(),
    lockDuration: '1m',
    ...options,
  });
  worker.on('error', () => undefined);
  try {
    await act({ queue, worker, begins, ends });
  } finally {
    await worker.close(true);
    await queue.close();
  }
}

describe('a cancel on Redis', () => {
  it('JOB-07 reaches a worker within a second whose hands are full, and frees its slot for the next', async () => {
    await onBothSides({ concurrency: 2 }, async ({ queue, begins, ends }) => {
      const jobs = await queue.addBulk(Array.from({ length: 6 }, () => ({ name: 'send', data: {} })));
      for (const [index, job] of jobs.entries()) {
        await waitUntil(() => begins.includes(job.id), { reason: `job ${index} runs` });
        const from = performance.now();
        expect(await queue.cancel(job.id, 'enough')).toBe('requested');
        await waitUntil(() => ends.has(job.id), { reason: `job ${index} is told`, deadline: soon });
        expect(ends.get(job.id)! - from).toBeLessThan(soon);
      }
      await waitUntil(async () => (await queue.getJobCounts()).failed === 6, { reason: 'all have failed' });
      const ended = await queue.getFailed();
      expect(ended.map((job) => [job.failedReason, job.failedCode])).toEqual(
        Array(6).fill(['job was cancelled: enough', 'cancelled']),
      );
    });
  });

  it('reaches a job in the very moment in which it is taken, again and again', async () => {
    await onBothSides({}, async ({ queue }) => {
      for (let time = 0; time < 30; time += 1) {
        const job = await queue.add('send', {});
        expect(await queue.cancel(job.id)).toMatch(/^(?:ended|requested)$/);
        await expect(job.finished({ timeout: soon })).rejects.toMatchObject({ code: 'LANE_JOB_CANCELLED' });
      }
    });
  });

  it('reaches one of many jobs of a worker that takes others all the time', async () => {
    const short: (begins: string[], ends: Map<string, number>) => Processor = (begins, ends) => {
      const long = until(begins, ends);
      return (job, token, signal) => (job.name === 'long' ? (long(job, token, signal) as unknown) : job.id);
    };
    await onBothSides(
      { concurrency: 5, removeOnComplete: { count: 0 } },
      async ({ queue, begins, ends }) => {
        let isOver = false;
        const load = (async (): Promise<void> => {
          while (!isOver) {
            await queue.addBulk(Array.from({ length: 100 }, () => ({ name: 'short', data: {} })));
          }
        })();
        for (let time = 0; time < 5; time += 1) {
          const job = await queue.add('long', {}, { priority: 0, lifo: true });
          await waitUntil(() => begins.includes(job.id), { reason: 'it runs', deadline: 5_000 });
          const from = performance.now();
          expect(await queue.cancel(job.id)).toBe('requested');
          await waitUntil(() => ends.has(job.id), { reason: 'it is told', deadline: 2 * soon });
          expect(ends.get(job.id)! - from).toBeLessThan(soon);
        }
        isOver = true;
        await load;
      },
      short,
    );
  });

  it('is told by the renewal of the lease where the message was lost', async () => {
    await onBothSides({ lockDuration: 900 }, async ({ queue, begins, ends }) => {
      const job = await queue.add('send', {}, { attempts: 3 });
      await waitUntil(() => begins.includes(job.id), { reason: 'it runs' });
      // All that a message which was lost has left.
      await inRedis.client.hset(
        `${inRedis.prefix}:mail:${job.id}`,
        'ln:cancel',
        'job was cancelled: quietly',
      );
      await waitUntil(() => ends.has(job.id), { reason: 'it is told', deadline: 3_000 });

      await expect(job.finished()).rejects.toMatchObject({ code: 'LANE_JOB_CANCELLED', reason: 'quietly' });
    });
  });

  it('leaves nothing behind that has no end: a message that nobody reads, and a request that is over', async () => {
    const user = inRedis.open();
    const gone = inRedis.open();
    await user.addIds('a', 'b');
    const claim = await gone.claim(2);
    await gone.handle.close();

    expect((await user.cancel('a', 'b')).answers).toEqual(['requested', 'requested']);

    const inbox = `${inRedis.prefix}:mail:ln:i.${gone.handle.caller}`;
    const left = await inRedis.client.pttl(inbox);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(60_000);
    const outcomes = claim.jobs.map(({ id }) => ({ id, token: claim.token, kind: 'handed-back' as const }));
    await user.settle(outcomes);
    for (const id of ['a', 'b']) {
      const fields = await inRedis.client.hgetall(`${inRedis.prefix}:mail:${id}`);
      expect(fields).toMatchObject({ failedReason: 'why', 'ln:code': 'cancelled' });
      expect(fields).not.toHaveProperty('ln:cancel');
    }
  });

  it('makes no call more for a worker whose hands are full for a short time only', async () => {
    const begun: (() => void)[] = [];
    await onBothSides(
      {},
      async ({ queue }) => {
        const ended = async (): Promise<number> => {
          const info = await inRedis.client.info('commandstats');
          return Number(/cmdstat_zadd:calls=(\d+)/.exec(info)?.[1] ?? 0);
        };
        const once = async (): Promise<number> => {
          const before = await ended();
          const job = await queue.add('send', {});
          await waitUntil(() => begun.length > 0, { reason: 'it runs' });
          begun.shift()!();
          await job.finished();
          return (await ended()) - before;
        };
        const calls: number[] = [];
        for (let time = 0; time < 8; time += 1) {
          calls.push(await once());
        }
        // The marker of the add and the place of the finished job, and no message to the inbox besides. On a machine that is
        // held up, the time may not have been short.
        expect(Math.min(...calls)).toBe(2);
      },
      () => () => new Promise<void>((resolve) => begun.push(resolve)),
    );
  });
});
