import BeeQueue from 'bee-queue';

import { noOp, WORKER_OPTIONS } from './settings.mjs';

/** What its documentation recommends where nobody listens to the events of single jobs. */
const SETTINGS = {
  getEvents: false,
  sendEvents: false,
  storeJobs: false,
  activateDelayedJobs: false,
  removeOnSuccess: false,
  stallInterval: WORKER_OPTIONS.stalledInterval,
};

/** @type {import('../scenarios.mjs').Open} */
export async function open({ queueName, url }) {
  const queue = new BeeQueue(queueName, { ...SETTINGS, redis: { url }, isWorker: false });
  /** @type {{ close(): Promise<void> }[]} */
  const opened = [];
  await queue.ready();
  return {
    add: (_name, data) => queue.createJob(data).save(),
    async addBulk(jobs) {
      const errors = await queue.saveAll(jobs.map(({ data }) => queue.createJob(data)));
      for (const error of errors.values()) {
        throw error;
      }
    },
    async startWorker(concurrency, onCompleted, handler = noOp) {
      const worker = new BeeQueue(queueName, { ...SETTINGS, redis: { url } });
      worker.on('succeeded', (job) => onCompleted(job.id));
      worker.process(concurrency, handler);
      opened.push(worker);
      await worker.ready();
    },
    countWaiting: async () => (await queue.checkHealth()).waiting,
    countCompleted: async () => (await queue.checkHealth()).succeeded,
    async close() {
      await Promise.all(opened.map((each) => each.close()));
      await queue.close();
    },
  };
}
