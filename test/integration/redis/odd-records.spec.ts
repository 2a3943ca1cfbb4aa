import { inspect } from 'node:util';

import { beforeEach, describe, expect, it } from '@jest/globals';
import { Queue, UnreadableDataError, Worker } from 'nestjs-lane/engine';
import type { QueueUser } from 'nestjs-lane/testing/conformance';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { ManualClock } from '../../support/manual-clock';
import { completion, failure, leaseOf } from '../../support/outcomes';
import { useRedis } from '../../support/redis/own-server';
import type { StoredKeys } from '../../support/redis/stored-keys';
import { waitUntil } from '../../support/wait-until';

const inRedis = useRedis();
guardAgainstLeaks();

/** Later than the server's time, so that nothing expires. */
const now = 1_900_000_000_000;

let clock: ManualClock;
let user: QueueUser;
let stored: StoredKeys;

beforeEach(() => {
  clock = new ManualClock(now);
  user = inRedis.open({ clock });
  stored = inRedis.stored();
});

async function claimedIds(count: number): Promise<string[]> {
  return (await user.claim(count)).jobs.map((job) => job.id);
}

describe('a claim', () => {
  it('JOB-14 drops what is no job, and keeps the others', async () => {
    await user.addIds('a', 'b', 'c');
    await stored.client.multi().del(`${stored.base}b`).set(`${stored.base}b`, 'no hash').exec();

    expect(await claimedIds(3)).toEqual(['a', 'c']);
    expect(await user.ids('active')).toEqual(['a', 'c']);
  });

  it('drops what is no job before it takes a single one', async () => {
    await user.addIds('a', 'b', 'c');
    await stored.client.del(`${stored.base}a`);

    expect(await claimedIds(1)).toEqual(['b']);
    expect(await stored.list('active')).toEqual(['b']);
  });

  it('leases a job of a scheduler that cannot be read, with all others', async () => {
    await user.addIds('a', 'z');
    const due = String(now);
    const id = `repeat:s:${due}`;
    const { client, base } = stored;
    await client.zadd(`${base}repeat`, due, 's');
    await client.hset(`${base}repeat:s`, { name: 'n', every: '1000', ic: '1' });
    await client.hset(`${base}${id}`, {
      name: 'n',
      data: '{}',
      opts: '{"repeat":null',
      timestamp: due,
      delay: '0',
      priority: '0',
      rjk: 's',
    });
    await client.linsert(`${base}wait`, 'BEFORE', 'a', id);

    expect(await claimedIds(3)).toEqual(['a', id, 'z']);
    expect(await user.ids('active')).toEqual(['a', id, 'z']);
  });

  it('makes jobs ready whatever their priority is', async () => {
    await user.add({ id: 'a', delay: 1 }, { id: 'b', delay: 1 }, { id: 'c', delay: 1 });
    await stored.client.hset(`${stored.base}b`, 'priority', '');
    await clock.advance(1);

    expect(await claimedIds(3)).toEqual(['a', 'b', 'c']);
  });

  it('does not take a prioritized job while others wait behind what is no job', async () => {
    await user.add({ id: 'later', priority: 1 });
    await user.addIds('first');
    const ghosts = Array.from({ length: 50 }, (_, index) => `ghost-${index}`);
    await stored.client.rpush(`${stored.base}wait`, ...ghosts);

    const claimed: string[] = [];
    for (let claims = 0; claims < 20 && claimed.length < 2; claims += 1) {
      claimed.push(...(await claimedIds(1)));
    }
    expect(claimed).toEqual(['first', 'later']);
  });
});

describe('a settlement', () => {
  it.each([
    ['parentKey', 'nobody'],
    ['parentKey', ''],
    ['parent', '{"queueKey":{},"id":1}'],
    ['parent', '{"queueKey":null,"id":1}'],
  ])('finishes a job whose parent is none, with all others: %s %p', async (field, value) => {
    await user.addIds('a', 'b', 'c');
    const claim = await user.claim(3);
    await stored.client.hset(`${stored.base}b`, { parentKey: 'nobody', [field]: value });

    const terms = { retention: { count: 2, age: null, limit: 1_000 } };
    const leases = claim.jobs.map(({ id }) => leaseOf(claim, id));
    await user.settle([
      completion(leases[0]!, terms),
      failure(leases[1]!, terms),
      completion(leases[2]!, terms),
    ]);

    expect(await user.ids('completed')).toEqual(['a', 'c']);
    expect(await user.ids('failed')).toEqual(['b']);
    await user.addIds('d', 'e');
    await stored.client.hset(`${stored.base}a`, { parentKey: 'nobody', [field]: value });
    const next = await user.claim(2);
    await user.settle(next.jobs.map(({ id }) => completion(leaseOf(next, id), terms)));
    expect(await user.ids('completed')).toEqual(['d', 'e']);
  });
});

describe('the event log', () => {
  it.each(['Infinity', '-1', '1.5', 'x', ''])(
    'keeps its usual length where it is told %p',
    async (length) => {
      await stored.client.hset(`${stored.base}meta`, 'opts.maxLenEvents', length);
      await user.addIds('a');
      await user.settle([completion(leaseOf(await user.claim(1)))]);

      expect(await user.ids('completed')).toEqual(['a']);
      expect((await stored.entries('events')).length).toBeGreaterThan(3);
    },
  );
});

describe('a sweep', () => {
  const sweepInterval = 30_000;

  it('JOB-30 drops what is in the hands of a worker and no job any more', async () => {
    await user.addIds('a', 'b');
    await user.claim(2, { leaseDuration: 10 });
    await user.recover({ sweepInterval });
    await stored.client.del(`${stored.base}a`, `${stored.base}a:lock`, `${stored.base}b:lock`);
    await clock.advance(sweepInterval);

    expect((await user.recover({ sweepInterval })).recovered).toEqual(['b']);
    expect(await stored.names()).not.toContain('a');
    expect(await stored.list('active')).toEqual([]);
    expect(await stored.list('wait')).toEqual(['b']);
  });

  it('is not put off by a clock that is put back, or was ahead', async () => {
    await user.addIds('a');
    await user.claim(1, { leaseDuration: 10 });
    await stored.client.del(`${stored.base}a:lock`);
    await user.recover({ sweepInterval });
    await stored.client.set(`${stored.base}stalled-check`, now + 3_600_000);

    expect((await user.recover({ sweepInterval })).recovered).toEqual(['a']);
  });
});

describe('a job', () => {
  it('whose data is no JSON says so, and shows nothing of it, in a failure neither', async () => {
    await user.addIds('a');
    await stored.client.hset(`${stored.base}a`, 'data', 'secret of {a}');
    const backend = inRedis.backend();
    const queue = new Queue('mail', { backend });
    const job = (await queue.getJob('a'))!;

    const errors: unknown[] = [];
    for (const read of [() => job.data as unknown, () => job.toJSON()]) {
      try {
        errors.push(read());
      } catch (error) {
        errors.push(error);
      }
    }
    const worker = new Worker('mail', (taken) => taken.data as unknown, { backend });
    await waitUntil(() => job.isFailed(), { reason: 'the job has failed' });
    await worker.close();

    const failed = (await queue.getJob('a'))!;
    const expected = new UnreadableDataError('a', 'mail');
    expect(errors).toEqual([expected, expected]);
    expect(failed.failedReason).toBe(expected.message);
    const shown = inspect([errors, failed.failedReason, failed.stacktrace], {
      depth: null,
      showHidden: true,
    });
    expect(shown).not.toMatch(/secret|SyntaxError/);
    await failed.updateData({ to: 'b' });
    expect(failed.data).toEqual({ to: 'b' });
    await queue.close();
  });

  it('shows progress and a result that are no JSON as texts, as events do', async () => {
    await user.addIds('a');
    await user.settle([completion(leaseOf(await user.claim(1)))]);
    await stored.client.hset(`${stored.base}a`, { progress: 'half', returnvalue: 'sent to {a}' });
    const queue = new Queue('mail', { backend: inRedis.backend() });

    const job = (await queue.getJob('a'))!;

    expect([job.progress, job.returnvalue, await job.finished()]).toEqual([
      'half',
      'sent to {a}',
      'sent to {a}',
    ]);
    expect(job.toJSON()).toMatchObject({ progress: 'half', returnvalue: 'sent to {a}' });
    await queue.close();
  });
});
