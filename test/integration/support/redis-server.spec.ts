import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';

import { afterEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { RedisServer, type ServerOptions } from '../../support/redis/redis-server.mjs';
import { waitUntil } from '../../support/wait-until';

let server: RedisServer | undefined;
let client: Redis | undefined;

afterEach(async () => {
  disconnect();
  await server?.stop();
  server = undefined;
});

guardAgainstLeaks();

async function start(options?: ServerOptions): Promise<RedisServer> {
  server = await RedisServer.start(options);
  return server;
}

function clientOf({ url }: RedisServer): Redis {
  disconnect();
  client = new Redis(url, { retryStrategy: () => null, maxRetriesPerRequest: 0 });
  client.on('error', () => {});
  return client;
}

/** A client that has lost its connection already would wait for that to happen. */
function disconnect(): void {
  if (client?.status === 'ready') client.disconnect();
  client = undefined;
}

function runs(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('a Redis server of a test', () => {
  it('answers once it is started, and leaves nothing when it is stopped', async () => {
    const { url, pid, folder, port } = await start();
    expect(await clientOf(server as RedisServer).ping()).toBe('PONG');
    expect(url).toBe(`redis://127.0.0.1:${port}`);
    disconnect();
    await server?.stop();

    expect(runs(pid)).toBe(false);
    expect(existsSync(folder)).toBe(false);
  });

  it('takes lines of configuration', async () => {
    const { url } = await start({ config: ['requirepass secret', 'maxmemory 32mb'] });
    client = new Redis(url, { password: 'secret' });

    expect(await client.config('GET', 'maxmemory')).toEqual(['maxmemory', String(32 * 1024 * 1024)]);
  });

  it('says what the server said when it does not start', async () => {
    await expect(start({ config: ['no-such-setting 1'] })).rejects.toThrow(/no-such-setting/);
  });

  it('keeps its port, and its data when it writes them, over a crash', async () => {
    const kept = await start({ appendonly: true });
    const { port } = kept;
    await clientOf(kept).set('key', 'value');
    await kept.kill();
    expect(kept.pid).toBeUndefined();
    await kept.restart();

    expect(kept.port).toBe(port);
    expect(await clientOf(kept).get('key')).toBe('value');
  });

  it('forgets its data otherwise', async () => {
    const forgetful = await start();
    await clientOf(forgetful).set('key', 'value');
    await forgetful.restart();

    expect(await clientOf(forgetful).get('key')).toBeNull();
  });

  it('keeps connections and answers nothing while it is paused', async () => {
    const paused = await start();
    await clientOf(paused).ping();
    paused.pause();
    let answered = false;
    const pong = clientOf(paused)
      .ping()
      .then(() => (answered = true));
    const socket = connect(paused.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
    expect(answered).toBe(false);
    paused.resume();

    expect(await pong).toBe(true);
  });

  it('can be stopped while it is paused', async () => {
    const { pid } = await start();
    server?.pause();
    await server?.stop();

    expect(runs(pid)).toBe(false);
  });

  it('ends with its process, also one that is killed', async () => {
    const child = spawn(process.execPath, ['test/integration/support/fixtures/start-server.mjs'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { pid, folder } = JSON.parse(String(line)) as { pid: number; folder: string };
    expect(runs(pid)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');

    await waitUntil(() => !runs(pid) && !existsSync(folder), { reason: 'the server is gone' });
  });
});
