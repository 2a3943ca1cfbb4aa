import { inspect } from 'node:util';

import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Queue, Worker } from 'nestjs-lane/engine';
import { redis, type RedisOptions } from 'nestjs-lane/redis';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { loopbackPorts } from '../../support/loopback-ports.mjs';
import { useRedis } from '../../support/redis/own-server';
import { waitUntil } from '../../support/wait-until';

const inRedis = useRedis({ config: ['maxmemory-policy allkeys-lru'] });
guardAgainstLeaks();

const username = 'ali-baba';
const password = 'opens-sesame';
const secrets = [username, password];

const emitWarning = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
const written = (['log', 'warn', 'error'] as const).map((name) =>
  jest.spyOn(console, name).mockImplementation(() => undefined),
);

beforeEach(() => setUser());

afterEach(async () => {
  [emitWarning, ...written].forEach((spy) => spy.mockClear());
  await inRedis.client.config('SET', 'maxmemory', 0);
});

async function setUser(...rules: string[]): Promise<void> {
  await inRedis.client.acl('SETUSER', username, 'reset', 'on', `>${password}`, '~*', '&*', '+@all', ...rules);
}

function urlWith(login: string, rest = ''): string {
  return inRedis.url.replace('redis://', `redis://${login}@`) + rest;
}

/** Everything that can be read of an error, its causes and hidden properties included. */
function expectNoSecrets(seen: unknown): void {
  const texts = [inspect(seen, { depth: 20, showHidden: true, maxArrayLength: null, maxStringLength: null })];
  for (let error = seen; error instanceof Error; error = error.cause) {
    texts.push(error.message, error.stack ?? '', String(error), JSON.stringify(error));
  }
  for (const secret of secrets) {
    expect(texts.filter((text) => text.includes(secret))).toEqual([]);
  }
}

async function failureOf(promise: Promise<unknown>): Promise<Error & { code?: string }> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error('It has not failed.');
}

/** Where nobody listens. */
const nowhere = `127.0.0.1:${[...loopbackPorts(1)].join('')}`;

describe('user name and password of a URL', () => {
  it.each<[string, () => string | RedisOptions]>([
    ['LANE_LOGIN_REFUSED', () => urlWith(`${username}:wrong-${password}`)],
    [
      'LANE_LOGIN_REFUSED',
      () => ({ connection: { port: inRedis.server!.port, username, password: `wrong-${password}` } }),
    ],
    ['LANE_CONNECTION_LOST', () => `redis://${username}:${password}@${nowhere}`],
    ['LANE_CONNECTION_LOST', () => `redis://${username}:${password}@no-such-host.invalid`],
    ['LANE_STORE_UNAVAILABLE', () => urlWith(`${username}:${password}`, '/99')],
  ])('are in no part of an error: %s', async (code, options) => {
    const given = options();
    const user = inRedis.open(typeof given === 'string' ? { url: given } : given);

    for (const call of [() => user.handle.ready(), () => user.add({}), () => user.handle.getJobs(['1'])]) {
      const error = await failureOf(call());
      expectNoSecrets(error);
      expect(error.code).toBe(code);
    }
    expectNoSecrets(written.map((spy) => spy.mock.calls));
    expectNoSecrets(emitWarning.mock.calls);
  });

  it('are in no error of a command, and nor is what was sent with it', async () => {
    const user = inRedis.open({ url: urlWith(`${username}:${password}`) });
    const data = '"confidential"';
    await user.add({ id: 'a', data });
    await inRedis.client.config('SET', 'maxmemory', 1);
    const full = await failureOf(user.add({ data }));
    await inRedis.client.config('SET', 'maxmemory', 0);
    await setUser('-evalsha');
    const forbidden = await failureOf(user.add({ data }));
    await setUser();
    await inRedis.client.set(`${inRedis.prefix}:mail:id`, 'no number');
    const broken = await failureOf(user.add({ data }));

    expect([full.code, forbidden.code, broken.name]).toEqual([
      'LANE_STORE_FULL',
      'LANE_COMMAND_FORBIDDEN',
      'ReplyError',
    ]);
    for (const error of [full, forbidden, broken]) {
      expectNoSecrets(error);
      expect(inspect(error, { depth: 20, showHidden: true })).not.toContain('confidential');
    }
    expect(emitWarning).toHaveBeenCalledTimes(1);
    expectNoSecrets(emitWarning.mock.calls);
  });

  it('are in no error that a worker or a queue tells of', async () => {
    const backend = inRedis.backend({ url: urlWith(`${username}:wrong-${password}`) });
    const queue = new Queue('mail', { backend });
    const errors: Error[] = [];
    const worker = new Worker('mail', () => undefined, { backend });
    worker.on('error', (error) => errors.push(error));
    await waitUntil(() => errors.length > 0, { reason: 'the worker was refused' });
    errors.push(await failureOf(queue.add('send', {})));
    await worker.close();
    await queue.close();

    errors.forEach(expectNoSecrets);
    expect(new Set(errors.map((error) => (error as { code?: string }).code))).toEqual(
      new Set(['LANE_LOGIN_REFUSED']),
    );
    expectNoSecrets(written.map((spy) => spy.mock.calls));
  });

  it.each<[string, unknown]>([
    ['a part that cannot be used', `redis://${username}:${password}@host:port`],
    ['another scheme', `https://${username}:${password}@host`],
    ['no scheme', `${username}:${password}@host`],
    [
      'an option beside it',
      { url: `redis://${username}:${password}@host`, connection: { username, password } },
    ],
    ['an option that there is not', { uri: `redis://${username}:${password}@host` }],
    ['options that are none', { connection: `redis://${username}:${password}@host` }],
    ['a client that is none', { client: { username, password } }],
    ['a prefix that is none', { url: `redis://${username}:${password}@host`, prefix: '' }],
    ['a prefix of keys', { connection: { username, password, keyPrefix: 'x' } }],
  ])('are in no error about %s', (_, options) => {
    let error: unknown;
    try {
      redis(options as RedisOptions);
    } catch (thrown) {
      error = thrown;
    }

    expect(error).toBeInstanceOf(Error);
    expectNoSecrets(error);
  });
});
