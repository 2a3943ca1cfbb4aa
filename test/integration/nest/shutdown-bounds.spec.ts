import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type BeforeApplicationShutdown, Injectable, type INestApplicationContext } from '@nestjs/common';
import {
  InjectQueue,
  LaneModule,
  OnQueueEvent,
  Process,
  Processor,
  Queue,
  QueueEventsListener,
} from 'nestjs-lane';
import { OPERATIONS, type OperationName } from 'nestjs-lane/contract';
import { memory } from 'nestjs-lane/memory';

import { FailingBackend } from '../../support/failing-backend';
import { guardAgainstLeaks } from '../../support/leak-guard';
import { turnOfTheEventLoop } from '../../support/manual-clock';
import { queueOf, TestApps } from '../../support/nest-app';
import { waitUntil } from '../../support/wait-until';

const apps = new TestApps();
// Before the guard looks, which may have to wait.
afterEach(() => {
  jest.useRealTimers();
});
guardAgainstLeaks();

const STEP = 50;
/** Notes that somebody was called, who never ends. */
function hang(stuck: string[], who: string): Promise<never> {
  stuck.push(who);
  return new Promise(() => undefined);
}

/** From now on the store takes every call and answers none. */
function mute(backend: FailingBackend): void {
  (Object.keys(OPERATIONS) as OperationName[]).forEach((operation) =>
    backend.plan(operation, 'hold', Infinity),
  );
}

/** Answers at last, so that nothing is left behind. */
async function answer(backend: FailingBackend): Promise<void> {
  backend.heal();
  backend.release();
  await pass(10_000);
}

/** Moves the time of the whole process. */
async function pass(millis: number): Promise<void> {
  for (let passed = 0; passed < millis; passed += STEP) {
    await jest.advanceTimersByTimeAsync(STEP);
    await turnOfTheEventLoop();
    await turnOfTheEventLoop();
  }
}

/** @returns milliseconds that the close takes */
async function closingTime(app: INestApplicationContext): Promise<number> {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  let isClosed = false;
  void app.close().then(() => (isClosed = true));
  let passed = 0;
  for (; !isClosed && passed < 60_000; passed += STEP) {
    await pass(STEP);
  }
  return passed;
}

describe('a close in which nothing ends by itself', () => {
  it('NA-8-12 takes 27 s: a handler and a listener that are stuck, and a store that does not answer, all at once', async () => {
    const stuck: string[] = [];
    @Processor('email')
    class EmailProcessor {
      @Process()
      handle() {
        return hang(stuck, 'handler');
      }
    }
    @QueueEventsListener('email')
    class EmailEvents {
      @OnQueueEvent('active')
      onActive() {
        return hang(stuck, 'listener');
      }
    }
    const backend = new FailingBackend(memory());
    const app = await apps.start({
      imports: [LaneModule.forRoot({ backend }), LaneModule.registerQueue('email')],
      providers: [EmailProcessor, EmailEvents],
    });
    const queue = queueOf(app, 'email');
    await queue.add('send', {});
    await waitUntil(() => stuck.length === 2, { reason: 'both are stuck' });
    mute(backend);
    queue.add('send', {}).catch(() => undefined);

    const passed = await closingTime(app);

    expect(passed).toBeLessThanOrEqual(27_000);
    // Nobody was given less time than promised.
    expect(passed).toBeGreaterThan(26_000);
    await answer(backend);
  });

  it('NA-8-12 takes the longest of the sums with several connections, and leaves each queue its time', async () => {
    const stuck: string[] = [];
    @Processor({ queue: 'reports', connection: 'mute' })
    class ReportProcessor {
      @Process()
      handle() {
        return hang(stuck, 'handler');
      }
    }
    @QueueEventsListener('email')
    class EmailEvents {
      @OnQueueEvent('added')
      onAdded() {
        return hang(stuck, 'listener');
      }
    }
    @Injectable()
    class Farewell implements BeforeApplicationShutdown {
      constructor(@InjectQueue('email') private readonly email: Queue) {}

      beforeApplicationShutdown() {
        void this.email.add('farewell', {});
      }
    }
    const [backend, store] = [new FailingBackend(memory()), memory()];
    const app = await apps.start({
      imports: [
        LaneModule.forRoot({ backend: store, shutdown: { drain: '1s', abort: '1s', close: '3s' } }),
        LaneModule.forRoot('mute', { backend, shutdown: { drain: '10s', abort: '2s', close: '6s' } }),
        LaneModule.registerQueue('email', { name: 'reports', connection: 'mute' }),
      ],
      providers: [ReportProcessor, EmailEvents, Farewell],
    });
    await queueOf(app, 'email').add('send', {});
    await queueOf(app, 'reports', 'mute').add('make', {});
    await waitUntil(() => stuck.length === 2, { reason: 'both are stuck' });
    mute(backend);
    queueOf(app, 'reports', 'mute')
      .add('make', {})
      .catch(() => undefined);

    const passed = await closingTime(app);

    expect(passed).toBeLessThanOrEqual(18_000);
    expect(passed).toBeGreaterThan(17_000);
    const looking = new Queue('email', { backend: store });
    const names = (await looking.getWaiting()).map(({ name }) => name);
    expect(names).toEqual(['send', 'farewell']);
    await looking.close();
    await answer(backend);
  });
});
