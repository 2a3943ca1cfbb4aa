import type { Clock } from '../../../contract/clock';
import type { LaneBackend } from '../../../contract/queue-backend';
import { QueueEvents } from '../../../engine/events/queue-events';
import { Queue } from '../../../engine/queue';
import { Worker } from '../../../engine/worker/worker';
import type { EngineCase, EngineContext } from './engine-case';

const QUEUE_NAME = 'email';
const PATIENCE = 10_000;

/**
 * A fresh store with the clock that it goes by.
 *
 * @public
 */
export interface StoreUnderTest {
  readonly backend: LaneBackend;
  readonly clock: Clock;
  advance(millis: number): Promise<void>;
}

/**
 * Runs a case about the engine, and closes what it opened.
 *
 * @internal
 */
export async function runEngineCase(engineCase: EngineCase, store: StoreUnderTest): Promise<void> {
  const opened: { close(): Promise<void> }[] = [];
  const keep = <Opened extends { close(): Promise<void> }>(object: Opened): Opened => {
    opened.push(object);
    return object;
  };
  const { backend, clock } = store;
  const context: EngineContext = {
    backend,
    clock,
    advance: (millis) => store.advance(millis),
    queue: (options) => keep(new Queue(QUEUE_NAME, { backend, clock, ...options })),
    worker: (processor, options) => {
      const worker = new Worker(QUEUE_NAME, processor, { backend, clock, ...options });
      opened.push({ close: () => worker.close(true) });
      return worker;
    },
    events: async () => {
      const events = keep(new QueueEvents(QUEUE_NAME, { backend, clock }));
      await events.waitUntilReady();
      return events;
    },
    until,
  };
  try {
    await engineCase.run(context);
  } finally {
    await Promise.all(opened.map((each) => each.close()));
  }
}

async function until(reason: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE;
  while (!(await condition())) {
    if (Date.now() > deadline) {
      throw new Error(`It did not come about within ${PATIENCE} ms that ${reason}`);
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}
