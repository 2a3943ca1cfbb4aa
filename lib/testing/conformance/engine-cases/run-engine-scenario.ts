import { QueueEvents } from '../../../engine/events/queue-events';
import { QueueEventsProducer } from '../../../engine/events/queue-events-producer';
import { Queue } from '../../../engine/queue';
import { Worker } from '../../../engine/worker/worker';
import type { EngineContext, EngineScenario } from './engine-scenario';

const QUEUE_NAME = 'email';
const PATIENCE = 8_000;

/**
 * Runs a scenario on the store of a case, and closes what it opened.
 *
 * @internal
 */
export async function runEngineScenario(
  scenario: EngineScenario,
  { backend, clock, advance }: Pick<EngineContext, 'backend' | 'clock' | 'advance'>,
): Promise<void> {
  const opened: (() => Promise<void>)[] = [];
  const context: EngineContext = {
    backend,
    clock,
    advance,
    queue: (options) => {
      const queue = new Queue(QUEUE_NAME, { backend, clock, ...options });
      opened.push(() => queue.close());
      return queue;
    },
    worker: (processor, options) => {
      const worker = new Worker(QUEUE_NAME, processor, { backend, clock, ...options });
      opened.push(() => worker.close(true));
      return worker;
    },
    eventsProducer: () => {
      const producer = new QueueEventsProducer(QUEUE_NAME, { backend, clock });
      opened.push(() => producer.close());
      return producer;
    },
    events: async (options) => {
      const events = new QueueEvents(QUEUE_NAME, { backend, clock, ...options });
      opened.push(() => events.close());
      await events.waitUntilReady();
      return events;
    },
    until,
  };
  try {
    await scenario.run(context);
  } finally {
    await Promise.all(opened.map((close) => close()));
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
