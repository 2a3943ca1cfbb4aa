import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Refusal } from 'nestjs-lane/contract';
import { Queue, Worker } from 'nestjs-lane/engine';
import type { QueueUser } from 'nestjs-lane/testing/conformance';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { useRedis } from '../../support/redis/own-server';
import type { StoredKeys } from '../../support/redis/stored-keys';
import { waitUntil } from '../../support/wait-until';

const inRedis = useRedis({});
guardAgainstLeaks();
jest.setTimeout(60_000);

/** Milliseconds that no call may take. */
const bound = 50;

let user: QueueUser;
let stored: StoredKeys;

beforeEach(() => {
  user = inRedis.open();
  stored = inRedis.stored();
});

/** Puts finished jobs into a queue, a day old. */
const fill = `
local base, count, old = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
for n = 1, count do
  local id = 'old-' .. n
  redis.call('HSET', base .. id, 'name', 'send', 'data', '{"to":"somebody"}', 'opts', '{}', 'timestamp', old,
    'delay', '0', 'priority', '0', 'processedOn', old, 'ats', '1', 'atm', '1', 'finishedOn', old, 'returnvalue', 'null')
  redis.call('ZADD', base .. 'completed', old + n % 1000, id)
end`;

/** Puts a family into a queue: a parent that waits for many children, of which some have ended. */
const raise = `
local base, waiting, done = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local function store(id) 
  redis.call('HSET', base .. id, 'name', 'n', 'data', '{}', 'opts', '{}', 'timestamp', '1', 'delay', '0', 'priority', '0')
end
store('P')
redis.call('ZADD', base .. 'waiting-children', '1', 'P')
for n = 1, waiting + done do
  local id = 'child-' .. n
  store(id)
  redis.call('HSET', base .. id, 'parentKey', base .. 'P')
  if n <= waiting then
    redis.call('LPUSH', base .. 'wait', id)
    redis.call('SADD', base .. 'P:dependencies', base .. id)
  else
    redis.call('ZADD', base .. 'completed', n, id)
    redis.call('HSET', base .. 'P:processed', base .. id, 'null')
  end
end`;

async function watchSlowCalls(): Promise<void> {
  await inRedis.client.config('SET', 'slowlog-log-slower-than', String(bound * 1000));
  await inRedis.client.slowlog('RESET');
}

/**
 * Milliseconds of the calls that took too long. One that is may have been held up by others on the machine; steps that
 * are too large make all of them long.
 */
async function slowCalls(): Promise<number[]> {
  const entries = (await inRedis.client.slowlog('GET', 100)) as [id: number, at: number, micros: number][];
  return entries.map(([, , micros]) => micros / 1000);
}

/** Nothing but what stands for the queue itself, and expires. */
async function keysOf(pattern: RegExp): Promise<string[]> {
  const keys = (await inRedis.client.keys(`${stored.base}*`)).map((key) => key.slice(stored.base.length));
  return keys.filter((key) => pattern.test(key)).sort();
}

describe('retention', () => {
  it('T-B59 takes away tens of thousands bit by bit, while other queues are worked as ever', async () => {
    const dayOld = Date.now() - 86_400_000;
    await inRedis.client.eval(fill, 1, stored.base, 50_000, dayOld);
    await watchSlowCalls();
    const backend = inRedis.backend();
    const mails = new Queue('mail', { backend });
    const others = new Queue('others', { backend });
    let otherRuns = 0;
    const workers = [
      new Worker('mail', () => null, { backend, removeOnComplete: { age: 3_600 }, concurrency: 20 }),
      new Worker('others', () => void (otherRuns += 1), { backend }),
    ];
    const sizes: number[] = [];
    for (let left = 50_000; left > 0;) {
      await mails.addBulk(Array.from({ length: 20 }, () => ({ name: 'send', data: {} })));
      await others.add('send', {});
      await waitUntil(async () => (await mails.count()) === 0, { reason: 'the jobs are done' });
      left = await inRedis.client.zcount(`${stored.base}completed`, 0, dayOld + 1_000);
      sizes.push(left);
      expect(sizes.length).toBeLessThan(200);
    }
    await waitUntil(() => otherRuns === sizes.length, { reason: 'the other queue is done' });

    expect(sizes[0]).toBeGreaterThan(40_000);
    expect((await slowCalls()).length).toBeLessThan(3);
    await Promise.all(workers.map((worker) => worker.close()));
    await Promise.all([mails.close(), others.close()]);
    expect(await keysOf(/^old-/)).toEqual([]);
  });
});

describe('cleaning and destroying', () => {
  it.each(['clean', 'obliterate'] as const)('T-B59 takes no call of more than 50 ms: %s', async (how) => {
    await inRedis.client.eval(fill, 1, stored.base, 30_000, Date.now() - 86_400_000);
    await watchSlowCalls();
    const queue = new Queue('mail', { backend: inRedis.backend() });
    const removed = how === 'clean' ? (await queue.clean('1h', 0)).length : await queue.obliterate();
    await queue.close();

    expect((await slowCalls()).length).toBeLessThan(3);
    expect([removed, await keysOf(/^(?!ln:)/)]).toEqual(
      how === 'clean' ? [30_000, ['events']] : [undefined, []],
    );
  });
});

describe('removing a job of a large family', () => {
  it('goes on from call to call, and leaves a whole family each time', async () => {
    await inRedis.client.eval(raise, 1, stored.base, 350, 250);
    await watchSlowCalls();

    const first = await user.remove('P');
    expect([first.refusals, first.unfinished]).toEqual([[null], [0]]);
    // Those that have ended go first, so that the parent does not wait for nobody.
    expect(await inRedis.client.scard(`${stored.base}P:dependencies`)).toBe(350);
    expect(await inRedis.client.exists(`${stored.base}P:processed`)).toBe(0);
    expect((await user.remove('P')).unfinished).toEqual([0]);
    expect(await inRedis.client.scard(`${stored.base}P:dependencies`)).toBe(100);
    expect(await user.state('P')).toBe('waiting-children');
    expect(await user.handle.getCounts()).toMatchObject({ waiting: 100, completed: 0 });
    expect((await user.remove('P')).unfinished).toEqual([]);

    expect(await keysOf(/^(?:P|child|wait)/)).toEqual([]);
    expect((await slowCalls()).length).toBeLessThan(3);
  });

  it('is one call for whoever makes it', async () => {
    await inRedis.client.eval(raise, 1, stored.base, 350, 250);
    const queue = new Queue('mail', { backend: inRedis.backend() });
    expect(await queue.remove('P')).toBe(1);
    await queue.close();

    expect(await keysOf(/^(?:P|child|wait)/)).toEqual([]);
  });

  it('is refused for a job that is held below it, and changes nothing', async () => {
    await inRedis.client.eval(raise, 1, stored.base, 3, 3);
    const [held] = (await user.claim(1)).jobs;
    const before = await keysOf(/^(?!ln:)/);

    expect((await user.remove('P')).refusals).toEqual([Refusal.JobLeased]);
    expect((await user.remove(held!.id)).refusals).toEqual([Refusal.JobLeased]);

    expect(await keysOf(/^(?!ln:)/)).toEqual(before);
    expect(await inRedis.client.scard(`${stored.base}P:dependencies`)).toBe(3);
  });
});

describe('orphaned jobs', () => {
  it('MGMT-39 are found and removed with all that is theirs; everything else stays', async () => {
    const { client } = inRedis;
    const { base } = stored;
    await user.add(
      { id: 'waiting-a' },
      { id: 'a:b:c' },
      { id: 'prioritized-a', priority: 1 },
      { id: 'delayed-a', delay: 10_000 },
    );
    await user.addIds('orphan-1', 'x:y:z', 'orphan-2', 'held');
    await client.multi().lrem(`${base}wait`, 1, 'orphan-1').lrem(`${base}wait`, 1, 'x:y:z').exec();
    await client.lrem(`${base}wait`, 1, 'orphan-2');
    await client.lrem(`${base}wait`, 1, 'held');
    await client.rpush(`${base}orphan-1:logs`, 'a row');
    await client.hset(`${base}orphan-1:processed`, 'key', 'null');
    await client.hset(`${base}orphan-1`, 'deid', 'k');
    await client.set(`${base}de:k`, 'orphan-1');
    await client.hset(`${base}dn:other`, { name: 'n', data: '{}', opts: '{}' });
    await client.hset(`${base}repeat:s`, { name: 'n', data: '{}', opts: '{}', ic: '1' });
    await client.zadd(`${base}repeat`, 1, 's');
    // A worker holds it, and a failure of the server's has lost its place.
    await client.hset(`${base}held`, 'processedOn', '1', 'ats', '1');
    await client.set(`${base}held:lock`, 'token');
    // What no claim has stored: BullMQ leaves such behind when it takes an id without a job.
    await client.hset(`${base}ghost`, { processedOn: '1', ats: '1', pb: 'w' });
    await client.hset(`${inRedis.prefix}:mails:orphan-1`, {
      name: 'n',
      data: '{}',
      opts: '{}',
      timestamp: '1',
    });
    const queue = new Queue('mail', { backend: inRedis.backend() });
    const before = await keysOf(/^(?!ln:)/);

    expect(await queue.removeOrphanedJobs(3)).toBe(4);

    const gone = ['orphan-1', 'orphan-1:logs', 'orphan-1:processed', 'x:y:z', 'orphan-2', 'ghost', 'de:k'];
    expect(await keysOf(/^(?!ln:)/)).toEqual(before.filter((key) => !gone.includes(key)));
    expect(await client.exists(`${inRedis.prefix}:mails:orphan-1`)).toBe(1);
    expect(await queue.removeOrphanedJobs()).toBe(0);
    await client.del(`${inRedis.prefix}:mails:orphan-1`);
    await queue.close();
  });

  it('are removed up to a limit', async () => {
    await user.addIds('a', 'b', 'c', 'd', 'e');
    await inRedis.client.del(`${stored.base}wait`);
    const queue = new Queue('mail', { backend: inRedis.backend() });

    expect(await queue.removeOrphanedJobs(1_000, 2)).toBe(2);
    expect(await queue.removeOrphanedJobs(2, 2)).toBe(2);
    expect(await queue.removeOrphanedJobs(2)).toBe(1);
    await queue.close();
  });

  it('are looked for in steps that hold nobody up, however many a call asks for', async () => {
    const fill = "for place = 1, 20000 do redis.call('SET', KEYS[1] .. place, '') end";
    await inRedis.client.eval(fill, 1, `${inRedis.prefix}:other:`);

    const { cursor } = await user.handle.findOrphanedJobs({ cursor: null, count: 1_000_000 });

    expect(cursor).not.toBeNull();
  });

  it('are looked at again in the step that removes them: what moved meanwhile is none', async () => {
    await user.addIds('a', 'b');
    const found = await user.handle.findOrphanedJobs({ cursor: null, count: 1_000 });
    expect(found.ids).toEqual([]);
    await user.addIds('c');
    const call = await user.nextCall('c0');
    const reply = await user.handle.removeOrphanedJobs({ ids: ['a', 'c'] }, call);

    expect(reply).toMatchObject({ removed: [], checked: 2 });
  });

  it('are searched for in long lists a few at a time', async () => {
    await user.addIds('orphan', 'other', 'third');
    await inRedis.client.del(`${stored.base}wait`);
    const push = `for n = 1, 600000, 4000 do
      local ids = {}
      for at = 0, 3999 do ids[at + 1] = n + at end
      redis.call('RPUSH', KEYS[1], unpack(ids))
    end`;
    await inRedis.client.eval(push, 1, `${stored.base}wait`);
    const ids = ['orphan', 'other', 'third'];

    const reply = await user.handle.removeOrphanedJobs({ ids }, await user.nextCall('c0'));

    expect(reply).toMatchObject({ removed: ['orphan'], checked: 1 });
  });
});

describe('a queue with odd contents', () => {
  it('is cleaned and drained of ids without a job, which are not told; markers of old clients stay', async () => {
    const { client } = inRedis;
    await user.addIds('a', 'b', 'c');
    await client.del(`${stored.base}b`);
    await client.rpush(`${stored.base}wait`, '0:1');
    const before = Date.now() + 1_000;

    expect((await user.clean('waiting', { before })).removed).toEqual(['a', 'c']);

    expect(await client.lrange(`${stored.base}wait`, 0, -1)).toEqual(['0:1']);
    await user.pause();
    await user.obliterate();
    expect(await keysOf(/^(?!ln:)/)).toEqual([]);
  });

  it('does not take the keys of a queue for jobs', async () => {
    await user.add({ id: 'a' }, { id: 'b', priority: 1 });
    const names = await keysOf(/^/);
    const before = await keysOf(/^(?!ln:)/);

    const reply = await user.remove(...names.filter((name) => !['a', 'b'].includes(name)));

    expect(reply.refusals.every((refusal) => refusal === Refusal.JobNotFound)).toBe(true);
    expect(await keysOf(/^(?!ln:)/)).toEqual(before);
  });
});
