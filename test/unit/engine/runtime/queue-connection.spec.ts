import { afterEach, describe, expect, it, jest } from '@jest/globals';

import { systemClock } from '../../../../lib/contract/clock';
import type { LaneBackend } from '../../../../lib/contract/queue-backend';
import { type ConnectionOptions, QueueConnection } from '../../../../lib/engine/runtime/queue-connection';
import { InvalidBackendError } from '../../../../lib/model/errors/invalid-backend.error';
import { QueueClosedError } from '../../../../lib/model/errors/queue-closed.error';
import { UnknownBackendUrlError } from '../../../../lib/model/errors/unknown-backend-url.error';
import { ManualClock } from '../../../support/manual-clock';

function backend() {
  const handle = { caller: 'c', close: jest.fn(async () => undefined), time: async () => 0 };
  const openQueue = jest.fn<LaneBackend['openQueue']>(
    () => handle as unknown as ReturnType<LaneBackend['openQueue']>,
  );
  return { kind: 'fake', capabilities: { durable: false, server: false }, openQueue, handle };
}

function connect(options: unknown): QueueConnection {
  return new QueueConnection('email', 'Queue "email"', 'producer', options as ConnectionOptions);
}

let unhandled: unknown[] = [];
const noteUnhandled = (reason: unknown): number => unhandled.push(reason);

afterEach(() => {
  process.off('unhandledRejection', noteUnhandled);
  unhandled = [];
});

describe('QueueConnection', () => {
  it('opens a handle on its queue at once, for what its owner does', () => {
    const store = backend();
    const connection = connect({ backend: store });
    expect(store.openQueue.mock.calls).toEqual([[{ queueName: 'email', role: 'producer' }]]);
    expect(connection.opened?.backend).toBe(store.handle);
    const named = backend();
    new QueueConnection('email', 'Worker "email"', 'worker', { backend: named }, 'mailer');
    expect(named.openQueue.mock.calls).toEqual([
      [{ queueName: 'email', role: 'worker', workerName: 'mailer' }],
    ]);
    expect(connection.clock).toBe(systemClock);
    const clock = new ManualClock();
    expect(connect({ backend: store, clock }).clock).toBe(clock);
  });

  it('has the channels of the contract, all in the name of one handle', async () => {
    const connection = connect({ backend: backend() });
    const { add, work, control, time } = await connection.use('add');
    time.observe(0, 0);
    const channels: string[] = [];
    const note = async (call: { channel: string }) => {
      channels.push(call.channel);
      return new Promise<{ now: number }>((resolve) => setImmediate(resolve, { now: 0 }));
    };
    const terms = { name: 'add', validFor: 1_000, reissue: 'once' } as const;
    await Promise.all([
      ...Array.from({ length: 16 }, () => add.call(terms, note)),
      ...work.map((channel) => channel.call(terms, note)),
      control.call(terms, note),
    ]);
    const counts = Object.fromEntries([...new Set(channels)].sort().map((name) => [name, 0]));
    channels.forEach((name) => (counts[name]! += 1));
    expect(counts).toEqual({
      ...Object.fromEntries(['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7'].map((name) => [name, 2])),
      c0: 1,
      w0: 1,
      w1: 1,
    });
  });

  it.each([
    undefined,
    null,
    5,
    true,
    {},
    { openQueue: 'memory' },
    { url: 'redis://:pa55word@host' },
    () => backend(),
    Symbol('memory'),
  ])('refuses %p as a backend', (value) => {
    expect(() => connect({ backend: value })).toThrow(InvalidBackendError);
    expect(() => connect({ backend: value })).toThrow('The backend of Queue "email" is ');
    expect(() => connect({ backend: value })).not.toThrow('pa55word');
  });

  describe('with a URL', () => {
    it('opens once its backend is loaded', async () => {
      const connection = connect({ backend: 'memory:' });
      expect(connection.opened).toBeUndefined();
      const open = await connection.use('add');
      expect(connection.opened).toBe(open);
      expect(await connection.use('add')).toBe(open);
      await connection.close();
    });

    it('tells every user of a URL that nothing stands behind, and nobody else', async () => {
      process.on('unhandledRejection', noteUnhandled);
      const connection = connect({ backend: 'nothing://host' });
      const unused = connect({ backend: '' });
      await expect(connection.use('add')).rejects.toBeInstanceOf(UnknownBackendUrlError);
      await expect(connection.use('add')).rejects.toBeInstanceOf(UnknownBackendUrlError);
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).toEqual([]);
      await connection.close();
      await unused.close();
      await expect(unused.use('add')).rejects.toBeInstanceOf(QueueClosedError);
    });

    it('closes what is being opened', async () => {
      const connection = connect({ backend: 'memory:closed-while-opening' });
      const use = connection.use('add');
      const closing = connection.close();
      await expect(use).rejects.toBeInstanceOf(QueueClosedError);
      await closing;
      await expect(connection.opened!.backend.getCounts()).rejects.toBeInstanceOf(QueueClosedError);
    });
  });

  describe('close', () => {
    it('closes the handle once, and refuses every later use', async () => {
      const store = backend();
      const connection = connect({ backend: store });
      expect(connection.isClosed).toBe(false);
      const closing = connection.close();
      expect(connection.isClosed).toBe(true);
      expect(connection.close()).toBe(closing);
      await closing;
      expect(store.handle.close).toHaveBeenCalledTimes(1);
      const refused = new QueueClosedError('Queue "email"', 'add');
      await expect(connection.use('add')).rejects.toEqual(refused);
      expect(() => connection.refuseWhenClosed('add')).toThrow(refused);
    });

    it('passes on what keeps the handle from closing, to everybody who waits for it', async () => {
      const store = backend();
      store.handle.close.mockRejectedValue(new Error('broken'));
      const connection = connect({ backend: store });
      const closings = [connection.close(), connection.close()];
      await expect(closings[0]).rejects.toThrow('broken');
      await expect(closings[1]).rejects.toThrow('broken');
    });
  });
});
