import { createRequire } from 'node:module';

import { noOp, WORKER_OPTIONS } from './settings.mjs';

// Its ES module build cannot load the driver by itself.
/** @type {typeof import('bullmq-6')} */
const { Queue, Worker } = createRequire(import.meta.url)('bullmq-6');

/** @type {import('../scenarios.mjs').Open} */
export async function open({ queueName, url, eventCap }) {
  // Given options, BullMQ opens a blocking connection of its own for each worker.
  const connection = { url, maxRetriesPerRequest: null };
  const queue = new Queue(queueName, {
    connection,
    ...(eventCap !== undefined && { streams: { events: { maxLen: eventCap } } }),
  });
  /** @type {{ close(): Promise<void> }[]} */
  const opened = [];
  await queue.waitUntilReady();
  return {
    queueKey: `bull:${queueName}`,
    add: (jobName, data) => queue.add(jobName, data),
    addBulk: (jobs) => queue.addBulk(jobs),
    async startWorker(concurrency, onCompleted, handler = noOp) {
      const worker = new Worker(queueName, handler, { ...WORKER_OPTIONS, connection, concurrency });
      worker.on('completed', (job) => onCompleted(job.id ?? ''));
      opened.push(worker);
      await worker.waitUntilReady();
    },
    countWaiting: () => queue.getWaitingCount(),
    countCompleted: () => queue.getCompletedCount(),
    async close() {
      await Promise.all(opened.map((each) => each.close()));
      await queue.close();
    },
  };
}
