import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { LaneModule, OnWorkerEvent, Process, Processor } from 'nestjs-lane';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { ended, queueOf, TestApps } from '../../support/nest-app';

const apps = new TestApps();
guardAgainstLeaks();

describe('applications that come and go', () => {
  let collectGarbage: () => void;

  beforeAll(() => {
    setFlagsFromString('--expose-gc');
    collectGarbage = runInNewContext('gc') as () => void;
  });

  @Processor('email', { concurrency: 5 })
  class EmailProcessor {
    @Process('send', { concurrency: 2 })
    send() {
      return 'x'.repeat(1_000);
    }

    @OnWorkerEvent('completed')
    onCompleted() {}
  }

  /** Characters that an application leaves in a queue, which any trace of it would keep. */
  const payload = 100_000;

  const shared = {
    onModuleDestroy: () => undefined,
  };

  async function comeAndGo(rounds: number): Promise<number> {
    for (let round = 0; round < rounds; round += 1) {
      @Injectable()
      class Database implements OnModuleDestroy {
        onModuleDestroy() {}
      }
      const app = await apps.start({
        imports: [
          LaneModule.forRoot(),
          LaneModule.forRoot('reports', { backend: 'memory:leaks-spec' }),
          LaneModule.registerQueue('email', { name: 'exports', connection: 'reports' }),
        ],
        providers: [EmailProcessor, Database, { provide: 'SHARED', useValue: shared }],
      });
      const queue = queueOf(app, 'email');
      await ended(queue, await queue.add('send', {}));
      await queueOf(app, 'exports', 'reports').add('run', 'x'.repeat(payload));
      await apps.closeAll();
    }
    collectGarbage();
    return process.memoryUsage().heapUsed;
  }

  it('leave no handles and no memory behind', async () => {
    const before = await comeAndGo(10);
    const after = await comeAndGo(40);

    expect(after - before).toBeLessThan((40 * payload) / 2);
  }, 30_000);
});
