// A worker in a process of its own, to be killed. Takes jobs and never ends one; tells its parent which it has taken.

/**
 * @typedef {object} DyingWorker
 * @property {'ours' | 5 | 6} party
 * @property {string} url
 * @property {string} prefix
 * @property {string[]} queues
 * @property {{ concurrency: number, lockDuration: number, stalledInterval: number, maxStalledCount: number }} options
 */

/** @type {DyingWorker} */
const { party, url, prefix, queues, options } = JSON.parse(process.argv[2] ?? '');

/** @param {{ id?: string }} job */
const hold = (job) => new Promise(() => process.send?.(job.id));

if (party === 'ours') {
  const { Worker } = await import('nestjs-lane/engine');
  const { redis } = await import('nestjs-lane/redis');
  const backend = redis({ url, prefix });
  for (const queue of queues) new Worker(queue, hold, { backend, ...options });
} else {
  const theirs = { connection: { url }, prefix, ...options };
  if (party === 5) {
    const { Worker } = await import('bullmq-5');
    for (const queue of queues) new Worker(queue, hold, theirs);
  } else {
    const { Worker } = await import('bullmq-6');
    for (const queue of queues) new Worker(queue, hold, theirs);
  }
}
