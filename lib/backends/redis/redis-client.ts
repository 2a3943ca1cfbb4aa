import type { Cluster, Redis } from 'ioredis';

import { ConnectionLostError } from '../../model/errors/connection-lost.error';
import type { LuaScript } from './lua-scripts';
import { hideArguments, storeErrorOf } from './server-errors';

/** Milliseconds that a connection attempt which is under way is waited for: less than callers are patient. */
const CONNECT_DEADLINE = 4_000;

/** Milliseconds that the server is given to end the connection. */
const PARTING_DEADLINE = 200;

/**
 * One connection to the server, made when it is first needed. It never sends a command twice by itself and keeps none
 * for later: a command that cannot be sent, or whose answer does not come, fails, and its caller decides.
 *
 * @internal
 */
export class RedisClient {
  #client: Redis | Cluster | undefined;
  #lastError: unknown;
  /** Why the present connection is in no database. */
  #refusedDatabase: unknown;
  #attempt: Promise<void> | undefined;
  #checked: Promise<void> | undefined;
  #isChecked = false;
  #isClosed = false;

  /**
   * @param make - makes a client of the library that is not connected yet
   * @param store - what is spoken to, for errors
   * @param check - looks at the server once, after the first connection
   */
  constructor(
    private readonly make: () => Redis | Cluster,
    private readonly store: string,
    private readonly check: (client: Redis | Cluster) => Promise<void>,
  ) {}

  /**
   * Runs a script on one queue.
   *
   * @param base - what the keys of the queue begin with
   * @throws a StoreError when it could not be run, or when that is not known
   */
  run(script: LuaScript<never>, base: string, args: readonly (string | number)[]): Promise<unknown> {
    return this.#carryOut(async (client) => {
      try {
        return await client.evalsha(script.sha1, 1, base, ...args);
      } catch (error) {
        if (!(error as Error).message.startsWith('NOSCRIPT')) {
          throw error;
        }
        // Whoever runs the text leaves the script on the server for the others.
        return client.eval(script.text, 1, base, ...args);
      }
    }, script.text);
  }

  /**
   * Sends commands once the connection stands.
   *
   * @throws a StoreError as `run`
   */
  use<Result>(send: (client: Redis | Cluster) => Promise<Result>): Promise<Result> {
    return this.#carryOut(send);
  }

  async #carryOut<Result>(
    send: (client: Redis | Cluster) => Promise<Result>,
    script?: string,
  ): Promise<Result> {
    const client = this.#isReady() ? this.#client! : await this.connected();
    try {
      return await send(client);
    } catch (error) {
      hideArguments(error);
      // A cluster's client tries a command on one node after the other, and tells of the last one only.
      const wasSent = client.isCluster || !/isn't writeable/.test((error as Error).message);
      const storeError = storeErrorOf(error, this.store, wasSent, script);
      if (storeError?.code === 'LANE_STORE_READ_ONLY') {
        // Names lead to another server after a failover.
        this.replace();
      }
      throw storeError ?? error;
    }
  }

  /**
   * Waits until the connection stands.
   *
   * @throws a StoreError when the server cannot be reached, or refuses the connection
   */
  async connected(): Promise<Redis | Cluster> {
    if (this.#isClosed) {
      throw new ConnectionLostError(this.store, false);
    }
    const client = (this.#client ??= this.#open());
    try {
      await this.#connect(client);
      if (!this.#isChecked) {
        this.#checked ??= this.check(client).finally(() => (this.#checked = undefined));
        await this.#checked;
        this.#isChecked = true;
      }
      return client;
    } catch (error) {
      throw this.#refusal(error);
    }
  }

  /** Gives the connection up; the next command makes a new one. */
  replace(): void {
    this.#client?.disconnect(true);
  }

  /** Ends the connection for good; resolves when nothing is left of it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const client = this.#client;
    const hasSocket = client !== undefined && ['connecting', 'connect', 'ready'].includes(client.status);
    if (!hasSocket) {
      client?.disconnect();
      return;
    }
    await new Promise<void>((resolve) => {
      // A server that is away does not say good-bye.
      const timer = setTimeout(() => (client as Partial<Redis>).stream?.destroy(), PARTING_DEADLINE);
      client.once('end', () => {
        clearTimeout(timer);
        resolve();
      });
      client.disconnect();
    });
  }

  #isReady(): boolean {
    return this.#isChecked && this.#client?.status === 'ready';
  }

  #open(): Redis | Cluster {
    const client = this.make();
    // Without a listener the library writes errors to the console; whoever sends a command hears of them.
    client.on('error', (error: unknown) => {
      this.#lastError = error;
      if ((error as { command?: { name?: string } }).command?.name === 'select') {
        // The library would go on, in the database with the number 0.
        this.#refusedDatabase = error;
        client.disconnect(true);
      }
    });
    client.on('connect', () => (this.#refusedDatabase = undefined));
    client.on('ready', () => (this.#lastError = undefined));
    return client;
  }

  async #connect(client: Redis | Cluster): Promise<void> {
    switch (client.status) {
      case 'ready':
        return;
      case 'wait':
      case 'end':
        client.connect().catch(() => undefined);
        return this.#endOfAttempt(client);
      case 'connecting':
      case 'connect':
        return this.#endOfAttempt(client);
      case 'close':
      case 'disconnecting':
      case 'reconnecting':
        throw new ConnectionLostError(this.store, false, { cause: this.#lastError });
    }
  }

  /** Waits for the end of the present attempt, all callers together. */
  #endOfAttempt(client: Redis | Cluster): Promise<void> {
    this.#attempt ??= this.#listenToAttempt(client).finally(() => (this.#attempt = undefined));
    return this.#attempt;
  }

  #listenToAttempt(client: Redis | Cluster): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (isConnected: boolean): void => {
        clearTimeout(timer);
        client.off('ready', onReady);
        client.off('close', onClose);
        client.off('end', onClose);
        if (isConnected) {
          resolve();
        } else {
          reject(new ConnectionLostError(this.store, false, { cause: this.#lastError }));
        }
      };
      const onReady = (): void => end(true);
      const onClose = (): void => end(false);
      const timer = setTimeout(onClose, CONNECT_DEADLINE);
      client.once('ready', onReady);
      client.once('close', onClose);
      client.once('end', onClose);
    });
  }

  /** Why there is no connection: a refused login says more than the closed connection that it ends in. */
  #refusal(error: unknown): unknown {
    const reason =
      this.#refusedDatabase ?? (error instanceof ConnectionLostError ? (this.#lastError ?? error) : error);
    hideArguments(reason);
    const storeError = storeErrorOf(reason, this.store, false);
    return storeError ?? error;
  }
}
