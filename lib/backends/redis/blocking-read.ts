import type { Cluster, Redis } from 'ioredis';

import type { Clock } from '../../contract/clock';
import { systemClock } from '../../contract/clock';
import { ConnectionLostError } from '../../model/errors/connection-lost.error';
import type { RedisClient } from './redis-client';

/** Milliseconds after which a server that should have answered is not believed in any more. */
const GRACE = 1_000;

/** Milliseconds for which the server waits when its time is not the one that counts. */
const LONG = 60_000;

/**
 * Makes commands that wait on the server, one at a time on a connection of their own. A command that outlives its
 * time takes its connection with it: what becomes of such a connection cannot be told.
 *
 * @internal
 */
export class BlockingReads {
  #isBroken = false;

  /** @param clock - the time by which reads end */
  constructor(
    readonly client: RedisClient,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes one command.
   *
   * @param millis - how long it waits
   * @param send - makes the command; `block` is the time in milliseconds that the server is to wait
   * @returns its answer, or `undefined` when the time was over or `break` was called
   * @throws a StoreError when the connection was lost
   */
  async read<Answer>(
    millis: number,
    send: (client: Redis | Cluster, block: number) => Promise<Answer>,
  ): Promise<Answer | undefined> {
    const isServerTime = this.clock === systemClock;
    this.#isBroken = false;
    let isOver = false;
    const cancel = this.clock.setTimer(isServerTime ? millis + GRACE : millis, () => {
      isOver = true;
      this.client.replace();
    });
    try {
      const answer = await this.client.use((client) =>
        send(client, isServerTime ? Math.max(1, millis) : LONG),
      );
      return answer ?? undefined;
    } catch (error) {
      if ((isOver || this.#isBroken) && error instanceof ConnectionLostError) {
        return undefined;
      }
      throw error;
    } finally {
      cancel();
    }
  }

  /** Ends the present read by ending its connection. */
  break(): void {
    this.#isBroken = true;
    this.client.replace();
  }
}
