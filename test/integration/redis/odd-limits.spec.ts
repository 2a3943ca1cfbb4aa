import { describe, expect, it } from '@jest/globals';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { ManualClock } from '../../support/manual-clock';
import { completion, leaseOf } from '../../support/outcomes';
import { useRedis } from '../../support/redis/own-server';

const inRedis = useRedis();
guardAgainstLeaks();

describe('limits that other clients have stored', () => {
  const setUp = async (meta: Record<string, string>, jobs = 6) => {
    const user = inRedis.open();
    const stored = inRedis.stored();
    await user.add(...Array.from({ length: jobs }, () => ({})));
    if (Object.keys(meta).length > 0) {
      await stored.client.hset(`${stored.base}meta`, meta);
    }
    return { user, stored };
  };

  it.each<[string, number]>([
    ['0', 0],
    ['-1', 0],
    ['-2.5', 0],
    ['1.5', 2],
    ['2', 2],
    ['1e300', 6],
    ['', 6],
    ['many', 6],
    ['nan', 6],
    ['inf', 6],
    ['-inf', 6],
    ['{"a":1}', 6],
  ])('a ceiling of %p lets %p jobs be active', async (concurrency, expected) => {
    const { user } = await setUp({ concurrency });
    const claim = await user.claim(200);

    expect(claim.jobs).toHaveLength(expected);
    expect(await user.ids('active')).toHaveLength(expected);
    expect(await user.handle.isMaxed()).toBe(expected < 6);
    await user.settle(
      claim.jobs.map(({ id }) => completion(leaseOf(claim, id))),
      1,
    );
  });

  // As BullMQ counts them: it looks whether a claim may go on, and counts it then.
  it.each<[string, number]>([
    ['0', 1],
    ['-3', 1],
    ['0.5', 1],
    ['2.5', 3],
    ['3', 3],
    ['1e300', 6],
    ['', 6],
    ['many', 6],
    ['nan', 6],
    ['inf', 6],
  ])('a rate of %p lets %p jobs through', async (max, expected) => {
    const { user } = await setUp({ max, duration: '60000' });

    expect((await user.claim(200)).jobs).toHaveLength(expected);
    expect((await user.claim(200)).idle?.reason).toBe(expected < 6 ? 'limited' : 'empty');
  });

  it.each(['', 'long', 'nan', 'inf', '-inf', '[1]'])(
    'a rate without a time, %p, is none',
    async (duration) => {
      const { user, stored } = await setUp({ max: '2', duration });

      expect((await user.claim(200)).jobs).toHaveLength(6);
      expect(await stored.names()).not.toContain('limiter');
    },
  );

  it('a time that is negative, or has parts of a millisecond, is as long as the whole of it', async () => {
    const { user, stored } = await setUp({ max: '2', duration: '-60000.7' });
    await user.claim(200);

    const left = await stored.lifetime('limiter');
    expect(left).toBeGreaterThan(50_000);
    expect(left).toBeLessThanOrEqual(60_000);
  });

  it.each<[string, string]>([
    ['a text', 'many'],
    ['a fraction', '2.5'],
    ['more than can be counted', '9223372036854775807'],
    ['nothing', ''],
  ])('a window that has counted %s is begun anew', async (_, counted) => {
    const { user, stored } = await setUp({ max: '2', duration: '60000' });
    await stored.client.set(`${stored.base}limiter`, counted, 'PX', 60_000);

    expect((await user.claim(200)).jobs).toHaveLength(2);
    expect(await stored.text('limiter')).toBe('2');
    expect((await user.claim(200)).idle?.reason).toBe('limited');
  });

  it('a window of another type is begun anew', async () => {
    const { user, stored } = await setUp({ max: '2', duration: '60000' });
    await stored.client.rpush(`${stored.base}limiter`, 'a');
    expect(await user.handle.getRateLimitTtl(1)).toBe(0);

    expect((await user.claim(200)).jobs).toHaveLength(2);
    expect(await stored.text('limiter')).toBe('2');
  });

  it('a window that is used up and has no end is begun anew', async () => {
    const { user, stored } = await setUp({ max: '2', duration: '60000' });
    await stored.client.set(`${stored.base}limiter`, 7);
    expect(await user.handle.getRateLimitTtl(null)).toBe(0);

    expect((await user.claim(200)).jobs).toHaveLength(2);
    expect(await stored.lifetime('limiter')).toBeGreaterThan(50_000);
  });

  it('are told as they are, or as none', async () => {
    const { user, stored } = await setUp({ concurrency: '2.5', max: 'many', duration: '-5', paused: 'yes' });
    expect(await user.handle.getSettings()).toMatchObject({
      isPaused: true,
      ceiling: 2.5,
      max: null,
      duration: -5,
    });
    await stored.client.hset(`${stored.base}meta`, {
      concurrency: ' ',
      max: 'inf',
      'opts.maxLenEvents': 'x',
    });

    expect(await user.handle.getSettings()).toMatchObject({ ceiling: null, max: null, maxEvents: 10_000 });
  });

  it('are written as BullMQ writes them', async () => {
    const { user, stored } = await setUp({});
    await user.setCeiling(5);
    await user.setRateLimit({ max: 3, duration: 2_000 });
    await user.limitClaims(30_000);
    expect(await stored.hash('meta')).toMatchObject({ concurrency: '5', max: '3', duration: '2000' });
    expect(await stored.text('limiter')).toBe(String(Number.MAX_SAFE_INTEGER));
    expect(await stored.lifetime('limiter')).toBeGreaterThan(20_000);
    await user.setCeiling(null);
    await user.setRateLimit(null);
    await user.limitClaims(null);

    expect(Object.keys(await stored.hash('meta'))).toEqual(['opts.maxLenEvents', 'version']);
    expect(await stored.names()).not.toContain('limiter');
  });
});

describe('who is held back by a rate limit', () => {
  it('is noted for a time only, and those whose time is over are forgotten', async () => {
    const clock = new ManualClock(1_900_000_000_000);
    const stored = inRedis.stored();
    const limiter = { max: 1, duration: 60_000 };
    const users = Array.from({ length: 12 }, () => inRedis.open({ clock }));
    await users[0]!.add({}, {});
    await users[0]!.claim(1, { limiter });
    for (const user of users) {
      expect((await user.claim(1, { limiter })).idle?.reason).toBe('limited');
    }
    expect(await stored.scores('ln:h')).toHaveLength(12);
    expect(await stored.lifetime('ln:h')).toBeGreaterThan(0);

    await clock.advance(120_001);
    await stored.client.set(`${stored.base}limiter`, 9, 'PXAT', clock.now() + 5_000);
    await users[0]!.claim(1, { limiter });
    await users[1]!.claim(1, { limiter });

    const callers = (await stored.scores('ln:h')).map(([caller]) => caller);
    expect(callers.sort()).toEqual(
      users
        .slice(0, 2)
        .map((user) => user.handle.caller)
        .sort(),
    );
  });
});
