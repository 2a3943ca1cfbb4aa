import type { Clock } from '../../contract/clock';
import { systemClock } from '../../contract/clock';
import type { WaitForWorkRequest } from '../../contract/work-signal';
import { BlockingReads } from './blocking-reads';
import { toCancelNotice, type Inbox } from './inbox';
import type { RedisClient } from './redis-client';

type Popped = readonly [key: string, member: string, score: string];

/**
 * Waits for the marker of a queue: member `0` says that work may be ready, member `1` when the next delayed job is
 * due. The wait is on the worker's own inbox as well, which is how it is ended early. Storage protocol, section 4.
 *
 * @internal
 */
export class MarkerSignal {
  readonly #marker: string;
  readonly #makeBlocking: () => RedisClient;
  #reads: BlockingReads | undefined;

  /**
   * @param commands - the connection on which a wake-up is given back
   * @param makeBlocking - makes the connection that waits
   * @param storeTime - tells the store's time, which that of this machine may be far from
   */
  constructor(
    private readonly commands: RedisClient,
    makeBlocking: () => RedisClient,
    private readonly inbox: Inbox,
    base: string,
    private readonly storeTime: () => Promise<number>,
    private readonly clock: Clock = systemClock,
  ) {
    this.#makeBlocking = makeBlocking;
    this.#marker = `${base}marker`;
  }

  /** Opens the connection that waits before it has to: by its name a worker is found, and a busy one too. */
  async connect(): Promise<void> {
    await this.#blockingReads().connect();
  }

  /** Waits until a claim is worth a try. */
  async waitForWork({ block, signal, limited, busy, onCancel }: WaitForWorkRequest): Promise<boolean> {
    const reads = this.#blockingReads();
    const end = this.clock.now() + block;
    let due = Infinity;
    let dueInStore = Infinity;
    const onAbort = (): void => reads.end();
    signal.addEventListener('abort', onAbort);
    try {
      while (!signal.aborted) {
        const left = Math.min(end, due) - this.clock.now();
        if (left <= 0) {
          break;
        }
        const popped = await this.#pop(reads, left, limited !== undefined || busy === true);
        const notice = popped?.[0] === this.inbox.work ? toCancelNotice(popped[1]) : undefined;
        if (notice !== undefined) {
          onCancel?.(notice);
        }
        if (limited !== undefined && popped?.[1] === 'lifted') {
          return !signal.aborted;
        }
        if (popped?.[0] === this.#marker) {
          if (popped[1] === '0') {
            return await this.#take(signal);
          }
          dueInStore = Math.min(dueInStore, Math.ceil(Number(popped[2])));
          due = this.clock.now() + dueInStore - (await this.storeTime());
        }
      }
      if (due <= this.clock.now()) {
        return await this.#take(signal);
      }
      if (due !== Infinity) {
        await this.#giveBack(dueInStore, '1');
      }
      return false;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Ends what waits. */
  async close(): Promise<void> {
    await this.#reads?.close();
  }

  #blockingReads(): BlockingReads {
    return (this.#reads ??= new BlockingReads(this.#makeBlocking(), this.clock, () => this.inbox.endWait()));
  }

  /** @param isHeldBack - who is busy, or held back by a rate limit, leaves the marker to those who are not */
  #pop(reads: BlockingReads, millis: number, isHeldBack: boolean): Promise<Popped | undefined> {
    const keys = isHeldBack ? [this.inbox.work] : [this.inbox.work, this.#marker];
    return reads.read(millis, (client, block) => client.bzpopmin(...keys, block / 1_000)) as Promise<
      Popped | undefined
    >;
  }

  /** A wake-up that nobody can use is left to others. */
  async #take(signal: AbortSignal): Promise<boolean> {
    if (!signal.aborted) {
      return true;
    }
    await this.#giveBack(0, '0');
    return false;
  }

  async #giveBack(score: number, member: string): Promise<void> {
    await this.commands.use((client) => client.zadd(this.#marker, score, member)).catch(() => undefined);
  }
}
