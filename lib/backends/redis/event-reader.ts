import type { ReadEventsRequest, StoredEvent } from '../../contract/event-log';
import type { Clock } from '../../contract/clock';
import { systemClock } from '../../contract/clock';
import { QUEUE_EVENT_NAMES } from '../../model/queue-event';
import { BlockingReads } from './blocking-reads';
import type { Inbox } from './inbox';
import type { RedisClient } from './redis-client';

type Entry = readonly [id: string, fields: readonly string[]];

const KNOWN: ReadonlySet<string> = new Set(QUEUE_EVENT_NAMES);

/**
 * Reads the event stream of one queue. Storage protocol, section 6.
 *
 * @internal
 */
export class EventLogReader {
  readonly #stream: string;
  #reads: BlockingReads | undefined;
  /** Id of the last message that was read. */
  #lastMessage = '0-0';

  /**
   * @param client - for reads that do not wait
   * @param makeBlocking - makes the connection for those that do
   */
  constructor(
    private readonly client: RedisClient,
    private readonly makeBlocking: () => RedisClient,
    private readonly inbox: Inbox,
    base: string,
    private readonly clock: Clock = systemClock,
  ) {
    this.#stream = `${base}events`;
  }

  async lastEventId(): Promise<string> {
    const last = (await this.client.use((client) =>
      client.xrevrange(this.#stream, '+', '-', 'COUNT', 1),
    )) as Entry[];
    return last[0]?.[0] ?? '0-0';
  }

  /** Other clients write events of their own, which are passed over. */
  async readEvents({ after, limit, block, signal }: ReadEventsRequest): Promise<StoredEvent[]> {
    const end = this.clock.now() + block;
    let position = after;
    for (;;) {
      const left = end - this.clock.now();
      const entries = await this.#read(position, limit, signal?.aborted === true ? 0 : left, signal);
      const events = entries.filter(([, fields]) => KNOWN.has(fields[1]!)).map(toStoredEvent);
      position = entries.at(-1)?.[0] ?? position;
      if (events.length > 0 || signal?.aborted === true || this.clock.now() >= end) {
        return events;
      }
    }
  }

  /** Ends what waits. */
  async close(): Promise<void> {
    await this.#reads?.close();
  }

  #openReads(): BlockingReads {
    return new BlockingReads(this.makeBlocking(), this.clock, () => this.inbox.endReading());
  }

  async #read(
    position: string,
    limit: number,
    block: number,
    signal: AbortSignal | undefined,
  ): Promise<Entry[]> {
    if (block <= 0) {
      const read = this.client.use((client) =>
        client.xread('COUNT', limit, 'STREAMS', this.#stream, position),
      );
      return entriesOf(await read, this.#stream);
    }
    const reads = (this.#reads ??= this.#openReads());
    const onAbort = (): void => reads.end();
    signal?.addEventListener('abort', onAbort);
    try {
      const { events } = this.inbox;
      const answer = await reads.read(block, (client, millis) =>
        client.xread(
          'COUNT',
          limit,
          'BLOCK',
          millis,
          'STREAMS',
          this.#stream,
          events,
          position,
          this.#lastMessage,
        ),
      );
      this.#lastMessage = entriesOf(answer, events).at(-1)?.[0] ?? this.#lastMessage;
      return entriesOf(answer, this.#stream);
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }
}

function entriesOf(answer: unknown, stream: string): Entry[] {
  const streams = (answer ?? []) as readonly (readonly [name: string, entries: Entry[]])[];
  return streams.find(([name]) => name === stream)?.[1] ?? [];
}

/** Texts of an event that are kept under the names that they are stored under. */
const TEXTS: readonly string[] = [
  'jobId',
  'name',
  'prev',
  'data',
  'returnvalue',
  'failedReason',
  'attemptsMade',
  'count',
] satisfies (keyof StoredEvent)[];

function toStoredEvent([id, fields]: Entry): StoredEvent {
  const event: Record<string, string | number> = { id, event: fields[1]! };
  for (let at = 2; at < fields.length; at += 2) {
    const field = fields[at]!;
    if (field === 'delay') {
      event.delay = Number(fields[at + 1]);
    } else if (TEXTS.includes(field)) {
      event[field] = fields[at + 1]!;
    }
  }
  return event as unknown as StoredEvent;
}
