import { Queue, QueueEvents, Worker } from 'nestjs-lane/engine';

import { noOp, WORKER_OPTIONS } from './settings.mjs';

/**
 * @param {string} queueName
 * @param {import('nestjs-lane/engine').LaneBackend} store
 * @returns {Promise<import('../scenarios.mjs').Session>}
 */
export async function openOurs(queueName, store) {
  const queue = new Queue(queueName, { backend: store });
  /** @type {{ close(): Promise<void> }[]} */
  const opened = [];
  await queue.waitUntilReady();
  return {
    add: (jobName, data) => queue.add(jobName, data),
    addBulk: (jobs) => queue.addBulk(jobs),
    async startWorker(concurrency, onCompleted, handler = noOp) {
      const worker = new Worker(queueName, handler, { ...WORKER_OPTIONS, backend: store, concurrency });
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
    async claimElsewhere(count, leaseDuration) {
      const handle = store.openQueue({ queueName, role: 'worker' });
      opened.push(handle);
      let claimed = 0;
      for (let sequence = 1; claimed < count; sequence += 1) {
        const { claim } = await handle.claimJobs(
          { count: Math.min(200, count - claimed), leaseDuration, workerName: null },
          { caller: handle.caller, channel: 'w0', sequence, notAfter: Date.now() + 60_000 },
        );
        if (claim.jobs.length === 0) {
          throw new Error(`Only ${claimed} of ${count} jobs could be claimed`);
        }
        claimed += claim.jobs.length;
      }
    },
    countWaiting: async () => (await queue.getJobCounts('waiting')).waiting,
    countCompleted: async () => (await queue.getJobCounts('completed')).completed,
    async close() {
      await Promise.all(opened.map((each) => each.close()));
      await queue.close();
    },
  };
}
