// A party in a process of its own, whose clock is off. Adds and runs jobs as its parent tells it, and tells of each run.

/**
 * @typedef {object} Settings
 * @property {'ours' | 5 | 6} party
 * @property {string} url
 * @property {string} prefix
 * @property {number} skew Milliseconds by which the clock is ahead.
 */

/**
 * @typedef {object} Order
 * @property {'add' | 'work' | 'close'} order
 * @property {string} queue
 * @property {{ name: string, data: { holds?: number }, opts: object }[]} [jobs]
 * @property {object} [options]
 */

/** @type {Settings} */
const { party, url, prefix, skew } = JSON.parse(process.argv[2] ?? '');

const realNow = Date.now;
const skewedNow = () => realNow() + skew;
// A date without arguments is of now, also where it is called as a function.
globalThis.Date = new Proxy(Date, {
  construct: (target, args) => Reflect.construct(target, args.length > 0 ? args : [skewedNow()]),
  get: (target, name) => (name === 'now' ? skewedNow : Reflect.get(target, name)),
});

/**
 * What is used here of the classes of either party.
 *
 * @typedef {object} Opened
 * @property {(event: 'error', listener: (error: Error) => void) => Opened} on
 * @property {() => Promise<unknown>} close
 * @property {() => Promise<unknown>} waitUntilReady
 * @property {(jobs: unknown) => Promise<unknown>} addBulk
 */

/**
 * @typedef {object} Kinds
 * @property {new (name: string, settings: object) => Opened} Queue
 * @property {new (name: string, handler: (job: Job) => Promise<unknown>, settings: object) => Opened} Worker
 */

/** @typedef {{ id: string, data: { holds?: number }, attemptsStarted: number }} Job */

async function load() {
  if (party === 'ours') {
    const { Queue, Worker } = await import('nestjs-lane/engine');
    const { redis } = await import('nestjs-lane/redis');
    return { Queue, Worker, settings: { backend: redis({ url, prefix }) } };
  }
  const { Queue, Worker } = party === 5 ? await import('bullmq-5') : await import('bullmq-6');
  return { Queue, Worker, settings: { connection: { url }, prefix } };
}

const { settings, ...kinds } = await load();
const { Queue, Worker } = /** @type {Kinds} */ (/** @type {unknown} */ (kinds));
/** @type {Map<string, Opened>} */
const queues = new Map();
/** @type {Opened[]} */
const workers = [];

/**
 * @param {string} queue
 * @param {Job} job
 */
async function run(queue, job) {
  process.send?.({ run: { queue, id: job.id, at: realNow(), attempt: job.attemptsStarted, by: 'skewed' } });
  if (job.data.holds) await new Promise((resolve) => setTimeout(resolve, job.data.holds));
  return job.id;
}

/** @param {Order} given */
async function carryOut({ order, queue, jobs, options }) {
  if (order === 'add') {
    const to = queues.get(queue) ?? new Queue(queue, settings).on('error', report);
    queues.set(queue, to);
    await to.addBulk(jobs);
  } else if (order === 'work') {
    const worker = new Worker(queue, (job) => run(queue, job), {
      ...settings,
      ...options,
    });
    worker.on('error', report);
    workers.push(worker);
    await worker.waitUntilReady();
  } else {
    await Promise.all(workers.map((worker) => worker.close()));
    await Promise.all([...queues.values()].map((each) => each.close()));
    process.disconnect();
  }
}

/** @param {Error} error */
function report(error) {
  process.send?.({ error: error.message });
}

process.on('message', (/** @type {Order} */ given) => {
  carryOut(given).then(() => process.connected && process.send?.({ done: true }), report);
});
process.send?.({ done: true });
