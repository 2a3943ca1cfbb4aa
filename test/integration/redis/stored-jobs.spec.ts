import { beforeEach, describe, expect, it } from '@jest/globals';
import { STALLED_REASON } from 'nestjs-lane/contract';
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

let clock: ManualClock;
let user: QueueUser;
let stored: StoredKeys;

beforeEach(() => {
  clock = new ManualClock(now);
  user = inRedis.open({ clock });
  stored = inRedis.stored();
});

/** The names of what is stored without the slot that keeps the replies of calls. */
async function typesWithoutSlots(): Promise<Record<string, string>> {
  const types = Object.entries(await stored.types());
  return Object.fromEntries(types.filter(([name]) => !name.startsWith('ln:')));
}

describe('a job that is added, as other clients see it', () => {
  it('JOB-37 STORE-02 has the six fields that every job has, waits at the head of the list, and wakes a worker', async () => {
    await user.add({ name: 'send', data: '{"x":1}', options: '{"attempts":0}' });

    expect(await typesWithoutSlots()).toEqual({
      '1': 'hash',
      events: 'stream',
      id: 'string',
      marker: 'zset',
      meta: 'hash',
      wait: 'list',
    });
    expect(await stored.hash('1')).toEqual({
      name: 'send',
      data: '{"x":1}',
      opts: '{"attempts":0}',
      timestamp: String(now),
      delay: '0',
      priority: '0',
    });
    expect(await stored.list('wait')).toEqual(['1']);
    expect(await stored.text('id')).toBe('1');
    expect(await stored.scores('marker')).toEqual([['0', '0']]);
    expect(await stored.entries('events')).toEqual([
      ['event', 'added', 'jobId', '1', 'name', 'send'],
      ['event', 'waiting', 'jobId', '1'],
    ]);
  });

  it('stands at the head of the list, or at its tail when it is LIFO', async () => {
    await user.add({ id: 'first' }, { id: 'second' }, { id: 'lifo', lifo: true });

    expect(await stored.list('wait')).toEqual(['second', 'first', 'lifo']);
  });

  it('counts up the ids also when it has one of its own', async () => {
    await user.add({ id: 'own' }, {}, { id: 'other' });

    expect(await stored.text('id')).toBe('3');
    expect(await stored.names()).toEqual(expect.arrayContaining(['own', '2', 'other']));
  });

  it('keeps data and options as they are written, and leaves options alone that it does not know', async () => {
    const options =
      '{"attempts":3,"kl":5,"x-other":{"a":[null,1.50,"\\/"]},"backoff":{"type":"fixed","delay":1}}';
    const data = '{"n":12345678901234567890,"list":[],"nothing":null}';
    await user.add({ id: 'a', data, options });
    await user.settle([retry(leaseOf(await user.claim(1)))]);
    await user.settle([completion(leaseOf(await user.claim(1)))]);

    expect(await stored.hash('a')).toMatchObject({ data, opts: options });
  });

  it('has a score of its due time and its place within the millisecond when it is delayed', async () => {
    await user.add({ id: 'z', delay: 1_000 }, { id: 'a', delay: 1_000 }, { id: 'm', delay: 1_000 });

    expect(await stored.scores('delayed')).toEqual([
      ['z', '7782400004096000'],
      ['a', '7782400004096001'],
      ['m', '7782400004096002'],
    ]);
    expect(await stored.hash('z')).toMatchObject({ timestamp: String(now), delay: '1000', priority: '0' });
    expect(await stored.entries('events')).toContainEqual([
      'event',
      'delayed',
      'jobId',
      'z',
      'delay',
      String(now + 1_000),
    ]);
    expect(await stored.scores('marker')).toEqual([['1', String(now + 1_000)]]);
    expect(await stored.names()).not.toContain('wait');
  });

  it('is due at a whole millisecond, whatever its delay', async () => {
    await user.add({ delay: 0.25 });

    expect(await stored.hash('1')).toMatchObject({ delay: '1' });
    expect(await stored.scores('delayed')).toEqual([['1', String((now + 1) * 4_096)]]);
  });

  it('shares the last place of a millisecond when that is full', async () => {
    const last = (now + 2) * 4_096 - 1;
    await stored.client.zadd(`${stored.base}delayed`, last, 'earlier');
    await user.add({ id: 'a', delay: 1 });

    expect(await stored.scores('delayed')).toEqual([
      ['a', String(last)],
      ['earlier', String(last)],
    ]);
  });

  it('JOB-09 has a score of its priority and its place among equals when it is prioritized', async () => {
    await user.add(
      { id: 'seven', priority: 7 },
      { id: 'first', priority: 1 },
      { id: 'last', priority: 2_097_151 },
    );

    expect(await stored.scores('prioritized')).toEqual([
      ['first', String(4_294_967_296 + 2)],
      ['seven', '30064771073'],
      ['last', String(2_097_151 * 4_294_967_296 + 3)],
    ]);
    expect(await stored.text('pc')).toBe('3');
    expect(await stored.hash('seven')).toMatchObject({ priority: '7', delay: '0' });
    expect(await stored.scores('marker')).toEqual([['0', '0']]);
  });

  it('starts the places among equals anew after four thousand million', async () => {
    await stored.client.set(`${stored.base}pc`, 4_294_967_295);
    await user.add({ id: 'a', priority: 1 });

    expect(await stored.scores('prioritized')).toEqual([['a', '4294967296']]);
    expect(await stored.text('pc')).toBe('4294967296');
  });
});

describe('a job that is claimed, as other clients see it', () => {
  it('has a lock with the token, the time and the number of its start, and the name of its worker', async () => {
    await user.add({ id: 'a' }, { id: 'b' });
    clock.set(now + 5);
    const claim = await user.claim(2, { workerName: 'mailer' });

    expect(await stored.list('active')).toEqual(['b', 'a']);
    expect(await stored.text('a:lock')).toBe(claim.token);
    expect(await stored.hash('a')).toMatchObject({ processedOn: String(now + 5), ats: '1', pb: 'mailer' });
    expect(await stored.hash('a')).not.toHaveProperty('atm');
    expect((await stored.entries('events')).slice(-2)).toEqual([
      ['event', 'active', 'jobId', 'a', 'prev', 'waiting'],
      ['event', 'active', 'jobId', 'b', 'prev', 'waiting'],
    ]);
    expect(await stored.names()).not.toContain('wait');
  });

  it('JOB-37 JOB-39 leaves a wake-up when jobs are left, and the time of the next delayed job when none is', async () => {
    await user.add({ id: 'a' }, { id: 'b' }, { id: 'late', delay: 7 });
    await stored.client.del(`${stored.base}marker`);
    await user.claim(1);
    expect(await stored.scores('marker')).toEqual([['0', '0']]);
    await stored.client.del(`${stored.base}marker`);
    await user.claim(1);

    expect(await stored.scores('marker')).toEqual([['1', String(now + 7)]]);
  });

  it('has no delay any more when it was held back, and keeps its priority', async () => {
    await user.add({ id: 'a', delay: 10, priority: 4 });
    clock.set(now + 10);
    await user.claim(1);

    expect(await stored.hash('a')).toMatchObject({ delay: '0', priority: '4' });
    expect(await stored.names()).not.toContain('delayed');
  });

  it('is none of the marks that clients before version 5 left, nor an id without a job', async () => {
    await user.add({ id: 'a' });
    await stored.client.rpush(`${stored.base}wait`, '0:0', 'gone', '0:1900000000000');
    await stored.client.zadd(`${stored.base}prioritized`, 1, 'gone-too');
    await stored.client.zadd(`${stored.base}delayed`, 1, 'never-was');

    const claim = await user.claim(5);

    expect(claim.jobs.map(({ id }) => id)).toEqual(['a']);
    expect(await stored.list('active')).toEqual(['a']);
    expect((await stored.names()).filter((name) => /gone|never|0:/.test(name))).toEqual([]);
  });

  it('carries what was noted that it has to fail with', async () => {
    await user.add({ id: 'a' });
    await stored.client.hset(`${stored.base}a`, 'defa', 'child bull:q:1 failed');

    expect((await user.claim(1)).jobs).toMatchObject([{ deferredFailure: 'child bull:q:1 failed' }]);
  });

  it('STORE-18 is read also when an old client wrote it, with other fields and without some', async () => {
    await stored.client.hset(`${stored.base}old`, {
      name: 'send',
      data: '1',
      attemptsMade: 2,
      'x-own': 'kept',
    });
    await stored.client.lpush(`${stored.base}wait`, 'old');

    const claim = await user.claim(1);
    expect(claim.jobs).toMatchObject([
      { id: 'old', name: 'send', data: '1', options: '{}', attemptsMade: 2 },
    ]);
    await user.settle([completion(leaseOf(claim))]);

    expect(await stored.hash('old')).toMatchObject({ 'x-own': 'kept', returnvalue: 'null' });
  });
});

describe('a job that is settled, as other clients see it', () => {
  it('is completed with its result, without a lock, in a set by the time of its end', async () => {
    await user.add({ id: 'a' });
    const claim = await user.claim(1);
    await user.recover();
    expect(await stored.members('stalled')).toEqual(['a']);
    clock.set(now + 5);
    await user.settle([completion(leaseOf(claim), { returnValue: '{"a":[]}' })]);

    expect(await stored.hash('a')).toEqual({
      name: 'work',
      data: '{}',
      opts: '{}',
      timestamp: String(now),
      delay: '0',
      priority: '0',
      processedOn: String(now),
      ats: '1',
      atm: '1',
      returnvalue: '{"a":[]}',
      finishedOn: String(now + 5),
    });
    expect(await stored.scores('completed')).toEqual([['a', String(now + 5)]]);
    expect(Object.keys(await typesWithoutSlots())).toEqual([
      'a',
      'completed',
      'events',
      'id',
      'marker',
      'meta',
      'stalled-check',
    ]);
    expect((await stored.entries('events')).slice(-2)).toEqual([
      ['event', 'completed', 'jobId', 'a', 'returnvalue', '{"a":[]}', 'prev', 'active'],
      ['event', 'drained'],
    ]);
  });

  it('keeps the order of ends in the scores, also within a millisecond and when the clock goes back', async () => {
    await user.addIds('z', 'm', 'a', 'b');
    const claim = await user.claim(4);
    await user.settle([completion(leaseOf(claim, 'z')), completion(leaseOf(claim, 'm'))]);
    await user.settle([completion(leaseOf(claim, 'a'))]);
    clock.set(now - 1_000);
    await user.settle([completion(leaseOf(claim, 'b'))]);

    const scores = await stored.scores('completed');
    expect(scores.map(([id]) => id)).toEqual(['z', 'm', 'a', 'b']);
    expect(scores.map(([, score]) => Math.floor(Number(score)))).toEqual([now, now, now, now]);
    expect(await stored.hash('m')).toMatchObject({ finishedOn: String(now) });
    expect(await stored.hash('b')).toMatchObject({ finishedOn: String(now - 1_000) });
  });

  it('is failed with a reason as text, a trace as JSON, and what became of its attempts', async () => {
    await user.add({ id: 'a' });
    const claim = await user.claim(1);
    await stored.client.hset(`${stored.base}a`, 'defa', 'noted');
    const fields = { reason: 'no "such" address', stacktrace: '["Error: 1","Error: 2"]', code: 'no-handler' };
    await user.settle([failure(leaseOf(claim), fields)]);

    const hash = await stored.hash('a');
    expect(hash).toMatchObject({
      failedReason: 'no "such" address',
      stacktrace: '["Error: 1","Error: 2"]',
      atm: '1',
      finishedOn: String(now),
      'ln:code': 'no-handler',
    });
    expect(hash).not.toHaveProperty('defa');
    expect(hash).not.toHaveProperty('returnvalue');
    expect(await stored.scores('failed')).toEqual([['a', String(now)]]);
    expect((await stored.entries('events')).slice(-3)).toEqual([
      ['event', 'failed', 'jobId', 'a', 'failedReason', 'no "such" address', 'prev', 'active'],
      ['event', 'retries-exhausted', 'jobId', 'a', 'attemptsMade', '1'],
      ['event', 'drained'],
    ]);
  });

  it('has no code of an earlier failure when it fails without one', async () => {
    await user.add({ id: 'a' });
    await stored.client.hset(`${stored.base}a`, 'ln:code', 'timeout');
    await user.settle([failure(leaseOf(await user.claim(1)))]);

    expect(await stored.hash('a')).not.toHaveProperty('ln:code');
  });

  it('waits again at the head, or at the tail when it is handed back, with a wake-up', async () => {
    await user.addIds('a', 'b', 'waits');
    const claim = await user.claim(2);
    await stored.client.del(`${stored.base}marker`);
    await user.settle([retry(leaseOf(claim, 'a'), { reason: 'busy' }), handBack(leaseOf(claim, 'b'))]);

    expect(await stored.list('wait')).toEqual(['a', 'waits', 'b']);
    expect(await stored.hash('a')).toMatchObject({ failedReason: 'busy', atm: '1', ats: '1' });
    expect(await stored.hash('b')).not.toHaveProperty('atm');
    expect(await stored.scores('marker')).toEqual([['0', '0']]);
    expect(await stored.names()).not.toContain('a:lock');
    expect(await stored.names()).not.toContain('b:lock');
  });

  it('is held back with its delay, and the time when it is due', async () => {
    await user.add({ id: 'a' });
    await user.settle([retry(leaseOf(await user.claim(1)), { delay: 20 })]);

    expect(await stored.hash('a')).toMatchObject({ delay: '20', atm: '1' });
    expect(await stored.scores('delayed')).toEqual([['a', String((now + 20) * 4_096)]]);
    expect(await stored.scores('marker')).toContainEqual(['1', String(now + 20)]);
  });

  it('leaves nothing behind of which nothing is kept, nor does one that is removed later', async () => {
    for (const id of ['a', 'b']) {
      await user.add({ id });
      const lease = leaseOf(await user.claim(1));
      await stored.client.rpush(`${stored.base}${id}:logs`, 'row');
      await user.settle([
        completion(lease, { retention: { count: id === 'a' ? -1 : 0, age: null, limit: 9 } }),
      ]);
    }
    await user.add({ id: 'c' });
    await user.settle([
      completion(leaseOf(await user.claim(1)), { retention: { count: 1, age: null, limit: 9 } }),
    ]);

    expect((await stored.names()).filter((name) => /^[ab](:|$)/.test(name))).toEqual([]);
    expect(await stored.scores('completed')).toEqual([['c', expect.stringMatching(/^1900000000000\./)]]);
  });

  it('says how often it was abandoned, and stands at the tail', async () => {
    await user.addIds('a', 'b');
    await user.claim(1);
    await user.recover({ sweepInterval: 1_000, maxStalledCount: 0 });
    expect(await stored.text('stalled-check')).toBe(String(now));
    await stored.client.del(`${stored.base}a:lock`);
    clock.set(now + 1_000);
    await user.recover({ sweepInterval: 1_000, maxStalledCount: 0 });

    expect(await stored.hash('a')).toMatchObject({ stc: '1', defa: STALLED_REASON });
    expect(await stored.list('wait')).toEqual(['b', 'a']);
    expect(await stored.names()).not.toContain('stalled');
    expect((await stored.entries('events')).slice(-2)).toEqual([
      ['event', 'waiting', 'jobId', 'a', 'prev', 'active'],
      ['event', 'stalled', 'jobId', 'a'],
    ]);
  });

  it('is taken back also when the clock was put back since the last sweep', async () => {
    await user.addIds('a');
    await user.claim(1);
    await user.recover();
    clock.set(now - 3_600_000);
    await stored.client.del(`${stored.base}a:lock`);

    expect(await user.recover()).toMatchObject({ recovered: ['a'] });
    expect(await stored.text('stalled-check')).toBe(String(now - 3_600_000));
  });

  it('tells its progress in JSON', async () => {
    await user.add({ id: 'a' });
    await user.progress('a', '{"done":1}');

    expect(await stored.hash('a')).toMatchObject({ progress: '{"done":1}' });
    expect((await stored.entries('events')).at(-1)).toEqual([
      'event',
      'progress',
      'jobId',
      'a',
      'data',
      '{"done":1}',
    ]);
  });
});
