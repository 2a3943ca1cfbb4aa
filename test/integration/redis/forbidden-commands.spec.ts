import { inspect } from 'node:util';

import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Queue, Worker } from 'nestjs-lane/engine';
import type { RedisOptions } from 'nestjs-lane/redis';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { useRedis } from '../../support/redis/own-server';
import { waitUntil } from '../../support/wait-until';

const inRedis = useRedis({});
guardAgainstLeaks();

const password = 'opens-sesame';

const emitWarning = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
const written = (['log', 'warn', 'error'] as const).map((name) =>
  jest.spyOn(console, name).mockImplementation(() => undefined),
);

afterEach(() => [emitWarning, ...written].forEach((spy) => spy.mockClear()));

/** A user who may do anything but what the rules take away. */
async function asUser(...rules: string[]): Promise<RedisOptions> {
  await inRedis.client.acl('SETUSER', 'lane', 'reset', 'on', `>${password}`, '~*', '&*', '+@all', ...rules);
  return { url: inRedis.url.replace('redis://', `redis://lane:${password}@`) };
}

describe('a user who may not run a command', () => {
  it.each(['evalsha', 'time', 'ping'])(
    'is told which, when it is one of the backend: %s',
    async (command) => {
      const user = inRedis.open(await asUser(`-${command}`));
      const call = { caller: user.handle.caller, channel: 'a0', sequence: 1, notAfter: Infinity };

      const failed = {
        evalsha: () => user.handle.addJobs({ jobs: [] }, call),
        time: () => user.handle.time(),
        ping: () => user.handle.ready(),
      }[command]!();

      await expect(failed).rejects.toMatchObject({
        code: 'LANE_COMMAND_FORBIDDEN',
        command,
        message: expect.stringMatching(
          new RegExp(`^Redis at 127\\.0\\.0\\.1:\\d+ does not let its user run the command "${command}"\\.`),
        ),
      });
    },
  );

  it.each(['hset', 'xadd', 'lpush', 'zadd', 'xtrim'])(
    'is told which, when a script needs it: %s',
    async (command) => {
      const user = inRedis.open(await asUser(`-${command}`));

      await expect(user.add({})).rejects.toMatchObject({ code: 'LANE_COMMAND_FORBIDDEN', command });
    },
  );

  it('STORE-09 is told before anything is written', async () => {
    const user = inRedis.open(await asUser('-zadd'));

    await expect(user.add({})).rejects.toMatchObject({ code: 'LANE_COMMAND_FORBIDDEN', command: 'zadd' });
    expect(await inRedis.stored().names()).toEqual([]);
  });

  it.each(['hset', 'xadd', 'lpush', 'zadd'])(
    'is told which, when it is taken away from scripts later: %s',
    async (command) => {
      const user = inRedis.open(await asUser());
      await user.add({});
      await asUser(`-${command}`);

      await expect(user.add({})).rejects.toMatchObject({ code: 'LANE_COMMAND_FORBIDDEN', command });
    },
  );

  it('is told that of keys, and of channels that it does not need nothing', async () => {
    const elsewhere = inRedis.open(await asUser('resetkeys', '~other*'));
    await expect(elsewhere.add({})).rejects.toMatchObject({
      code: 'LANE_COMMAND_FORBIDDEN',
      command: undefined,
    });
    const user = inRedis.open(await asUser('resetkeys', 'resetchannels', `~${inRedis.prefix}:*`));
    await user.add({});

    expect((await user.claim(1)).jobs).toHaveLength(1);
  });

  it('keeps a worker that goes on when the command is allowed', async () => {
    const backend = inRedis.backend(await asUser('-zpopmin'));
    const queue = new Queue('mail', { backend });
    const errors: Error[] = [];
    const completed: string[] = [];
    const worker = new Worker('mail', () => undefined, { backend });
    worker.on('error', (error) => errors.push(error));
    worker.on('completed', (job) => completed.push(job.id));
    await waitUntil(() => errors.length > 0, { reason: 'the worker was refused' });
    expect(errors[0]).toMatchObject({ code: 'LANE_COMMAND_FORBIDDEN', command: 'zpopmin' });
    await asUser();
    await queue.add('send', {});
    await waitUntil(() => completed.length > 0, { reason: 'the job is completed' });

    await worker.close();
    await queue.close();
  });
});

describe('a server that lets nobody look at it', () => {
  it('works without INFO, CLIENT and CONFIG, which is warned of once', async () => {
    const backend = inRedis.backend(await asUser('-info', '-client', '-config', '-hello', '-script'));
    const queue = new Queue('mail', { backend });
    const completed: string[] = [];
    const worker = new Worker('mail', () => undefined, { backend, name: 'mailer' });
    worker.on('completed', (job) => completed.push(job.id));
    await queue.add('send', {}, { jobId: 'now' });
    await queue.add('send', {}, { jobId: 'later', delay: 20 });
    await waitUntil(() => completed.length === 2, { reason: 'both jobs are completed' });
    await worker.close();
    await queue.close();

    expect(emitWarning.mock.calls).toEqual([
      [
        expect.stringMatching(/^Redis at 127\.0\.0\.1:\d+ does not answer INFO, so its version and settings/),
        { type: 'LaneWarning', code: 'LANE_SERVER_UNKNOWN' },
      ],
    ]);
    expect(written.flatMap((spy) => spy.mock.calls)).toEqual([]);
    expect(inspect(emitWarning.mock.calls)).not.toContain(password);
  });
});

describe('a database that there is not, or that the user may not choose', () => {
  it('is an error: nothing is written to another one', async () => {
    const user = inRedis.open({ url: `${inRedis.url}/99` });

    await expect(user.handle.ready()).rejects.toMatchObject({
      code: 'LANE_STORE_UNAVAILABLE',
      reply: 'ERR DB index is out of range',
    });
    await expect(user.add({})).rejects.toMatchObject({ code: 'LANE_STORE_UNAVAILABLE' });
    const { url = '' } = await asUser('-select');
    const other = inRedis.open({ url: `${url}/3` });
    await expect(other.handle.ready()).rejects.toMatchObject({
      code: 'LANE_COMMAND_FORBIDDEN',
      command: 'select',
    });

    expect(await inRedis.stored().names()).toEqual([]);
  });

  it('is used as soon as the user may choose it', async () => {
    const { url = '' } = await asUser('-select');
    const user = inRedis.open({ url: `${url}/3` });
    await expect(user.handle.ready()).rejects.toMatchObject({ code: 'LANE_COMMAND_FORBIDDEN' });
    await asUser();
    await waitUntil(() => user.add({}).catch(() => undefined), { reason: 'there is a new connection' });

    expect(await inRedis.stored().names()).toEqual([]);
    const { client } = inRedis;
    await client.select(3);
    const keys = await client.keys(`${inRedis.prefix}*`);
    await client.del(keys);
    await client.select(0);
    expect(keys).toContain(`${inRedis.prefix}:mail:1`);
  });
});
