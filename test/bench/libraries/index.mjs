/**
 * @typedef {object} Library
 * @property {string} name
 * @property {string} backend
 * @property {string} module
 * @property {boolean} keepsFormat Whether it leaves what BullMQ leaves, so that both can be compared.
 * @property {readonly string[]} [scenarios] These alone; by default all.
 * @property {string} [note] For the table's legend.
 */

/** What tells how much a handler costs. */
const OF_HANDLERS = ['process-c50'];

/** @type {readonly Library[]} */
export const LIBRARIES = [
  { name: 'ours', backend: 'memory', module: at('./ours-memory.mjs'), keepsFormat: false },
  {
    name: 'nest',
    backend: 'memory',
    module: at('./nest-memory.mjs'),
    keepsFormat: false,
    scenarios: OF_HANDLERS,
    note: 'nest is ours, with a handler of a Nest application in place of the function of a worker.',
  },
  {
    name: 'nest-enhanced',
    backend: 'memory',
    module: at('./nest-enhanced-memory.mjs'),
    keepsFormat: false,
    scenarios: OF_HANDLERS,
    note: 'nest-enhanced is nest, with a guard, an interceptor and a pipe that do nothing.',
  },
  { name: 'ours', backend: 'redis', module: at('./ours-redis.mjs'), keepsFormat: true },
  { name: 'bullmq', backend: 'redis', module: at('./bullmq.mjs'), keepsFormat: true },
  {
    name: 'bee-queue',
    backend: 'redis',
    module: at('./bee-queue.mjs'),
    keepsFormat: false,
    note: 'bee-queue stores less: a job is one field of JSON, there is no stream of events, and with the settings that its documentation recommends for throughput nobody hears of a job but its worker.',
  },
];

/** @param {string} path */
function at(path) {
  return new URL(path, import.meta.url).href;
}
