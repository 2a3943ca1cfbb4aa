import type { Cluster, Redis } from 'ioredis';

import type { Clock } from '../../contract/clock';
import { systemClock } from '../../contract/clock';
import { ConnectionLostError } from '../../model/errors/connection-lost.error';
import type { RedisClient } from './redis-client';

/** Milliseconds after which a server that should have answered is not believed in any more. */
const GRACE = 1_000;

/** Milliseconds for which a message to a read is waited for. */
const MESSAGE_DEADLINE = 500;

/** Milliseconds for which the server waits at most: a day, which its timers and ours can hold. */
const LONGEST = 86_400_000;

/** Milliseconds for which the server waits when its time is not the one that counts. */
const LONG = 60_000;

/**
 * Makes commands that wait on the server, one at a time on a connection of their own. A read is ended early by a
 * message that it waits for as well. One that outlives its time takes its connection with it: what becomes of such a
 * connection cannot be told.
 *
 * @internal
 */
export class BlockingReads {
  #isReading = false;
  #isEnding = false;
  #cancelMessage: () => void = () => undefined;

  /**
   * @param client - their own connection
   * @param clock - the time by which reads end
   * @param sendMessage - sends what ends a read, on another connection
   */
  constructor(
    private readonly client: RedisClient,
    private readonly clock: Clock,
    private readonly sendMessage: () => Promise<unknown>,
  ) {}

  /**
   * Makes one command.
   *
   * @param millis - how long it waits
   * @param send - makes the command; `block` is the time in milliseconds that the server is to wait
   * @returns its answer, or `undefined` when the time was over or the read was ended by force
   * @throws a StoreError when the connection was lost
   */
  async read<Answer>(
    millis: number,
    send: (client: Redis | Cluster, block: number) => Promise<Answer>,
  ): Promise<Answer | undefined> {
    const isServerTime = this.clock === systemClock;
    this.#isReading = true;
    this.#isEnding = false;
    const cancel = isServerTime
      ? this.clock.setTimer(Math.min(millis, LONGEST) + GRACE, () => this.#endByForce())
      : this.clock.setTimer(millis, () => this.end());
    try {
      const block = isServerTime ? Math.min(Math.max(1, Math.ceil(millis)), LONGEST) : LONG;
      return (await this.client.use((client) => send(client, block))) ?? undefined;
    } catch (error) {
      if (this.#isEnding && error instanceof ConnectionLostError) {
        return undefined;
      }
      throw error;
    } finally {
      cancel();
      this.#isReading = false;
      this.#cancelMessage();
    }
  }

  /** Connects before the first read. */
  async connect(): Promise<void> {
    await this.client.connected();
  }

  /** Ends the present read, if there is one: by a message, or by force if that does not arrive in time. */
  end(): void {
    if (!this.#isReading) {
      return;
    }
    const timer = setTimeout(() => this.#endByForce(), MESSAGE_DEADLINE);
    this.#cancelMessage = () => clearTimeout(timer);
    this.sendMessage().catch(() => this.#endByForce());
  }

  /** Frees the connection, and with it the present read. */
  close(): Promise<void> {
    return this.client.close();
  }

  #endByForce(): void {
    this.#isEnding = true;
    this.client.replace();
  }
}
