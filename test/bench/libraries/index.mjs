/**
 * @typedef {object} Library
 * @property {string} name
 * @property {string} backend
 * @property {string} module
 * @property {boolean} keepsFormat Whether it leaves what BullMQ leaves, so that both can be compared.
 * @property {string} [note] For the table's legend.
 */

/** @type {readonly Library[]} */
export const LIBRARIES = [
  { name: 'ours', backend: 'memory', module: at('./ours-memory.mjs'), keepsFormat: false },
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
