import type {
  HandleRole,
  LaneBackend,
  LaneError,
  MutatingCall,
  QueueBackend,
  StoredEvent,
} from 'nestjs-lane/contract';
import { leaseTokenOf } from 'nestjs-lane/contract';

/** What a call came to: its reply, or the error that it was refused with. */
export type Answer = { readonly reply: unknown } | { readonly refused: string };

/** A call's number, with the name of its caller instead of the id, which differs between the sides. */
export type CallNumber = MutatingCall;

const observer = 'observer';

/**
 * One of the stores that the storm goes over, spoken to in terms that are the same for all: callers have names, and
 * lease tokens hold the name instead of the caller's id.
 */
export class Side {
  readonly #handles = new Map<string, QueueBackend>();
  readonly #names = new Map<string, string>();
  #lastEvent = '0-0';

  constructor(
    readonly name: string,
    private readonly backend: LaneBackend,
    private readonly queueName: string,
  ) {
    this.open(observer, 'producer');
  }

  /** A caller comes. Its name is not that of another who came before. */
  open(caller: string, role: HandleRole): void {
    const handle = this.backend.openQueue({ queueName: this.queueName, role });
    this.#handles.set(caller, handle);
    this.#names.set(handle.caller, caller);
  }

  handle(caller: string): QueueBackend {
    return this.#handles.get(caller)!;
  }

  /** For looking at the queue. */
  get observer(): QueueBackend {
    return this.handle(observer);
  }

  toCall(number: CallNumber): MutatingCall {
    return { ...number, caller: this.handle(number.caller).caller };
  }

  /** The token that a store knows, for the one that the storm knows. What was never a token stays as it is. */
  toToken(token: string): string {
    const [caller = '', channel = '', sequence] = token.split(':');
    const handle = this.#handles.get(caller);
    return handle === undefined
      ? token
      : leaseTokenOf({ caller: handle.caller, channel, sequence: Number(sequence), notAfter: 0 });
  }

  /** Makes a call, and says what came of it in the terms of the storm. */
  async ask(act: (side: Side) => Promise<unknown>): Promise<Answer> {
    try {
      return { reply: this.#named(await act(this)) };
    } catch (error) {
      if (!isLaneError(error)) throw error;
      return { refused: `${error.code}: ${error.message}` };
    }
  }

  /** The events since the last look, without their ids, which are the store's own. */
  async newEvents(): Promise<Omit<StoredEvent, 'id'>[]> {
    const { events } = await this.observer.readEvents({ after: this.#lastEvent, limit: 100_000, block: 0 });
    this.#lastEvent = events.at(-1)?.id ?? this.#lastEvent;
    return events.map((event) => {
      const fields: Partial<StoredEvent> & Omit<StoredEvent, 'id'> = { ...event };
      delete fields.id;
      return fields;
    });
  }

  /** The event log may have begun anew. */
  async startOverWithEvents(): Promise<void> {
    if ((await this.observer.lastEventId()) === '0-0') this.#lastEvent = '0-0';
  }

  async close(): Promise<void> {
    await Promise.all([...this.#handles.values()].map((handle) => handle.close()));
  }

  #named(value: unknown): unknown {
    if (typeof value === 'string') {
      const [caller = '', ...rest] = value.split(':');
      const name = this.#names.get(caller);
      return name === undefined ? value : [name, ...rest].join(':');
    }
    if (Array.isArray(value)) return value.map((item) => this.#named(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#named(item)]));
  }
}

function isLaneError(error: unknown): error is LaneError {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('LANE_');
}
