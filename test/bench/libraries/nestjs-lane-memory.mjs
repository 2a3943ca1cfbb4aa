import { Queue, QueueEvents, Worker } from 'nestjs-lane/engine';
import { memory } from 'nestjs-lane/memory';

export const name = 'ours';
export const backend = 'memory';

/**
 * @param {string} queueName
 * @returns {Promise<import('../scenarios.mjs').Session>}
 */
export async function open(queueName) {
  const store = memory();
  const queue = new Queue(queueName, { backend: store });
  /** @type {{ close(): Promise<void> }[]} */
  const opened = [];
  await queue.waitUntilReady();
  return {
    add: (jobName, data) => queue.add(jobName, data),
    addBulk: (jobs) => queue.addBulk(jobs),
    async startWorker(concurrency, onCompleted) {
      const worker = new Worker(queueName, async () => undefined, { backend: store, concurrency });
      worker.on('completed', (job) => onCompleted(job.id));
      opened.push(worker);
      await worker.waitUntilReady();
    },
    async listen(onCompleted) {
      const events = new QueueEvents(queueName, { backend: store });
      events.on('completed', ({ jobId }) => onCompleted(jobId));
      opened.push(events);
      await events.waitUntilReady();
    },
    countCompleted: async () => (await queue.getJobCounts('completed')).completed,
    async close() {
      await Promise.all(opened.map((each) => each.close()));
      await queue.close();
    },
  };
}
