import { inspect } from 'node:util';

import { describe, expect, it } from '@jest/globals';

import { backendFromUrl } from '../../../lib/backends/from-url';
import type { QueueBackend } from '../../../lib/contract/queue-backend';
import { InvalidBackendUrlError } from '../../../lib/model/errors/invalid-backend-url.error';
import { UnknownBackendUrlError } from '../../../lib/model/errors/unknown-backend-url.error';

const PLAIN = { id: null, name: 'work', data: '{}', options: '{}', priority: 0, delay: 0, lifo: false };

async function open(url: string): Promise<QueueBackend> {
  return (await backendFromUrl(url)).openQueue({ queueName: 'q', role: 'producer' });
}

async function add(handle: QueueBackend): Promise<void> {
  const call = { caller: handle.caller, channel: 'a0', sequence: 1, notAfter: Infinity };
  await handle.addJobs({ jobs: [PLAIN] }, call);
}

async function waiting(handle: QueueBackend): Promise<number> {
  return (await handle.getCounts()).waiting;
}

describe('a backend URL', () => {
  it('makes a memory backend', async () => {
    const backend = await backendFromUrl('memory:');

    expect(backend).toMatchObject({ kind: 'memory', capabilities: { durable: false, server: false } });
  });

  it('leads all users of one name to one store, until the last of them closes', async () => {
    const first = await open('memory:shared');
    const second = await open('memory:shared');
    await add(first);
    expect(await waiting(second)).toBe(1);
    await first.close();
    await first.close();
    const third = await open('memory:shared');
    expect(await waiting(third)).toBe(1);
    await second.close();
    await third.close();

    const later = await open('memory:shared');
    expect(await waiting(later)).toBe(0);
    await later.close();
  });

  it('leads users of different names to different stores', async () => {
    const handles = await Promise.all(['memory:', 'memory:a', 'memory:A', 'memory:a?b'].map(open));
    await add(handles[1]!);

    expect(await Promise.all(handles.map(waiting))).toEqual([0, 1, 0, 0]);
    await Promise.all(handles.map((handle) => handle.close()));
  });

  it('may have slashes and capitals in and after its scheme', async () => {
    const handles = await Promise.all(['memory:a', 'memory://a', 'MEMORY:a'].map(open));
    await add(handles[0]!);

    expect(await Promise.all(handles.map(waiting))).toEqual([1, 1, 1]);
    await Promise.all(handles.map((handle) => handle.close()));
  });

  it('may be used again by a backend whose store was dropped', async () => {
    const backend = await backendFromUrl('memory:again');
    const first = backend.openQueue({ queueName: 'q', role: 'producer' });
    await add(first);
    await first.close();
    const second = backend.openQueue({ queueName: 'q', role: 'producer' });

    expect(await waiting(second)).toBe(0);
    await second.close();
  });

  it.each(['redis://queue.example:6380/2', 'REDISS://lane:secret@queue.example'])(
    'makes a Redis backend, which connects when it is used: %j',
    async (url) => {
      const backend = await backendFromUrl(url);

      expect(backend).toMatchObject({ kind: 'redis', capabilities: { durable: true, server: true } });
      expect(inspect(backend, { depth: null })).not.toContain('secret');
    },
  );

  it('of Redis is refused, and not shown, when a part of it cannot be used', async () => {
    const refused = backendFromUrl('redis://admin:hunter2:host');

    await expect(refused).rejects.toBeInstanceOf(InvalidBackendUrlError);
    await expect(refused).rejects.toMatchObject({ part: 'port' });
    await expect(refused).rejects.toThrow(/^(?!.*(hunter2|admin))/s);
  });

  it.each([
    [
      '',
      'The backend URL is empty. A backend URL begins with one of: memory:, redis:, rediss:. ' +
        'Correct the URL, or give a backend as a value, such as memory().',
    ],
    ['memroy:', 'No backend has URLs that begin with "memroy:". Did you mean "memory:"? A backend URL'],
    ['mysql://user:secret@host:3306/0', 'No backend has URLs that begin with "mysql:". A backend URL'],
    ['reddis://host', 'No backend has URLs that begin with "reddis:". Did you mean "redis:"? A backend URL'],
    ['memory', 'The backend URL does not begin with a scheme. A backend URL'],
    ['constructor:x', 'No backend has URLs that begin with "constructor:". A backend URL'],
    [' memory:', 'The backend URL does not begin with a scheme. A backend URL'],
    [undefined, 'The backend URL is not a text but of type undefined. A backend URL'],
  ])('is refused when there is no backend for it: %j', async (url, message) => {
    const refused = backendFromUrl(url as string);

    await expect(refused).rejects.toBeInstanceOf(UnknownBackendUrlError);
    await expect(refused).rejects.toMatchObject({
      code: 'LANE_BACKEND_URL',
      known: ['memory', 'redis', 'rediss'],
    });
    await expect(refused).rejects.toThrow(message);
  });

  it.each([
    'mysql://admin:hunter2@host',
    'admin:hunter2@host',
    'admin:hunter2@host:6379/queue?x=//',
    '//admin:hunter2@host',
    'hunter2',
    'hunter2@host',
    'admin:hunter2\n@host',
  ])('is not shown when it may hold a password: %j', async (url) => {
    await expect(backendFromUrl(url)).rejects.toThrow(/^(?!.*(hunter2|admin))/s);
  });
});

describe('UnknownBackendUrlError', () => {
  it('lists the schemes that there are', () => {
    const { message } = new UnknownBackendUrlError('sqlit:./jobs.db', ['memory', 'sqlite', 'redis']);

    expect(message).toBe(
      'No backend has URLs that begin with "sqlit:". Did you mean "sqlite:"? ' +
        'A backend URL begins with one of: memory:, sqlite:, redis:. ' +
        'Correct the URL, or give a backend as a value, such as memory().',
    );
  });
});
