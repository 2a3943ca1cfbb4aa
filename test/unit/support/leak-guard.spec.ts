import { once } from 'node:events';
import { createServer, connect } from 'node:net';
import { Worker } from 'node:worker_threads';

import { describe, expect, it } from '@jest/globals';

import { expectNothingLeft, guardAgainstLeaks, openResources } from '../../support/leak-guard';

guardAgainstLeaks();

describe('the leak guard', () => {
  it('accepts a test that left nothing', async () => {
    const before = openResources();
    clearTimeout(setTimeout(() => undefined, 60_000));
    await expectNothingLeft(before, 0);
  });

  it('finds timers', async () => {
    const before = openResources();
    const timers = [setTimeout(() => undefined, 60_000), setInterval(() => undefined, 60_000)];
    await expect(expectNothingLeft(before, 0)).rejects.toThrow('The test left open: 2 Timeout.');
    timers.forEach(clearTimeout);
  });

  it('waits a while for what is about to end', async () => {
    const before = openResources();
    setTimeout(() => undefined, 20);
    await expectNothingLeft(before);
  });

  it('does not count timers that let the process end', async () => {
    const before = openResources();
    const timer = setTimeout(() => undefined, 60_000).unref();
    await expectNothingLeft(before, 0);
    clearTimeout(timer);
  });

  it('finds servers and sockets', async () => {
    const before = openResources();
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const client = connect(port, '127.0.0.1');
    const [socket] = (await once(server, 'connection')) as [typeof client];

    await expect(expectNothingLeft(before, 0)).rejects.toThrow(
      /1 TCPServerWrap, 2 TCPSocketWrap|2 TCPSocketWrap, 1 TCPServerWrap/,
    );

    client.destroy();
    socket.destroy();
    server.close();
    await expectNothingLeft(before);
  });

  it('finds worker threads', async () => {
    const before = openResources();
    const worker = new Worker('setInterval(() => {}, 1000)', { eval: true });
    await once(worker, 'online');
    await expect(expectNothingLeft(before, 0)).rejects.toThrow('The test left open: 1 Worker.');
    await worker.terminate();
  });
});
