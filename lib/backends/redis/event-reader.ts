import type { Cluster, Redis } from 'ioredis';

import {
  NO_EVENTS,
  type CustomField,
  type EventPage,
  type ReadEventsRequest,
  type StoredEvent,
} from '../../contract/event-log';
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
    const facts = await this.client.use((client) => this.#factsOf(client));
    return (facts?.get('last-generated-id') as string | undefined) ?? '0-0';
  }

  /** Other clients write entries of their own that are no events, which are passed over. */
  async readEvents({ after, limit, block, signal }: ReadEventsRequest): Promise<EventPage> {
    const end = this.clock.now() + block;
    // Asked first: a reader that waits at the end of the log misses nothing of what comes then.
    const hasGap = await this.client.use((client) => this.#isCutAfter(client, after));
    let position = after;
    for (;;) {
      const left = end - this.clock.now();
      const entries = await this.#read(position, limit, signal?.aborted === true ? 0 : left, signal);
      const events = entries.map(toStoredEvent).filter((event) => event !== undefined);
      position = entries.at(-1)?.[0] ?? position;
      if (events.length > 0) {
        return { events, hasGap };
      }
      if (signal?.aborted === true || this.clock.now() >= end) {
        return NO_EVENTS;
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

  /** Whether the log has dropped events, later ones than the position among them. */
  async #isCutAfter(client: Redis | Cluster, position: string): Promise<boolean> {
    const facts = await this.#factsOf(client);
    if (facts === undefined) {
      return false;
    }
    // Redis 6.2 does not tell how many there ever were: an empty log is its own beginning there.
    const added = facts.get('entries-added');
    const hasDropped = added === undefined ? position !== '0-0' : Number(added) > Number(facts.get('length'));
    const first = facts.get('first-entry') as Entry | null;
    return (
      hasDropped &&
      isLater(facts.get('last-generated-id') as string, position) &&
      (first === null || isLater(first[0], position))
    );
  }

  /** What the server knows of the log; `undefined` when there is none. */
  async #factsOf(client: Redis | Cluster): Promise<Map<unknown, unknown> | undefined> {
    try {
      return factsOf((await client.xinfo('STREAM', this.#stream)) as unknown[]);
    } catch (error) {
      if (/no such key/i.test((error as Error).message)) {
        return undefined;
      }
      throw error;
    }
  }
}

function factsOf(answer: readonly unknown[]): Map<unknown, unknown> {
  const facts = new Map<unknown, unknown>();
  for (let at = 0; at < answer.length; at += 2) {
    facts.set(answer[at], answer[at + 1]);
  }
  return facts;
}

/** Both parts of an id are whole numbers of up to 64 bits. */
function isLater(id: string, than: string): boolean {
  const [millis, number] = id.split('-').map(BigInt) as [bigint, bigint];
  const [otherMillis, otherNumber = 0n] = than.split('-').map(BigInt) as [bigint, bigint?];
  return millis > otherMillis || (millis === otherMillis && number > otherNumber);
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
  'deduplicationId',
  'deduplicatedJobId',
  'debounceId',
] satisfies (keyof StoredEvent)[];

/** An entry that names no event is somebody else's. */
function toStoredEvent([id, fields]: Entry): StoredEvent | undefined {
  const event = nameOf(fields);
  if (event === undefined) {
    return undefined;
  }
  if (!KNOWN.has(event)) {
    return { id, event, fields: customFieldsOf(fields) };
  }
  const known: Record<string, string | number> = { id, event };
  for (let at = 0; at < fields.length; at += 2) {
    const field = fields[at]!;
    if (field === 'delay') {
      known.delay = Number(fields[at + 1]);
    } else if (TEXTS.includes(field)) {
      known[field] = fields[at + 1]!;
    }
  }
  return known as unknown as StoredEvent;
}

function nameOf(fields: readonly string[]): string | undefined {
  for (let at = 0; at < fields.length; at += 2) {
    if (fields[at] === 'event') {
      return fields[at + 1];
    }
  }
  return undefined;
}

function customFieldsOf(fields: readonly string[]): CustomField[] {
  const own: CustomField[] = [];
  for (let at = 0; at < fields.length; at += 2) {
    if (fields[at] !== 'event') {
      own.push([fields[at]!, fields[at + 1]!]);
    }
  }
  return own;
}
