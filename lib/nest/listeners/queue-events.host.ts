import type { QueueEvents } from '../../engine/events/queue-events';
import { QueueEventsUnavailableError } from '../errors/queue-events-unavailable.error';

/** By this name an object takes its events, whichever copy of the package its base class is of. */
const TAKE: unique symbol = Symbol.for('nestjs-lane.queue-events-host') as never;

/**
 * A base class for `@QueueEventsListener` classes that come over from `@nestjs/bullmq` and use `this.queueEvents`. Others
 * need none.
 *
 * `this.queueEvents` shares the reader of everything else in the process that hears the events of the queue. It hears,
 * and ends, when the methods with `@OnQueueEvent` do.
 *
 * @example
 * ```ts
 * @QueueEventsListener('email')
 * export class EmailEvents extends QueueEventsHost implements OnApplicationBootstrap {
 *   onApplicationBootstrap() {
 *     this.queueEvents.on('completed', ({ jobId }) => this.seen.add(jobId));
 *   }
 * }
 * ```
 *
 * @public
 */
export abstract class QueueEventsHost {
  #queueEvents: QueueEvents | undefined;

  /**
   * The events of the queue; from the bootstrap hooks of the application on.
   *
   * @throws QueueEventsUnavailableError before, and in a class without `@QueueEventsListener`
   */
  get queueEvents(): QueueEvents {
    if (this.#queueEvents === undefined) {
      throw new QueueEventsUnavailableError(this.constructor.name);
    }
    return this.#queueEvents;
  }

  /** @internal */
  [TAKE](queueEvents: QueueEvents): void {
    this.#queueEvents = queueEvents;
  }
}

/**
 * Whether an object, or the prototype of a class, is that of a `QueueEventsHost`.
 *
 * @internal
 */
export function isQueueEventsHost(object: object): object is QueueEventsHost {
  return TAKE in object;
}

/**
 * Gives a host its events.
 *
 * @internal
 */
export function giveQueueEvents(host: QueueEventsHost, queueEvents: QueueEvents): void {
  host[TAKE](queueEvents);
}
