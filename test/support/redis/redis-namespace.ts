import type { Redis } from 'ioredis';

/** Calls `visit` with every key of the database. */
const everyKey = `
local cursor = '0'
local function each(visit)
  repeat
    local page = redis.call('SCAN', cursor, 'COUNT', 1000)
    cursor = page[1]
    for _, key in ipairs(page[2]) do visit(key) end
  until cursor == '0'
end
local function isOf(prefix, key) return string.find(key, prefix, 1, true) ~= nil end
`;

const expire = `${everyKey}
local function expiryOf(key)
  local expiry = redis.pcall('PEXPIRETIME', key)
  if type(expiry) == 'number' then return expiry end
  -- Before Redis 7. Within one millisecond, the time and what is left of it belong together.
  while true do
    local before, left, after = redis.call('TIME'), redis.call('PTTL', key), redis.call('TIME')
    local millis = before[1] * 1000 + math.floor(before[2] / 1000)
    if left < 0 then return left end
    if millis == after[1] * 1000 + math.floor(after[2] / 1000) then return millis + left end
  end
end
local now = tonumber(ARGV[2])
each(function(key)
  if not isOf(ARGV[1], key) then return end
  local expiry = expiryOf(key)
  if expiry >= 0 and expiry <= now then redis.call('DEL', key) end
end)`;

const wipe = `${everyKey}
each(function(key)
  if isOf(ARGV[1], key) then redis.call('DEL', key) end
end)`;

const outside = `${everyKey}
local found = {}
each(function(key)
  if not isOf(ARGV[1], key) then found[#found + 1] = key end
end)
table.sort(found)
return found`;

/** The keys of one test on a server that it shares with others. */
export class RedisNamespace {
  readonly prefix: string;
  #before: readonly string[] = [];

  /**
   * @param family - what the prefixes of all namespaces in this database begin with; so does no other key
   */
  constructor(
    private readonly client: Redis,
    private readonly family: string,
  ) {
    this.prefix = family + Math.random().toString(36).slice(2, 12);
  }

  /** Looks which keys are there that belong to nobody. */
  async begin(): Promise<void> {
    this.#before = await this.#strays();
  }

  /** Removes the keys whose time is over by a clock that is not the server's. */
  async expire(now: number): Promise<void> {
    await this.client.eval(expire, 0, this.prefix, now);
  }

  /**
   * Removes the keys.
   *
   * @throws when keys were written whose name is not that of any namespace
   */
  async end(): Promise<void> {
    await this.client.eval(wipe, 0, this.prefix);
    const strays = (await this.#strays()).filter((key) => !this.#before.includes(key));
    if (strays.length > 0) throw new Error(`Keys were written outside of the prefix: ${strays.join(', ')}.`);
  }

  async #strays(): Promise<string[]> {
    return (await this.client.eval(outside, 0, this.family)) as string[];
  }
}
