import { Redis } from 'ioredis';

/** Types and, for jobs, field names of some keys, added up: a job is a hash with a `timestamp`. */
const DESCRIBE_KEYS = `
  local jobs, keys, fields = 0, {}, {}
  for _, key in ipairs(KEYS) do
    local suffix, type = string.sub(key, #ARGV[1] + 1), redis.call('TYPE', key).ok
    if type == 'hash' and redis.call('HEXISTS', key, 'timestamp') == 1 then
      jobs = jobs + 1
      keys['<id>'] = type
      for _, field in ipairs(redis.call('HKEYS', key)) do
        fields[field] = (fields[field] or 0) + 1
      end
    else
      keys[string.gsub(suffix, '^%d+:', '<id>:')] = type
    end
  end
  return cjson.encode({ jobs = jobs, keys = keys, jobFields = fields })`;

/** Numbers of events by name among those after an id, and the id to go on from. */
const COUNT_EVENTS = `
  local events, last = {}, ARGV[1]
  for _, entry in ipairs(redis.call('XRANGE', KEYS[1], '(' .. ARGV[1], '+', 'COUNT', 5000)) do
    last = entry[1]
    for at = 1, #entry[2], 2 do
      if entry[2][at] == 'event' then
        local name = entry[2][at + 1]
        events[name] = (events[name] or 0) + 1
      end
    end
  end
  return cjson.encode({ events = events, last = last })`;

/**
 * The benchmark's own view of the server, on a connection that is idle while something is timed.
 */
export class RedisProbe {
  #redis;

  /** @param {string} url */
  constructor(url) {
    this.#redis = new Redis(url, { maxRetriesPerRequest: null });
  }

  async empty() {
    await this.#redis.call('FLUSHALL', 'SYNC');
  }

  async version() {
    return /redis_version:(\S+)/.exec(await this.#redis.info('server'))?.[1] ?? null;
  }

  /** Processor time that the server has used, that of its command thread alone where it tells. */
  async cpuMicros() {
    const info = await this.#redis.info('cpu');
    /** @param {string} name */
    const seconds = (name) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1] ?? NaN);
    const ofThread = seconds('used_cpu_user_main_thread') + seconds('used_cpu_sys_main_thread');
    const ofProcess = seconds('used_cpu_user') + seconds('used_cpu_sys');
    return (Number.isNaN(ofThread) ? ofProcess : ofThread) * 1e6;
  }

  /**
   * @param {string} queueKey Prefix and name of the queue, such as `bull:bench`.
   * @param {number} length
   */
  async keepEvents(queueKey, length) {
    await this.#redis.hset(`${queueKey}:meta`, 'opts.maxLenEvents', length);
  }

  /**
   * @param {string} queueKey Prefix and name of the queue, such as `bull:bench`.
   * @returns {Promise<import('./left-overs.mjs').LeftOvers>}
   */
  async leftOvers(queueKey) {
    const prefix = `${queueKey}:`;
    /** @type {import('./left-overs.mjs').LeftOvers} */
    const sum = { jobs: 0, keys: {}, jobFields: {}, events: {} };
    /** @type {Set<string>} A scan may return a key twice. */
    const seen = new Set();
    let cursor = '0';
    do {
      const [next, found] = await this.#redis.scan(cursor, 'MATCH', `${prefix}*`, 'COUNT', 1_000);
      const keys = found.filter((key) => !seen.has(key));
      keys.forEach((key) => seen.add(key));
      if (keys.length > 0) {
        const part = parse(await this.#redis.eval(DESCRIBE_KEYS, keys.length, ...keys, prefix));
        sum.jobs += part.jobs;
        Object.assign(sum.keys, part.keys);
        addUp(sum.jobFields, part.jobFields);
      }
      cursor = next;
    } while (cursor !== '0');
    let last = '0-0';
    for (;;) {
      const part = parse(await this.#redis.eval(COUNT_EVENTS, 1, `${prefix}events`, last));
      if (part.last === last) {
        return sum;
      }
      last = part.last;
      addUp(sum.events, part.events);
    }
  }

  async close() {
    await this.#redis.quit();
  }
}

/**
 * @param {unknown} reply
 * @returns {import('./left-overs.mjs').LeftOvers & { last: string }} Of which a script fills in its part.
 */
function parse(reply) {
  return JSON.parse(String(reply));
}

/**
 * @param {Record<string, number>} sum
 * @param {Record<string, number>} part
 */
function addUp(sum, part) {
  for (const [name, count] of Object.entries(part)) {
    sum[name] = (sum[name] ?? 0) + count;
  }
}
