import type { Redis } from 'ioredis';

/** What a Redis server holds under one prefix, as other clients see it. */
export class StoredKeys {
  /**
   * @param client - of the database
   * @param base - what all keys begin with
   */
  constructor(
    readonly client: Redis,
    readonly base: string,
  ) {}

  /** Names of the keys, without what all begin with, in alphabetical order. */
  async names(): Promise<string[]> {
    const keys = await this.client.keys(`${this.base}*`);
    return keys.map((key) => key.slice(this.base.length)).sort();
  }

  /** Types of the keys, by name. */
  async types(): Promise<Record<string, string>> {
    const names = await this.names();
    const types = await Promise.all(names.map((name) => this.client.type(this.base + name)));
    return Object.fromEntries(names.map((name, index) => [name, types[index]!]));
  }

  hash(name: string): Promise<Record<string, string>> {
    return this.client.hgetall(this.base + name);
  }

  /** From head to tail. */
  list(name: string): Promise<string[]> {
    return this.client.lrange(this.base + name, 0, -1);
  }

  /** Members and scores, the lowest first. */
  async scores(name: string): Promise<[member: string, score: string][]> {
    const flat = await this.client.zrangebyscore(this.base + name, '-inf', '+inf', 'WITHSCORES');
    return flat.flatMap((member, index) => (index % 2 === 0 ? [[member, flat[index + 1]!]] : []));
  }

  text(name: string): Promise<string | null> {
    return this.client.get(this.base + name);
  }

  async members(name: string): Promise<string[]> {
    return (await this.client.smembers(this.base + name)).sort();
  }

  /** Fields and values of the entries of a stream, the oldest first. */
  async entries(name: string): Promise<string[][]> {
    return (await this.client.xrange(this.base + name, '-', '+')).map(([, fields]) => fields);
  }

  /** Milliseconds until a key expires; -1: never, -2: it is not there. */
  lifetime(name: string): Promise<number> {
    return this.client.pttl(this.base + name);
  }

  /** Everything that is stored, byte by byte, by name. */
  async dump(): Promise<Record<string, string>> {
    const names = await this.names();
    const dumps = await Promise.all(
      names.map(async (name) => {
        const bytes = await this.client.dumpBuffer(this.base + name);
        return [name, bytes.toString('latin1')] as const;
      }),
    );
    return Object.fromEntries(dumps);
  }
}
