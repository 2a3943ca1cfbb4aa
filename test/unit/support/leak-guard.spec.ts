import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

import { describe, expect, it, jest } from '@jest/globals';

import { expectNothingLeft, guardAgainstLeaks, openResources } from '../../support/leak-guard';
import { ScratchRepository } from '../toolchain/scratch-repository';

// One of them starts a test run of its own.
jest.setTimeout(60_000);

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

  it('fails the test that leaves something, and only that one', () => {
    const support = (file: string) => readFileSync(join(process.cwd(), 'test/support', file), 'utf8');
    const repository = new ScratchRepository({
      'lib/index.ts': '',
      'test/support/leak-guard.ts': support('leak-guard.ts'),
      'test/support/wait-until.ts': support('wait-until.ts'),
      'test/unit/leaky.spec.ts': `
        import { afterEach, beforeEach, describe, it } from '@jest/globals';
        import { guardAgainstLeaks } from '../support/leak-guard';

        guardAgainstLeaks({ grace: 50 });

        describe('a timer', () => {
          let timer: NodeJS.Timeout;
          beforeEach(() => { timer = setTimeout(() => undefined, 5000); });
          afterEach(() => clearTimeout(timer));

          it('is cleared by a hook', () => undefined);
          it('is left', () => { setTimeout(() => undefined, 5000); });
          it('was left by another test', () => undefined);
        });`,
    });
    try {
      const { status, output } = repository.node(
        '--experimental-vm-modules',
        'node_modules/jest/bin/jest.js',
        '--verbose',
        '--forceExit',
      );
      expect(status).toBe(1);
      expect(output).toContain('The test left open: 1 Timeout.');
      expect(output).toMatch(/✓ is cleared by a hook.*\n.*✕ is left.*\n.*✓ was left by another test/);
    } finally {
      repository.dispose();
    }
  });
});
