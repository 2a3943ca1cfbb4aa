import type { EventLog } from '../../contract/event-log';
import { isStoreError } from '../../model/errors/lane-error';
import { isLaterEventId } from '../../model/event-id';
import type { EventGap, QueueEvent } from '../../model/queue-event';
import type { QueueConnection } from '../runtime/queue-connection';
import { RepeatedErrors } from '../runtime/repeated-errors';
import { asError } from '../runtime/safe-emitter';
import { Service } from '../runtime/service';
import { unlessAborted, wait } from '../runtime/wait';
import { EventPageSize } from './event-page-size';
import { decodeEvent } from './queue-event-codec';

const PAUSE_AFTER_ERROR = 1_000;

/**
 * What a reader does with what it reads.
 *
 * @internal
 */
export interface EventReaderTarget {
  onEvent(event: QueueEvent | EventGap): void;
  onError(error: Error): void;
}

/**
 * Reads the events of a queue on and on, from a position, and goes on after its last event when the connection
 * comes back.
 *
 * @internal
 */
export class EventReader extends Service {
  readonly #stopped = new AbortController();
  readonly #storeErrors: RepeatedErrors;
  readonly #page = new EventPageSize();
  #loop: Promise<void> = Promise.resolve();
  #markPositioned: () => void = () => undefined;
  #isPositioned = false;
  #position: string | undefined;
  readonly #expected = new Set<{ readonly id: string; readonly resolve: () => void }>();

  /** Resolves once the position is fixed: events written from then on are delivered. */
  readonly positioned: Promise<void>;

  /**
   * @param from - id after which to read, or `undefined` for what is written from now on
   * @param block - longest single wait in milliseconds
   */
  constructor(
    private readonly connection: QueueConnection,
    private readonly target: EventReaderTarget,
    private readonly from: string | undefined,
    private readonly block: number,
  ) {
    super();
    this.positioned = new Promise((resolve) => {
      this.#markPositioned = () => {
        this.#isPositioned = true;
        resolve();
      };
    });
    this.#storeErrors = new RepeatedErrors(connection.clock, (error) => target.onError(error));
  }

  /** Whether `positioned` has resolved. */
  get isPositioned(): boolean {
    return this.#isPositioned;
  }

  /** Resolves once all events up to an id have been read, or the reader was stopped. */
  reached(id: string): Promise<void> {
    if (this.#hasReached(id) || this.#stopped.signal.aborted) {
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#expected.add({ id, resolve }));
  }

  /** Ends when the reader was stopped. */
  get ended(): Promise<void> {
    return this.#loop;
  }

  protected onStart(): void {
    this.#loop = this.#run();
  }

  protected async onStop(): Promise<void> {
    this.#stopped.abort();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    let position = this.from;
    while (!signal.aborted) {
      try {
        const log: EventLog = (this.connection.opened ?? (await this.connection.use('readEvents'))).backend;
        position ??= await unlessAborted(log.lastEventId(), signal);
        this.#advance(position);
        this.#markPositioned();
        const read = log.readEvents({ after: position, limit: this.#page.limit, block: this.block, signal });
        const { events, hasGap } = await unlessAborted(read, signal);
        this.#page.adaptTo(events);
        if (hasGap && !signal.aborted) {
          this.target.onEvent({ type: 'gap', from: position, to: events[0]!.id });
        }
        for (const event of events) {
          if (signal.aborted) {
            break;
          }
          position = event.id;
          this.target.onEvent(decodeEvent(event));
        }
        this.#advance(position);
      } catch (error) {
        if (signal.aborted) {
          break;
        }
        if (isStoreError(error)) {
          this.#storeErrors.take(error);
        } else {
          this.target.onError(asError(error));
        }
        await wait(this.connection.clock, PAUSE_AFTER_ERROR, signal);
      }
    }
    this.#markPositioned();
    this.#expected.forEach(({ resolve }) => resolve());
    this.#expected.clear();
  }

  #advance(position: string): void {
    this.#position = position;
    for (const expected of this.#expected) {
      if (this.#hasReached(expected.id)) {
        this.#expected.delete(expected);
        expected.resolve();
      }
    }
  }

  #hasReached(id: string): boolean {
    return this.#position !== undefined && !isLaterEventId(id, this.#position);
  }
}
