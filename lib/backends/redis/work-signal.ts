import type { Clock } from '../../contract/clock';
import { systemClock } from '../../contract/clock';
import type { WaitForWorkRequest } from '../../contract/work-signal';
import { BlockingReads } from './blocking-read';
import type { RedisClient } from './redis-client';

/** Milliseconds for which the answer to a message to ourselves is waited for. */
const INBOX_DEADLINE = 500;

/** Milliseconds for which a message that nobody reads is kept. */
const INBOX_KEPT = 60_000;

type Popped = readonly [key: string, member: string, score: string];

/**
 * Waits for the marker of a queue: member `0` says that work may be ready, member `1` when the next delayed job is
 * due. The wait is on the worker's own inbox as well, which is how it is ended early. Storage protocol, section 4.
 *
 * @internal
 */
export class MarkerSignal {
  readonly #reads: BlockingReads;
  readonly #marker: string;
  readonly #inbox: string;
  #messages = 0;

  /**
   * @param blocking - the connection that waits, this object's own
   * @param commands - the connection on which the inbox is written to
   */
  constructor(
    blocking: RedisClient,
    private readonly commands: RedisClient,
    base: string,
    caller: string,
    private readonly clock: Clock = systemClock,
  ) {
    this.#reads = new BlockingReads(blocking, clock);
    this.#marker = `${base}marker`;
    this.#inbox = `${base}ln:i.${caller}`;
  }

  /** Waits until a claim is worth a try. */
  async waitForWork({ block, signal }: WaitForWorkRequest): Promise<boolean> {
    const end = this.clock.now() + block;
    let due = Infinity;
    const onAbort = (): void => this.#interrupt();
    signal.addEventListener('abort', onAbort);
    try {
      while (!signal.aborted) {
        const left = Math.min(end, due) - this.clock.now();
        if (left <= 0) {
          break;
        }
        const popped = await this.#pop(left);
        if (popped?.[0] === this.#marker) {
          if (popped[1] === '0') {
            return await this.#take(signal);
          }
          due = Math.min(due, Math.ceil(Number(popped[2])));
        }
      }
      const isDue = due <= this.clock.now();
      if (!isDue && due !== Infinity) {
        await this.#writeBack(due, '1');
      }
      return isDue && (await this.#take(signal));
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Ends what waits. */
  close(): void {
    this.#reads.client.close();
  }

  #pop(millis: number): Promise<Popped | undefined> {
    return this.#reads.read(millis, (client, block) =>
      client.bzpopmin(this.#inbox, this.#marker, block / 1_000),
    ) as Promise<Popped | undefined>;
  }

  /** A wake-up that nobody can use is left to others. */
  async #take(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) {
      await this.#writeBack(0, '0');
      return false;
    }
    return true;
  }

  async #writeBack(score: number, member: string): Promise<void> {
    await this.commands.use((client) => client.zadd(this.#marker, score, member)).catch(() => undefined);
  }

  /** Breaks the wait with a message to ourselves, or by force if that does not arrive. */
  #interrupt(): void {
    this.#messages += 1;
    const timer = setTimeout(() => this.#reads.break(), INBOX_DEADLINE);
    const isOver = (): void => clearTimeout(timer);
    this.commands
      .use((client) =>
        client.multi().zadd(this.#inbox, 0, `stop ${this.#messages}`).pexpire(this.#inbox, INBOX_KEPT).exec(),
      )
      .then(isOver, () => {
        isOver();
        this.#reads.break();
      });
  }
}
