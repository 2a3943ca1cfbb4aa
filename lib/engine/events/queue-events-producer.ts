import type { NewEvent } from '../../contract/event-log';
import { checkMaxEvents, parseCustomEvent } from '../../model/custom-event';
import { QueueClosedError } from '../../model/errors/queue-closed.error';
import { refuseUnknownOptions } from '../../model/option-names';
import { checkQueueName } from '../../model/queue-options';
import { command } from '../job-gateway';
import { CallBatcher } from '../runtime/call-batcher';
import type { ConnectionOptions } from '../runtime/queue-connection';
import { CONNECTION_OPTION_NAMES, QueueConnection } from '../runtime/queue-connection';
import { asError, SafeEmitter } from '../runtime/safe-emitter';

/**
 * What a field of an event of an application's own may hold. It is stored as a text, and so it is heard.
 *
 * @public
 */
export type EventFieldValue = string | number | boolean | bigint | undefined;

/**
 * Writes events of an application's own into the log of a queue, where every `QueueEvents` and every stream of the
 * queue hears of them, in whatever process.
 *
 * @example
 * ```ts
 * const producer = new QueueEventsProducer('email', { backend });
 * await producer.publishEvent({ eventName: 'bounced', jobId: '17', address: 'a@example.com' });
 * ```
 *
 * @public
 */
export class QueueEventsProducer extends SafeEmitter<{ error: [error: Error] }> {
  readonly #connection: QueueConnection;
  readonly #events: CallBatcher<NewEvent, null>;
  #closing: Promise<void> | undefined;

  /**
   * @param name - the queue
   * @throws InvalidQueueNameError, InvalidOptionsError, UnknownOptionError or InvalidBackendError
   */
  constructor(
    readonly name: string,
    readonly opts: ConnectionOptions,
  ) {
    super(`QueueEventsProducer "${checkQueueName(name)}"`);
    refuseUnknownOptions('QueueEventsProducer', opts, CONNECTION_OPTION_NAMES);
    this.#connection = new QueueConnection(name, `QueueEventsProducer "${name}"`, 'producer', opts);
    this.#events = new CallBatcher(
      (events) => this.#send(events),
      ({ name: eventName, fields }) =>
        fields.reduce((sum, [field, value]) => sum + field.length + value.length, eventName.length),
      () => this.#connection.isServer,
    );
  }

  /**
   * Writes an event.
   *
   * @param event - `eventName`, and fields of any other name but `event`; those that are `undefined` are left out
   * @param maxEvents - how many events the log of the queue is to keep from now on, about, those of its jobs included;
   * by default it keeps as many as it does (some 10,000)
   * @throws InvalidEventError when the name is one of the queue's own or a field cannot be stored; nothing is written
   * then
   * @throws QueueClosedError after `close()`
   * @throws StoreError or CallExpiredError when the store did not write it, OutcomeUnknownError when that is not known
   */
  async publishEvent<Event extends { eventName: string } & Record<keyof Event, EventFieldValue>>(
    event: Event,
    maxEvents?: number,
  ): Promise<void> {
    if (this.#closing !== undefined) {
      throw new QueueClosedError(`QueueEventsProducer "${this.name}"`, 'publishEvent');
    }
    const checked = parseCustomEvent(event);
    const most = maxEvents === undefined ? null : checkMaxEvents(maxEvents);
    await this.#events.submit({ ...checked, maxEvents: most });
  }

  /** Resolves once the store can be reached. */
  async waitUntilReady(): Promise<void> {
    const { backend } = await this.#connection.use('waitUntilReady');
    await backend.ready();
  }

  /** Waits for events that are on their way, then frees the connection. Never rejects. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#events.settled();
    try {
      await this.#connection.close();
    } catch (error) {
      this.emit('error', asError(error));
    }
  }

  async #send(events: readonly NewEvent[]): Promise<null[]> {
    const name = 'publishEvent';
    const open = await this.#connection.use(name);
    await command(open, name, (backend, call) => backend.publishEvents({ events }, call));
    return events.map(() => null);
  }
}
