import { describe, expect, it } from '@jest/globals';
import { MAX_BATCH } from 'nestjs-lane/contract';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { ManualClock } from '../../support/manual-clock';
import { completion, leaseOf, retry } from '../../support/outcomes';
import { useRedis } from '../../support/redis/own-server';
import type { StoredKeys } from '../../support/redis/stored-keys';
import { waitUntil } from '../../support/wait-until';

const inRedis = useRedis();
guardAgainstLeaks();

/** Later than the server's time, so that nothing expires. */
const start = 1_900_000_000_000;

const minute = 60_000;

/** That a key was given so many milliseconds a moment ago, or some more. */
async function expectToLast(stored: StoredKeys, name: string, millis: number, more = 0): Promise<void> {
  const left = await stored.lifetime(name);
  expect(left).toBeGreaterThan(millis - 5_000);
  expect(left).toBeLessThanOrEqual(millis + more);
}

describe('the settings of a queue that others read', () => {
  it('say who writes here, and how many events are kept', async () => {
    await inRedis.open().add({});

    expect(await inRedis.stored().hash('meta')).toEqual({
      'opts.maxLenEvents': '10000',
      version: 'bullmq:6.7.0+nestjs-lane',
    });
  });

  it.each(['bullmq:6.7.0', 'bullmq:6.0.0-next.1', 'bullmq-pro:7.1.2', 'other'])(
    'keep the version %s, which somebody else wrote',
    async (version) => {
      const stored = inRedis.stored();
      await stored.client.hset(`${stored.base}meta`, { version, 'opts.maxLenEvents': 25, 'x-own': 'kept' });
      const user = inRedis.open();
      await user.add({});
      await user.settle([completion(leaseOf(await user.claim(1)))], 1);
      await user.pause();
      await user.resume();
      await user.recover();

      expect(await stored.hash('meta')).toEqual({ version, 'opts.maxLenEvents': '25', 'x-own': 'kept' });
    },
  );

  it('keep what somebody else wrote of the length of the log alone', async () => {
    const stored = inRedis.stored();
    await stored.client.hset(`${stored.base}meta`, 'opts.maxLenEvents', 25);
    await inRedis.open().add({});

    expect(await stored.hash('meta')).toEqual({
      'opts.maxLenEvents': '25',
      version: 'bullmq:6.7.0+nestjs-lane',
    });
  });

  it('take the place of those that an earlier version of ours wrote', async () => {
    const stored = inRedis.stored();
    await stored.client.hset(`${stored.base}meta`, 'version', 'bullmq:6.6.0+nestjs-lane');
    await inRedis.open().add({});

    expect(await stored.hash('meta')).toMatchObject({ version: 'bullmq:6.7.0+nestjs-lane' });
  });

  it('bound the log of events, about', async () => {
    const stored = inRedis.stored();
    await stored.client.hset(`${stored.base}meta`, 'opts.maxLenEvents', 100);
    const user = inRedis.open();
    for (let batch = 0; batch < 5; batch += 1) {
      await user.add(...Array.from({ length: MAX_BATCH }, () => ({})));
    }

    const length = await stored.client.xlen(`${stored.base}events`);
    expect(length).toBeGreaterThanOrEqual(100);
    expect(length).toBeLessThan(300);
  });
});

describe('a paused queue', () => {
  it('has a flag and no wake-up, and new jobs write none, but the time of delayed ones', async () => {
    const clock = new ManualClock(start);
    const user = inRedis.open({ clock });
    const stored = inRedis.stored();
    await user.add({ id: 'a' });
    await user.pause();
    expect(await stored.hash('meta')).toMatchObject({ paused: '1' });
    expect(await stored.names()).not.toContain('marker');

    await user.add({ id: 'b' }, { priority: 1 });
    expect(await stored.names()).not.toContain('marker');
    await user.add({ delay: 7 });

    expect(await stored.scores('marker')).toEqual([['1', String(start + 7)]]);
    expect(await stored.list('wait')).toEqual(['b', 'a']);
    expect(await stored.names()).not.toContain('paused');
    expect(await stored.entries('events')).toContainEqual(['event', 'paused']);
  });

  it('writes no wake-up for what comes back while it is paused', async () => {
    const user = inRedis.open();
    const stored = inRedis.stored();
    await user.add({});
    const claim = await user.claim(1);
    await user.pause();
    await user.settle([retry(leaseOf(claim))], 1);

    expect(await stored.list('wait')).toEqual(['1']);
    expect(await stored.names()).not.toContain('marker');
  });

  it('wakes a worker when it is resumed, or tells when the next delayed job is due', async () => {
    const clock = new ManualClock(start);
    const user = inRedis.open({ clock });
    const stored = inRedis.stored();
    await user.pause();
    await user.add({ delay: 7 });
    await stored.client.del(`${stored.base}marker`);
    await user.resume();
    expect(await stored.scores('marker')).toEqual([['1', String(start + 7)]]);
    expect(await stored.hash('meta')).not.toHaveProperty('paused');
    await user.pause();
    await user.add({});
    await user.resume();

    expect(await stored.scores('marker')).toEqual([['0', '0']]);
    expect((await stored.entries('events')).filter(([, name]) => name === 'resumed')).toHaveLength(2);
  });

  it('moves no job by itself where BullMQ 5 was seen, however many wait', async () => {
    const user = inRedis.open();
    const stored = inRedis.stored();
    await stored.client.hset(`${stored.base}meta`, 'ln:v5', '1');
    await user.add(...Array.from({ length: 50 }, () => ({})));
    const waiting = await stored.list('wait');
    const pushes = async (): Promise<number> => {
      const stats = await stored.client.info('commandstats');
      const counts = [...stats.matchAll(/cmdstat_[lr]push:calls=(\d+)/g)];
      return counts.reduce((sum, [, calls]) => sum + Number(calls), 0);
    };
    const before = await pushes();

    await user.pause();
    expect(await stored.list('paused')).toEqual(waiting);
    expect(await stored.names()).not.toContain('wait');
    await user.resume();

    expect(await stored.list('wait')).toEqual(waiting);
    expect(await stored.names()).not.toContain('paused');
    expect(await pushes()).toBe(before);
  });

  it('is paused by a flag of any value', async () => {
    const user = inRedis.open();
    const stored = inRedis.stored();
    await user.add({});
    await stored.client.hset(`${stored.base}meta`, 'paused', 'true');

    expect(await user.handle.isPaused()).toBe(true);
    expect((await user.claim(1)).idle).toMatchObject({ reason: 'paused' });
  });

  it('shows jobs in the list "paused", and hands them out before the others once it is resumed', async () => {
    const user = inRedis.open();
    const stored = inRedis.stored();
    await user.addIds('old', 'older');
    await stored.client.rename(`${stored.base}wait`, `${stored.base}paused`);
    await stored.client.hset(`${stored.base}meta`, { paused: '1', version: 'bullmq:6.7.0' });
    await stored.client.lpush(`${stored.base}wait`, 'new');
    await stored.client.hset(`${stored.base}new`, { name: 'work', data: '{}', timestamp: 1 });

    expect(await user.ids('waiting')).toEqual(['old', 'older', 'new']);
    expect(await user.handle.getCounts()).toMatchObject({ waiting: 3 });
    expect(await user.handle.getStates(['old', 'new'])).toEqual(['waiting', 'waiting']);
    await user.resume();

    expect(await stored.list('wait')).toEqual(['new', 'older', 'old']);
    expect(await stored.names()).not.toContain('paused');
  });

  it('takes in what stands in the list "paused" when it is resumed, though it was not paused', async () => {
    const user = inRedis.open();
    const stored = inRedis.stored();
    await user.addIds('stranded');
    await stored.client.rename(`${stored.base}wait`, `${stored.base}paused`);
    await user.claim(1);
    await stored.client.del(`${stored.base}marker`);

    await user.resume();

    expect(await stored.list('wait')).toEqual(['stranded']);
    expect(await stored.scores('marker')).toEqual([['0', '0']]);
    expect(await stored.names()).not.toContain('paused');
    expect(await stored.entries('events')).not.toContainEqual(['event', 'resumed']);
  });

  it.each([
    ['keeps all where BullMQ 5 looks for it', '1', [], ['new', 'old']],
    ['leaves all where it is, where BullMQ 5 is not used', '0', ['new'], ['old']],
  ])('%s when it is paused again', async (_, mark, wait, paused) => {
    const user = inRedis.open();
    const stored = inRedis.stored();
    await user.addIds('old');
    await stored.client.hset(`${stored.base}meta`, { paused: '1', 'ln:v5': mark });
    await stored.client.rename(`${stored.base}wait`, `${stored.base}paused`);
    // As a client of BullMQ 6 leaves it.
    await stored.client.lpush(`${stored.base}wait`, 'new');
    await stored.client.hset(`${stored.base}new`, { name: 'work', data: '{}', timestamp: 1 });

    await user.pause();

    expect(await stored.list('wait')).toEqual(wait);
    expect(await stored.list('paused')).toEqual(paused);
    expect(await stored.entries('events')).not.toContainEqual(['event', 'paused']);
    await user.resume();
    expect(await stored.list('wait')).toEqual(['new', 'old']);
  });
});

describe('how long things are kept', () => {
  it('a lock as long as the lease, renewed from now on', async () => {
    const user = inRedis.open();
    const stored = inRedis.stored();
    await user.add({ id: 'a' });
    const claim = await user.claim(1, { leaseDuration: 30_000 });
    await expectToLast(stored, 'a:lock', 30_000);
    await user.renew([leaseOf(claim)], 90_000);

    await expectToLast(stored, 'a:lock', 90_000);
    expect(await stored.text('a:lock')).toBe(claim.token);
  });

  it('the time of a sweep for its interval', async () => {
    const user = inRedis.open();
    await user.recover({ sweepInterval: 40_000 });

    await expectToLast(inRedis.stored(), 'stalled-check', 40_000);
  });

  it('replies to calls for ten minutes at least, and for two of the longest leases, but not for ever', async () => {
    const user = inRedis.open();
    const stored = inRedis.stored();
    const slot = `ln:c.${user.handle.caller}`;
    await user.add({});
    await expectToLast(stored, slot, 10 * minute, 5 * minute);
    await user.claim(1, { leaseDuration: 20 * minute });
    await expectToLast(stored, slot, 40 * minute, 5 * minute);
    await user.add({});

    await expectToLast(stored, slot, 40 * minute, 5 * minute);
  });

  it('every key of ours for some time only, and none of those that BullMQ knows but locks and sweeps', async () => {
    const user = inRedis.open();
    const stored = inRedis.stored();
    await user.add({ id: 'a' }, { id: 'b' }, { id: 'c', priority: 1 }, { id: 'd', delay: 60_000 });
    const claim = await user.claim(2);
    await user.recover();
    await user.progress('a', '1');
    await user.settle([completion(leaseOf(claim, 'a'))], 1);
    await user.pause();
    await user.resume();
    const ended = new AbortController();
    const waits = [
      inRedis.open().handle.waitForWork({ block: minute, signal: ended.signal }),
      inRedis.open({ role: 'events' }).handle.readEvents({
        after: await user.handle.lastEventId(),
        limit: 1,
        block: minute,
        signal: ended.signal,
      }),
    ];
    await waitUntil(
      async () => {
        const clients = (await stored.client.client('LIST')) as string;
        return ['bzpopmin', 'xread'].every((command) => clients.includes(`cmd=${command}`));
      },
      { reason: 'both wait on the server' },
    );
    ended.abort();
    await Promise.all(waits);

    const names = await stored.names();
    expect(names.filter((name) => name.startsWith('ln:')).map((name) => name.slice(0, 4))).toContain('ln:e');
    const lifetimes = await Promise.all(names.map((name) => stored.lifetime(name)));
    const passing = names.filter((_, index) => lifetimes[index]! > 0);
    expect(passing).toEqual(names.filter((name) => /^ln:|:lock$|^stalled-check$/.test(name)));
    expect(
      names.filter((name) => name.startsWith('ln:')).every((name) => /^ln:[a-z]\.[\da-f]{32}$/.test(name)),
    ).toBe(true);
  });
});
