import { Subject } from 'rxjs';

import type { EventGap, QueueEvent } from '../../model/queue-event';
import type { ConnectionOptions } from '../runtime/queue-connection';
import { QueueConnection } from '../runtime/queue-connection';
import { EventReader, type EventReaderTarget } from './event-reader';
import { JobWatch, type JobWatcher } from './job-watch';

/**
 * Where a `QueueEvents` has its events from.
 *
 * @internal
 */
export interface QueueEventsSource {
  /** Begins to tell events. */
  start(): void;
  readonly isStarted: boolean;
  /** Resolves when it tells no more. */
  readonly ended: Promise<void>;
  /** Resolves once every event that is written from then on is told; before the start, once the store can be reached. */
  ready(): Promise<void>;
  /** Follows a job to its end. */
  watch(id: string, watcher: JobWatcher): () => void;
  /** @throws QueueClosedError after `close` */
  refuseWhenClosed(call: string): void;
  close(): Promise<void>;
}

/**
 * A reader and a connection of its own.
 *
 * @internal
 */
export class OwnEvents implements QueueEventsSource {
  readonly #connection: QueueConnection;
  readonly #reader: EventReader;
  readonly #events = new Subject<QueueEvent | EventGap>();
  readonly #watch: JobWatch;

  /**
   * @param from - id after which to read, or `undefined` for what is written from now on
   * @param block - longest single wait in milliseconds
   */
  constructor(
    queueName: string,
    options: ConnectionOptions,
    target: EventReaderTarget,
    from: string | undefined,
    block: number,
  ) {
    this.#connection = new QueueConnection(queueName, `QueueEvents "${queueName}"`, 'events', options);
    const onEvent = (event: QueueEvent | EventGap): void => {
      this.#events.next(event);
      target.onEvent(event);
    };
    this.#reader = new EventReader(
      this.#connection,
      { onEvent, onError: (error) => target.onError(error) },
      from,
      block,
    );
    this.#watch = new JobWatch({
      clock: this.#connection.clock,
      events$: this.#events,
      fetchRecords: async (ids) => {
        await this.ready();
        return (await this.#connection.use('getJobs')).backend.getJobs(ids);
      },
      caughtUp: async () => {
        const { backend } = await this.#connection.use('lastEventId');
        await this.#reader.reached(await backend.lastEventId());
      },
    });
  }

  get isStarted(): boolean {
    return this.#reader.isStarted;
  }

  get ended(): Promise<void> {
    return this.#reader.ended;
  }

  start(): void {
    this.#reader.start();
  }

  async ready(): Promise<void> {
    const { backend } = await this.#connection.use('waitUntilReady');
    await backend.ready();
    if (this.#reader.isStarted) {
      await this.#reader.positioned;
    }
  }

  watch(id: string, watcher: JobWatcher): () => void {
    return this.#watch.watch(id, watcher);
  }

  refuseWhenClosed(call: string): void {
    this.#connection.refuseWhenClosed(call);
  }

  async close(): Promise<void> {
    await this.#reader.stop();
    this.#events.complete();
    await this.#connection.close();
  }
}
