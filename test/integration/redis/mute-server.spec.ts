import { createServer, type AddressInfo, type Socket } from 'node:net';

import { describe, expect, it } from '@jest/globals';
import { LaneLifecycle, LaneModule, Process, Processor } from 'nestjs-lane';
import { redis } from 'nestjs-lane/redis';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { TestApps } from '../../support/nest-app';

const apps = new TestApps();
guardAgainstLeaks();

const email = LaneModule.registerQueue('email');

@Processor('email')
class EmailProcessor {
  @Process('send')
  send() {
    return 'sent';
  }
}

describe('LaneLifecycle.report()', () => {
  it('NA-9-02 NA-2-13 finds a server down that accepts and never answers, within the bound', async () => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const shutdown = { drain: 100, abort: 100, close: 100 };
    const backend = redis({ url: `redis://127.0.0.1:${port}` });
    const app = await apps.start({
      imports: [LaneModule.forRoot({ backend, requireConnection: false, shutdown }), email],
      providers: [EmailProcessor],
    });
    const lifecycle = app.get(LaneLifecycle);

    const before = performance.now();
    const report = await lifecycle.report({ pingWithin: 200 });
    expect(performance.now() - before).toBeLessThan(2_000);
    expect(report).toMatchObject({
      isReady: false,
      isLive: true,
      problems: [
        { kind: 'unready', message: 'The redis backend of the default connection does not answer.' },
      ],
      connections: [{ name: 'default', kind: 'redis', isUp: false }],
    });

    await app.close();
    sockets.forEach((socket) => socket.destroy());
    await new Promise((resolve) => server.close(resolve));
  });
});
