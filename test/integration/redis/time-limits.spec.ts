import { beforeEach, describe, expect, it } from '@jest/globals';
import { EXPIRED_REASON } from 'nestjs-lane/contract';
import type { QueueUser } from 'nestjs-lane/testing/conformance';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { ManualClock } from '../../support/manual-clock';
import { completion, failure, leaseOf } from '../../support/outcomes';
import { useRedis } from '../../support/redis/own-server';
import type { StoredKeys } from '../../support/redis/stored-keys';

const inRedis = useRedis();
guardAgainstLeaks();

/** Later than the server's time, so that nothing expires. */
const now = 1_900_000_000_000;
const WEEK = 7 * 86_400_000;

let clock: ManualClock;
let user: QueueUser;
let stored: StoredKeys;

beforeEach(() => {
  clock = new ManualClock(now);
  user = inRedis.open({ clock });
  stored = inRedis.stored();
});

describe('a job with time limits, as it is stored', () => {
  it('has them in fields of its own, and options that clients of BullMQ know', async () => {
    await user.add(
      { id: 'a', options: '{"attempts":3}', timeout: 500, expiresIn: 60_000, delay: 5 },
      { id: 'b' },
    );

    expect(await stored.hash('a')).toEqual({
      name: 'work',
      data: '{}',
      opts: '{"attempts":3}',
      timestamp: String(now),
      delay: '5',
      priority: '0',
      'ln:timeout': '500',
      'ln:expires': String(now + 60_005),
      'ln:expiresIn': '60000',
    });
    expect(Object.keys(await stored.hash('b'))).toEqual([
      'name',
      'data',
      'opts',
      'timestamp',
      'delay',
      'priority',
    ]);
  });

  it('stands in a set that is gone a week after the last time in it, or with its last job', async () => {
    await user.add({ id: 'plain', timeout: 5 });
    expect(Object.keys(await stored.types())).not.toContain('ln:x');
    await user.add(
      { id: 'a', expiresIn: 60_000 },
      { id: 'b', expiresIn: 30_000 },
      { id: 'c', expiresIn: 30_000 },
    );

    expect(await stored.scores('ln:x')).toEqual([
      ['b', String((now + 30_000) * 4096)],
      ['c', String((now + 30_000) * 4096 + 1)],
      ['a', String((now + 60_000) * 4096)],
    ]);
    const left = now + 60_000 + WEEK - Date.now();
    expect(await stored.lifetime('ln:x')).toBeGreaterThan(left);
    expect(await stored.lifetime('ln:x')).toBeLessThan(left + 2 * 86_400_000);

    await user.remove('b');
    const claim = await user.claim(3);
    expect(claim.jobs.map(({ id }) => id)).toEqual(['plain', 'a', 'c']);
    expect(Object.keys(await stored.types())).not.toContain('ln:x');
  });

  it('is told to fail by whoever takes it next, once it has expired', async () => {
    await user.add({ id: 'a', expiresIn: 10 });
    await clock.advance(10);
    const claim = await user.claim(1);

    expect(await stored.hash('a')).toMatchObject({ defa: EXPIRED_REASON, ats: '1' });
    expect(await stored.hash('a')).not.toHaveProperty('ln:expires');
    await user.settle([failure(leaseOf(claim), { reason: EXPIRED_REASON, code: 'expired' })]);
    expect(await stored.hash('a')).toMatchObject({ failedReason: EXPIRED_REASON, 'ln:code': 'expired' });
    expect(await stored.hash('a')).not.toHaveProperty('defa');
  });
});

describe('what others have stored', () => {
  it('is dropped from the set, where there is no job, or one that has been run', async () => {
    await user.add(...['gone', 'other', 'run', 'done', 'parent'].map((id) => ({ id, expiresIn: 10 })));
    await user.add({ id: 'a', expiresIn: 10 });
    const { client, base } = stored;
    await client.del(`${base}gone`);
    await client.del(`${base}other`);
    await client.set(`${base}other`, 'a text');
    await client.hset(`${base}run`, 'ats', '1');
    await client.hset(`${base}done`, 'finishedOn', '5');
    await client.lrem(`${base}wait`, 1, 'parent');
    await client.zadd(`${base}waiting-children`, now, 'parent');
    await client.zadd(`${base}ln:x`, 5, '', 6, 'ln:x');
    await clock.advance(10);

    const { claim, more } = await user.claimExpired();

    expect([claim.jobs.map(({ id }) => id), more]).toEqual([['a'], false]);
    expect(Object.keys(await stored.types())).not.toContain('ln:x');
    expect(await user.state('parent')).toBe('waiting-children');
    await client.del(`${base}other`);
  });

  it('is gone by the job, not by the set', async () => {
    await user.add(
      { id: 'later', expiresIn: 10 },
      { id: 'none', expiresIn: 10 },
      { id: 'odd', expiresIn: 10 },
    );
    await stored.client.hset(`${stored.base}later`, 'ln:expires', String(now + 500));
    await stored.client.hdel(`${stored.base}none`, 'ln:expires', 'ln:expiresIn');
    await stored.client.hset(
      `${stored.base}odd`,
      'ln:expires',
      'soon',
      'ln:timeout',
      '-1',
      'ln:expiresIn',
      'x',
    );
    await clock.advance(10);
    expect((await user.claimExpired()).claim.jobs).toEqual([]);
    expect(await stored.scores('ln:x')).toEqual([['later', String((now + 500) * 4096)]]);
    expect(await user.job('odd')).toMatchObject({ timeout: null, expiresIn: null, expiresAt: null });

    expect((await user.claim(3)).jobs.map(({ id, deferredFailure }) => [id, deferredFailure])).toEqual([
      ['later', null],
      ['none', null],
      ['odd', null],
    ]);
  });

  it('as a longer delay by BullMQ, has the time counted from the new one', async () => {
    await user.add({ id: 'a', delay: 10, expiresIn: 10 });
    await stored.client.zadd(`${stored.base}delayed`, (now + 1_000) * 4096, 'a');
    await clock.advance(20);
    expect((await user.claimExpired()).claim.jobs).toEqual([]);
    expect(await stored.hash('a')).toMatchObject({ 'ln:expires': String(now + 1_010) });
    await clock.advance(980);

    expect((await user.claim(1)).jobs[0]).toMatchObject({ id: 'a', deferredFailure: null });
  });

  it('leaves iterations of job schedulers to the claim that meets them', async () => {
    await user.add({ id: 'a', expiresIn: 10 });
    await stored.client.hset(`${stored.base}a`, 'rjk', 'each-hour');
    await clock.advance(10);
    expect((await user.claimExpired()).claim.jobs).toEqual([]);

    const claim = await user.claim(1);
    expect(claim.jobs[0]).toMatchObject({ id: 'a', deferredFailure: EXPIRED_REASON });
    await user.settle([completion(leaseOf(claim))]);
  });

  it('a job that waits in the list of a pause by BullMQ 5 is found there', async () => {
    await user.add({ id: 'a', expiresIn: 10 }, { id: 'b' });
    const { client, base } = stored;
    await client.rename(`${base}wait`, `${base}paused`);
    await client.hset(`${base}meta`, 'paused', '1');
    await clock.advance(10);

    expect((await user.claimExpired()).claim.jobs.map(({ id }) => id)).toEqual(['a']);
    expect(await stored.list('paused')).toEqual(['b']);
  });
});
