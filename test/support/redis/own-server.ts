import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { Redis } from 'ioredis';
import type { HandleRole, LaneBackend } from 'nestjs-lane/contract';
import { redis, type RedisOptions } from 'nestjs-lane/redis';
import { QueueUser } from 'nestjs-lane/testing/conformance';

import { redisUrl } from './redis-of-run.mjs';
import { RedisServer, type ServerOptions } from './redis-server.mjs';
import { StoredKeys } from './stored-keys';

/** What handles are opened with. */
export interface OpenOptions extends RedisOptions {
  queueName?: string;
  role?: HandleRole;
  workerName?: string;
}

/** A server for the tests of a file, with keys of its own for each of them. */
export class RedisForSpec {
  /** Without a user and a password. */
  url = '';
  /** Of the server that the file has for itself. */
  server: RedisServer | undefined;
  client!: Redis;
  /** What the keys of the present test begin with. */
  prefix = '';
  readonly #users: QueueUser[] = [];

  /** Opens a handle, which is closed after the test. */
  open({ queueName = 'mail', role = 'worker', workerName, ...options }: OpenOptions = {}): QueueUser {
    return this.openOn(this.backend(options), { queueName, role, ...(workerName && { workerName }) });
  }

  /** Opens a handle of a backend, which is closed after the test. */
  openOn(
    backend: LaneBackend,
    { queueName = 'mail', role = 'worker', ...request }: Omit<OpenOptions, keyof RedisOptions> = {},
  ): QueueUser {
    const user = new QueueUser(backend.openQueue({ queueName, role, ...request }));
    this.#users.push(user);
    return user;
  }

  backend(options: RedisOptions = {}): LaneBackend {
    const target = options.client ?? options.connection ?? options.url;
    return redis({ ...(target === undefined && { url: this.url }), prefix: this.prefix, ...options });
  }

  /** The keys of a queue. */
  stored(queueName = 'mail'): StoredKeys {
    return new StoredKeys(this.client, `${this.prefix}:${queueName}:`);
  }

  async start(options: ServerOptions | undefined): Promise<void> {
    if (options !== undefined) {
      this.server = await RedisServer.start(options);
    }
    this.url = this.server?.url ?? `${(await redisUrl()).replace(/(:\d+)\/?$/, '$1')}/2`;
    this.client = new Redis(this.url);
    await this.client.ping();
  }

  begin(): void {
    this.prefix = `lane-spec-${Math.random().toString(36).slice(2, 12)}`;
  }

  async closeHandles(): Promise<void> {
    await Promise.all(this.#users.splice(0).map(({ handle }) => handle.close()));
  }

  async end(): Promise<void> {
    await this.closeHandles();
    const keys = await this.client.keys(`${this.prefix}*`);
    if (keys.length > 0) await this.client.del(keys);
  }

  async stop(): Promise<void> {
    this.client.disconnect();
    await this.server?.stop();
  }
}

/**
 * Gives the tests of the file a server: that of the run, or, where options are given, one of its own.
 *
 * Call it at the top of the file.
 */
export function useRedis(ownServer?: ServerOptions): RedisForSpec {
  const forSpec = new RedisForSpec();
  beforeAll(() => forSpec.start(ownServer));
  beforeEach(() => forSpec.begin());
  afterEach(() => forSpec.end());
  afterAll(() => forSpec.stop());
  return forSpec;
}
