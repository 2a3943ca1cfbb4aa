import { Observable, Subject } from 'rxjs';

import type { EventGap, QueueEvent } from '../../model/queue-event';
import type { ConnectionOptions } from '../runtime/queue-connection';
import { QueueConnection } from '../runtime/queue-connection';
import { asError } from '../runtime/safe-emitter';
import { EventReader } from './event-reader';

/** How long a reader outlives its last subscriber, so that pages that reconnect do not churn connections. */
const LINGER = 2_000;
const BLOCK = 10_000;

/**
 * The events of a queue as one hot stream: its reader is shared, opened by the first subscriber and closed soon
 * after the last one. The stream completes when its owner closes and never errors.
 *
 * @internal
 */
export class EventStream {
  readonly #subject = new Subject<QueueEvent | EventGap>();
  readonly #events: Observable<QueueEvent | EventGap>;
  #connection: QueueConnection | undefined;
  #reader: EventReader | undefined;
  #subscribers = 0;
  #cancelLinger: (() => void) | undefined;
  #closing: Promise<void> | undefined;
  #ended: Promise<unknown> = Promise.resolve();

  /**
   * @param queueName - the queue to listen to
   * @param options - how to reach it
   * @param onError - told of errors that the stream survives
   */
  constructor(
    private readonly queueName: string,
    private readonly options: ConnectionOptions,
    private readonly onError: (error: Error) => void,
  ) {
    this.#events = new Observable((subscriber) => {
      const subscription = this.#subject.subscribe(subscriber);
      this.#arrived();
      return () => {
        subscription.unsubscribe();
        this.#left();
      };
    });
  }

  /** Events from the moment of subscription on. */
  get events$(): Observable<QueueEvent | EventGap> {
    return this.#events;
  }

  /**
   * Resolves once the reader has its position: what is done after it is seen by every subscriber that subscribed
   * before it. `undefined` when there is nothing to wait for.
   */
  positioned(): Promise<void> | undefined {
    return this.#reader === undefined || this.#reader.isPositioned ? undefined : this.#reader.positioned;
  }

  /** Resolves once every subscriber was told what had been written when it was called. */
  async caughtUp(): Promise<void> {
    const reader = this.#reader;
    if (reader !== undefined && this.#connection !== undefined) {
      const { backend } = await this.#connection.use('lastEventId');
      await reader.reached(await backend.lastEventId());
    }
  }

  /** Completes the stream and frees the reader. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#cancelLinger?.();
    this.#release();
    await this.#ended;
    this.#subject.complete();
  }

  #arrived(): void {
    this.#subscribers += 1;
    this.#cancelLinger?.();
    this.#cancelLinger = undefined;
    if (this.#reader !== undefined || this.#closing !== undefined) {
      return;
    }
    this.#connection = new QueueConnection(
      this.queueName,
      `Events of queue "${this.queueName}"`,
      'events',
      this.options,
    );
    this.#reader = new EventReader(
      this.#connection,
      { onEvent: (event) => this.#subject.next(event), onError: this.onError },
      undefined,
      BLOCK,
    );
    this.#reader.start();
  }

  #left(): void {
    this.#subscribers -= 1;
    if (this.#subscribers === 0 && this.#reader !== undefined) {
      const clock = this.#connection!.clock;
      this.#cancelLinger = clock.setTimer(LINGER, () => this.#release(), false);
    }
  }

  #release(): void {
    const reader = this.#reader;
    const connection = this.#connection;
    this.#reader = undefined;
    this.#connection = undefined;
    this.#cancelLinger = undefined;
    if (reader !== undefined && connection !== undefined) {
      const freed = reader.stop().then(() => connection.close());
      const told = freed.catch((error: unknown) => this.onError(asError(error)));
      this.#ended = Promise.all([this.#ended, told]);
    }
  }
}
