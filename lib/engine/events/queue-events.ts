import type { Duration } from '../../model/duration';
import { durationToMillis } from '../../model/duration';
import { hasBrand } from '../../model/brand';
import { checkFlag } from '../../model/flag';
import { refuseUnknownOptions } from '../../model/option-names';
import { isEventId } from '../../model/event-id';
import { isReservedEventName } from '../../model/custom-event';
import type { EventGap, QueueEvent, QueueEventName, QueueEventPayloads } from '../../model/queue-event';
import { checkQueueName } from '../../model/queue-options';
import { AlreadyRunningError } from '../../model/errors/already-running.error';
import { InvalidEventIdError } from '../../model/errors/invalid-event-id.error';
import type { ConnectionOptions } from '../runtime/queue-connection';
import { CONNECTION_OPTION_NAMES } from '../runtime/queue-connection';
import { asError, SafeEmitter } from '../runtime/safe-emitter';
import type { EventReaderTarget } from './event-reader';
import type { JobWatcher } from './job-watch';
import { OwnEvents, type QueueEventsSource } from './queue-events-source';

/** Tells a listener, also one from another copy of the package. */
const BRAND = Symbol.for('nestjs-lane.queue-events');

/**
 * Options of `QueueEvents`.
 *
 * @public
 */
export interface QueueEventsOptions extends ConnectionOptions {
  /** Starts by itself. Default `true`. */
  autorun?: boolean;
  /** Id of the event after which to read, `0-0` for all that are kept. Default `$`: what is written from now on. */
  lastEventId?: string;
  /** Longest single wait for events; a bare number is milliseconds. Default 10 s. */
  blockingTimeout?: Duration;
}

/**
 * Events of `QueueEvents` with their arguments: the payload, then the event's id; `drained` has the id alone.
 *
 * @public
 */
export type QueueEventsListeners = {
  [Name in Exclude<QueueEventName, 'drained'>]: [payload: QueueEventPayloads[Name], id: string];
} & {
  drained: [id: string];
  /** Events may be missing: the log did not keep them until the listener came to them. */
  gap: [gap: EventGap];
  error: [error: Error];
} & {
  [Key in `${QueueEventName}:${string}`]: [payload: { jobId: string } & Record<string, unknown>, id: string];
};

const OPTION_NAMES: readonly (keyof QueueEventsOptions)[] = [
  ...CONNECTION_OPTION_NAMES,
  'autorun',
  'lastEventId',
  'blockingTimeout',
];

/**
 * Listens to everything that happens in a queue, in whatever process it happens.
 *
 * Every event of a job is emitted twice: under its name, and as `<name>:<job id>`. So are events of an application's
 * own, which `QueueEventsProducer` writes; their types are given as BullMQ has it:
 * `events.on<{ bounced: (payload: { address: string }, id: string) => void }>('bounced', …)`.
 *
 * @example
 * ```ts
 * const events = new QueueEvents('email', { backend });
 * events.on('completed', ({ jobId, returnvalue }) => console.log(jobId, returnvalue));
 * ```
 *
 * @public
 */
export class QueueEvents extends SafeEmitter<QueueEventsListeners> {
  readonly #source: QueueEventsSource;

  /**
   * @param name - the queue to listen to
   * @throws InvalidQueueNameError, InvalidOptionsError, UnknownOptionError, InvalidBackendError, InvalidDurationError,
   * InvalidFlagError or InvalidEventIdError
   */
  constructor(
    readonly name: string,
    readonly opts: QueueEventsOptions,
    /** @internal */
    open?: (target: EventReaderTarget) => QueueEventsSource,
  ) {
    super(`QueueEvents "${checkQueueName(name)}"`);
    refuseUnknownOptions('QueueEvents', opts, OPTION_NAMES);
    const { autorun = true, lastEventId = '$', blockingTimeout = 10_000 } = opts;
    checkFlag('autorun', autorun);
    if (lastEventId !== '$' && !isEventId(lastEventId)) {
      throw new InvalidEventIdError(lastEventId);
    }
    const block = Math.max(1, durationToMillis('blockingTimeout', blockingTimeout));
    const target = {
      onEvent: (event: QueueEvent | EventGap) => this.#publish(event),
      onError: (error: Error) => this.emit('error', error),
    };
    const from = lastEventId === '$' ? undefined : lastEventId;
    this.#source = open?.(target) ?? new OwnEvents(name, opts, target, from, block);
    if (autorun) {
      this.#source.start();
    }
  }

  /** Calls the listener at each event of that name; with `Listeners`, the types of an application's own events. */
  override on<Name extends keyof QueueEventsListeners>(
    name: Name,
    listener: (...args: QueueEventsListeners[Name]) => unknown,
  ): this;
  override on<Listeners extends object, Name extends keyof Listeners & string = keyof Listeners & string>(
    name: Name,
    listener: Listeners[Name],
  ): this;
  override on(name: string, listener: unknown): this {
    return super.on(name as 'error', listener as () => unknown);
  }

  /** Calls the listener at the next event of that name. */
  override once<Name extends keyof QueueEventsListeners>(
    name: Name,
    listener: (...args: QueueEventsListeners[Name]) => unknown,
  ): this;
  override once<Listeners extends object, Name extends keyof Listeners & string = keyof Listeners & string>(
    name: Name,
    listener: Listeners[Name],
  ): this;
  override once(name: string, listener: unknown): this {
    return super.once(name as 'error', listener as () => unknown);
  }

  /** Takes a listener back. */
  override off<Name extends keyof QueueEventsListeners>(
    name: Name,
    listener: (...args: QueueEventsListeners[Name]) => unknown,
  ): this;
  override off<Listeners extends object, Name extends keyof Listeners & string = keyof Listeners & string>(
    name: Name,
    listener: Listeners[Name],
  ): this;
  override off(name: string, listener: unknown): this {
    return super.off(name as 'error', listener as () => unknown);
  }

  /**
   * Starts listening, for `autorun: false`; resolves when the listener was closed.
   *
   * @throws AlreadyRunningError when it listens already
   * @throws QueueClosedError after `close`
   */
  async run(): Promise<void> {
    this.#source.refuseWhenClosed('run');
    if (this.#source.isStarted) {
      throw new AlreadyRunningError(`QueueEvents "${this.name}"`);
    }
    this.#source.start();
    await this.#source.ended;
  }

  /**
   * Resolves once every event that is written from now on will be delivered; for a listener that was not started,
   * once the store can be reached.
   *
   * @throws QueueClosedError after `close`, and what keeps the store from being reached
   */
  async waitUntilReady(): Promise<void> {
    await this.#source.ready();
  }

  /**
   * Follows a job to its end.
   *
   * @returns ends the watch
   *
   * @internal
   */
  watch(id: string, watcher: JobWatcher): () => void {
    return this.#source.watch(id, watcher);
  }

  /** Stops listening and frees the connection; who waits for a job by it is told so. Never rejects. */
  async close(): Promise<void> {
    try {
      await this.#source.close();
    } catch (error) {
      this.emit('error', asError(error));
    }
  }

  /** @internal */
  get [BRAND](): true {
    return true;
  }

  #publish(event: QueueEvent | EventGap): void {
    if (event.type === 'gap') {
      this.emit('gap', event);
    } else if (event.type === 'drained') {
      this.emit('drained', event.id);
    } else if (event.type !== 'custom') {
      const { type, id, ...payload } = event;
      this.#tell(type, payload, id);
    } else if (!isReservedEventName(event.name)) {
      // Clients of BullMQ may give an event any name; one that stands for something else here would mislead.
      this.#tell(event.name, event.payload, event.id);
    }
  }

  #tell(name: string, payload: object, id: string): void {
    const emitter = this as unknown as SafeEmitter<Record<string, [payload: object, id: string]>>;
    emitter.emit(name, payload, id);
    const jobId = Object.hasOwn(payload, 'jobId') ? (payload as { jobId?: string }).jobId : '';
    if (jobId !== '') {
      emitter.emit(`${name}:${jobId}`, payload, id);
    }
  }
}

/**
 * Whether something is a listener, from whichever copy of the package.
 *
 * @internal
 */
export function isQueueEvents(value: unknown): value is QueueEvents {
  return hasBrand(value, BRAND);
}
