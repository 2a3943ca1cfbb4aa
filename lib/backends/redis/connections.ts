import type * as Ioredis from 'ioredis';
import type { Cluster, Redis, RedisOptions as IoredisOptions } from 'ioredis';

import { loadDriver } from './driver';
import { RedisClient } from './redis-client';
import type { RedisOptions } from './redis-options';
import { parseRedisUrl } from './redis-url';
import { ServerCheck } from './server-check';

/** Milliseconds without a byte, while commands wait for their answers, after which a connection counts as dead. */
const ANSWER_DEADLINE = 4_000;

const LONGEST_RECONNECT_WAIT = 500;

/** What every client of ours is told: commands fail at once rather than wait or go out again later. */
const TERMS: IoredisOptions = {
  lazyConnect: true,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  // Answers are read as they are; how long one may take is told by deadlines of our own.
  stringNumbers: false,
  replyMapping: 'legacy',
  commandTimeout: undefined,
  // For a socket that is closed already the library waits until then, and keeps the process alive.
  disconnectTimeout: 50,
  retryStrategy: (attempt) =>
    Math.min(LONGEST_RECONNECT_WAIT, 25 * 2 ** Math.min(attempt, 10)) * (0.75 + Math.random() / 4),
};

interface SharedClient {
  readonly client: RedisClient;
  users: number;
}

/**
 * The connections of one backend value: one for all producers, one for the commands of all workers, and those that
 * block, which nobody can share.
 *
 * @internal
 */
export class Connections {
  readonly #driver: typeof Ioredis;
  readonly #shared = new Map<'producer' | 'worker', SharedClient>();
  readonly #check: ServerCheck;
  /** The server, as errors call it. */
  readonly store: string;

  /** @throws MissingDriverError, or InvalidBackendUrlError */
  constructor(
    private readonly options: RedisOptions,
    prefix: string,
  ) {
    this.#driver = loadDriver();
    this.store = `Redis at ${addressOf(options)}`;
    this.#check = new ServerCheck(this.store, prefix, options.clock === undefined);
  }

  /** The client that all handles of a kind share; `release` it once. */
  acquire(kind: 'producer' | 'worker'): RedisClient {
    const shared = this.#shared.get(kind) ?? {
      client: this.#client({ socketTimeout: ANSWER_DEADLINE }),
      users: 0,
    };
    shared.users += 1;
    this.#shared.set(kind, shared);
    return shared.client;
  }

  async release(kind: 'producer' | 'worker'): Promise<void> {
    const shared = this.#shared.get(kind)!;
    shared.users -= 1;
    if (shared.users === 0) {
      this.#shared.delete(kind);
      await shared.client.close();
    }
  }

  /** A client for commands that wait, which its user closes. */
  blocking(connectionName?: string): RedisClient {
    return this.#client({
      socketTimeout: undefined,
      ...(connectionName === undefined ? {} : { connectionName }),
    });
  }

  #client(own: IoredisOptions): RedisClient {
    return new RedisClient(
      () => this.#make({ ...TERMS, enableReadyCheck: hasSentinels(this.options), ...own }),
      this.store,
      (client) => this.#check.run(client),
    );
  }

  #make(own: IoredisOptions): Redis | Cluster {
    const { client, connection, url } = this.options;
    const { Redis: Client } = this.#driver;
    if (client instanceof this.#driver.Cluster || (client !== undefined && client.isCluster)) {
      const { lazyConnect, enableOfflineQueue, ...ofNodes } = own;
      const { redisOptions } = client.options as { redisOptions?: IoredisOptions };
      return (client as Cluster).duplicate([], {
        lazyConnect: lazyConnect!,
        enableOfflineQueue: enableOfflineQueue!,
        // A replica lags behind: what was just written could not be read.
        scaleReads: 'master',
        redisOptions: { ...redisOptions, ...ofNodes },
      });
    }
    if (client !== undefined) {
      return client.duplicate(own);
    }
    if (connection !== undefined) {
      return new Client({ ...connection, ...own });
    }
    if (url === undefined) {
      return new Client(own);
    }
    const { host, port, username, password, db, tls, family } = parseRedisUrl(url);
    return new Client({
      ...own,
      host,
      port,
      db,
      ...(username === undefined ? {} : { username }),
      ...(password === undefined ? {} : { password }),
      ...(tls ? { tls: {} } : {}),
      ...(family === undefined ? {} : { family }),
    });
  }
}

/** They may know of a primary that is none any more, which the library looks at before it calls a client ready. */
function hasSentinels({ client, connection }: RedisOptions): boolean {
  return ((client as Redis | undefined)?.options ?? connection)?.sentinels != null;
}

function addressOf({ client, connection, url }: RedisOptions): string {
  if (url !== undefined) {
    const { host, port } = parseRedisUrl(url);
    return `${host.includes(':') ? `[${host}]` : host}:${port}`;
  }
  if (client?.isCluster === true) {
    return 'a cluster';
  }
  const options = (client as Redis | undefined)?.options ?? connection ?? {};
  if (options.sentinels != null) {
    return `the Sentinel group ${options.name ?? 'without a name'}`;
  }
  return options.path ?? `${options.host ?? '127.0.0.1'}:${options.port ?? 6379}`;
}
