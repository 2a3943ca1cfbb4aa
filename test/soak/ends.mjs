import { Redis } from 'ioredis';

/**
 * Reads the event log of the queue as it is on the server, by itself: how often each job has ended.
 */
export class Ends {
  /** Ids of jobs that have ended, each with how often. @type {Map<string, number>} */
  counts = new Map();
  completed = 0;
  failed = 0;
  #redis;
  #key;
  #last = '0-0';
  #isClosed = false;
  /** @type {Promise<void>} */
  #reading;

  /**
   * @param {string} url
   * @param {string} queue
   */
  constructor(url, queue) {
    this.#redis = new Redis(url, { maxRetriesPerRequest: null });
    this.#key = `bull:${queue}:events`;
    this.#reading = this.#read();
  }

  /** Id of the last event that was read. */
  get last() {
    return this.#last;
  }

  async close() {
    this.#isClosed = true;
    await this.#reading;
    this.#redis.disconnect();
  }

  async #read() {
    while (!this.#isClosed) {
      const reply = await this.#redis.xread('COUNT', 5_000, 'BLOCK', 200, 'STREAMS', this.#key, this.#last);
      for (const [id, fields] of reply?.[0]?.[1] ?? []) {
        this.#last = id;
        this.#take(fields);
      }
    }
  }

  /** @param {readonly string[]} fields */
  #take(fields) {
    const event = valueOf(fields, 'event');
    const id = valueOf(fields, 'jobId');
    if (id === undefined || (event !== 'completed' && event !== 'failed')) return;
    this.counts.set(id, (this.counts.get(id) ?? 0) + 1);
    if (event === 'completed') this.completed += 1;
    else this.failed += 1;
  }
}

/** @param {readonly string[]} fields @param {string} name */
function valueOf(fields, name) {
  for (let at = 0; at < fields.length; at += 2) {
    if (fields[at] === name) return fields[at + 1];
  }
  return undefined;
}
