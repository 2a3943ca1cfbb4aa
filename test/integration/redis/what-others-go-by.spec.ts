import { beforeEach, describe, expect, it } from '@jest/globals';
import type { QueueUser } from 'nestjs-lane/testing/conformance';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { ManualClock } from '../../support/manual-clock';
import { completion, failure, handBack, leaseOf, retry } from '../../support/outcomes';
import { useRedis } from '../../support/redis/own-server';
import type { StoredKeys } from '../../support/redis/stored-keys';

const inRedis = useRedis();
guardAgainstLeaks();

/** Later than the server's time, so that nothing expires. */
const now = 1_900_000_000_000;
const due = now + 1_000;

let clock: ManualClock;
let user: QueueUser;
let stored: StoredKeys;

beforeEach(() => {
  clock = new ManualClock(now);
  user = inRedis.open({ clock });
  stored = inRedis.stored();
});

/** What goes before a way, and the way itself. */
type Way = [title: string, before: () => Promise<unknown>, act: () => Promise<unknown>];

const claimed = async (...jobs: Parameters<QueueUser['add']>): Promise<void> => {
  await user.add(...jobs.map((job) => ({ id: 'a', ...job })));
  held = leaseOf(await user.claim(1));
};
let held: ReturnType<typeof leaseOf>;
const nothing = (): Promise<void> => Promise.resolve();
const failed = async (priority = 0): Promise<void> => {
  await claimed({ priority });
  await user.settle([failure(held)]);
};

/** Everything by which a job becomes ready to run. */
const waysToBeReady: Way[] = [
  ['is added', nothing, () => user.addIds('a')],
  ['is added before the others', nothing, () => user.add({ id: 'a', lifo: true })],
  ['is added with a priority', nothing, () => user.add({ id: 'a', priority: 3 })],
  ['is tried again', () => claimed({}), () => user.settle([retry(held)])],
  ['is tried again with a priority', () => claimed({ priority: 3 }), () => user.settle([retry(held)])],
  ['is handed back', () => claimed({}), () => user.settle([handBack(held)])],
  ['is handed back with a priority', () => claimed({ priority: 3 }), () => user.settle([handBack(held)])],
  ['is promoted', () => user.add({ id: 'a', delay: 1_000 }), () => user.promote('a')],
  ['is promoted with all', () => user.add({ id: 'a', delay: 1_000 }), () => user.promoteDelayed(10)],
  ['is retried', () => failed(), () => user.retry({ id: 'a' })],
  ['is retried with a priority', () => failed(3), () => user.retry({ id: 'a' })],
  ['is retried with all', () => failed(), () => user.retryFinished('failed', 10)],
  [
    'is taken back from a worker that is gone',
    async () => {
      await claimed({});
      await user.recover();
      await stored.client.del(`${stored.base}a:lock`);
      clock.set(now + 60_000);
      await stored.client.del(`${stored.base}stalled-check`);
    },
    () => user.recover(),
  ],
];

/** Everything by which the set of delayed jobs changes, in which the first is due at `due` then. */
const waysToBeDelayed: Way[] = [
  ['is added', nothing, () => user.add({ id: 'a', delay: 1_000 })],
  ['is added with a priority', nothing, () => user.add({ id: 'a', delay: 1_000, priority: 3 })],
  ['is tried again later', () => claimed({}), () => user.settle([retry(held, { delay: 1_000 })])],
  [
    'is held back by its handler',
    () => claimed({}),
    () => user.settle([{ ...held, kind: 'delayed', until: due }]),
  ],
  ['has another delay', () => user.add({ id: 'a', delay: 60_000 }), () => user.changeDelays(['a', 1_000])],
];

const markers = async (): Promise<Record<string, string>> =>
  Object.fromEntries(await stored.scores('marker'));

describe('the wake-up for idle workers of any client', () => {
  it.each(waysToBeReady)('is left when a job %s, for idle workers', async (_, before, act) => {
    await before();
    await stored.client.del(`${stored.base}marker`);
    await act();

    expect(await markers()).toMatchObject({ 0: '0' });
  });

  it.each(waysToBeReady)('is not left in a paused queue when a job %s', async (_, before, act) => {
    await before();
    await user.pause();
    await act();

    expect(await markers()).not.toHaveProperty('0');
  });

  it('is left by a claim for the next worker, while jobs are left', async () => {
    await user.addIds('a', 'b');
    await stored.client.del(`${stored.base}marker`);
    await user.claim(1);

    expect(await markers()).toEqual({ 0: '0' });
  });
});

describe('the time at which the next delayed job is due', () => {
  it.each(waysToBeDelayed)('is left when a job %s, for when it is due', async (_, before, act) => {
    await before();
    await stored.client.del(`${stored.base}marker`);
    await act();

    expect(await markers()).toMatchObject({ 1: String(due) });
  });

  it.each(waysToBeDelayed)('is left in a paused queue when a job %s', async (_, before, act) => {
    await before();
    await user.pause();
    await act();

    expect(await markers()).toEqual({ 1: String(due) });
  });
});

describe('the record of a job, by which others decide where it goes', () => {
  const at = async (): Promise<[priority: string, delay: string]> => {
    const { priority, delay } = await stored.hash('a');
    return [priority!, delay!];
  };

  it('has the priority and the delay that it has now, whatever it was added with', async () => {
    await user.add({ id: 'a', priority: 7, delay: 5_000 });
    expect(await at()).toEqual(['7', '5000']);
    await user.changeDelays(['a', 1_000]);
    expect(await at()).toEqual(['7', '1000']);
    await user.changePriorities(['a', 3]);
    expect(await at()).toEqual(['3', '1000']);
    await user.promote('a');
    expect(await at()).toEqual(['3', '0']);
    await user.changePriorities(['a', 0]);
    expect(await at()).toEqual(['0', '0']);
    await user.settle([retry(leaseOf(await user.claim(1)), { delay: 2_000 })]);
    expect(await at()).toEqual(['0', '2000']);
    await clock.advance(2_000);
    await user.claim(1);
    expect(await at()).toEqual(['0', '0']);
  });

  it('keeps what others wrote into it, through all that happens to the job', async () => {
    const theirs = { rjk: 'theirs', tm: 'trace', 'x-other': '{"not": JSON' };
    const opts = '{"attempts":3,"x-other":{"n":1.50},"tm":"trace"}';
    await user.add({ id: 'a', options: opts });
    await stored.client.hset(`${stored.base}a`, theirs);
    const isKept = async (): Promise<void> => {
      expect(await stored.hash('a')).toMatchObject({ ...theirs, opts });
    };

    await user.changePriorities(['a', 3]);
    await user.update({ a: '1' });
    await user.progress('a', '50');
    await user.log('a', 'row');
    await isKept();
    await user.settle([retry(leaseOf(await user.claim(1)), { delay: 2_000 })]);
    await user.changeDelays(['a', 10]);
    await user.promote('a');
    await isKept();
    await user.settle([failure(leaseOf(await user.claim(1)))]);
    await user.retry({ id: 'a', resetAttemptsMade: true });
    await isKept();
    await user.settle([completion(leaseOf(await user.claim(1)))]);
    await isKept();
  });
});

describe('a lock, and the note of a sweep that its job may be abandoned', () => {
  it('are left to whoever has the token', async () => {
    await claimed({});
    await user.recover();
    expect(await stored.members('stalled')).toEqual(['a']);
    const foreign = { id: 'a', token: 'of another' };
    const lock = await stored.text('a:lock');

    await user.renew([foreign]);
    await user.settle([completion(foreign), retry(foreign), handBack(foreign)]);
    expect([await stored.text('a:lock'), await stored.members('stalled')]).toEqual([lock, ['a']]);
    expect(await stored.list('active')).toEqual(['a']);

    await user.renew([held]);
    expect([await stored.text('a:lock'), await stored.members('stalled')]).toEqual([lock, []]);
  });

  it.each([
    ['completes', () => completion(held)],
    ['fails', () => failure(held)],
    ['is tried again', () => retry(held)],
    ['is handed back', () => handBack(held)],
  ])('are gone when the job %s', async (_, outcome) => {
    await claimed({});
    await user.recover();
    await user.settle([outcome()]);

    expect([await stored.text('a:lock'), await stored.members('stalled')]).toEqual([null, []]);
  });
});
