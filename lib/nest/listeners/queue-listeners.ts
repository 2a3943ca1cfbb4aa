import type { Subscription } from 'rxjs';

import { systemClock } from '../../contract/clock';
import type { QueueEvents } from '../../engine/events/queue-events';
import { queueEventsOf } from '../../engine/events/shared-events';
import type { Queue } from '../../engine/queue';
import { endsWithin } from '../../engine/runtime/wait';
import type { EventGap, QueueEvent } from '../../model/queue-event';
import { groupBy } from '../planning/group-by';
import type { PlannedQueueListener } from '../planning/queue-listener-check';
import type { ListenerRunner } from './listener.runner';
import { giveQueueEvents, isQueueEventsHost } from './queue-events.host';

/** Milliseconds for which a start waits until listeners hear: a server that has answered needs less. */
const PATIENCE = 2_000;

/** Keeps the process alive as long as it listens, as a worker does: streams by themselves do not. */
const KEEP_ALIVE_INTERVAL = 3_600_000;

/**
 * The `@QueueEventsListener` classes of the application. They share the reader of the queue's own stream of events.
 *
 * @internal
 */
export class QueueListeners {
  readonly #planned: { readonly plan: PlannedQueueListener; readonly queue: Queue }[] = [];
  readonly #listening: Subscription[] = [];
  readonly #ofHosts: QueueEvents[] = [];
  #keepAlive: NodeJS.Timeout | undefined;

  constructor(private readonly runner: ListenerRunner) {}

  /** Takes in an object that is to listen. */
  add(plan: PlannedQueueListener, queue: Queue): void {
    this.#planned.push({ plan, queue });
    const { instance } = plan.found;
    if (instance !== undefined && isQueueEventsHost(instance)) {
      giveQueueEvents(instance, this.#queueEventsOf(plan, queue));
    }
  }

  /** Takes in an object that came after the start, and has it listen at once. */
  addLate(plan: PlannedQueueListener, queue: Queue): void {
    const before = this.#ofHosts.length;
    this.add(plan, queue);
    this.#keepAlive ??= setInterval(() => undefined, KEEP_ALIVE_INTERVAL);
    this.#listen(plan, queue);
    this.#ofHosts.slice(before).forEach((queueEvents) => void queueEvents.run().catch(closedBefore));
  }

  /** Begins; resolves when they hear, or soon where a server is away: they hear when it is back. Never rejects. */
  async start(): Promise<void> {
    if (this.#planned.length === 0) {
      return;
    }
    this.#keepAlive = setInterval(() => undefined, KEEP_ALIVE_INTERVAL);
    this.#planned.forEach(({ plan, queue }) => this.#listen(plan, queue));
    this.#ofHosts.forEach((queueEvents) => void queueEvents.run().catch(closedBefore));
    const hearing = this.#queues.map((queue) => queue.waitUntilReady());
    await endsWithin(systemClock, Promise.allSettled(hearing), PATIENCE);
  }

  /**
   * Lets them hear what has happened until now, and end, those of workers too. Never rejects.
   *
   * @param within - milliseconds that this may take
   */
  async stop(within: number): Promise<void> {
    const told = this.#listening.length === 0 ? [] : this.#queues.map((queue) => queue.eventsTold());
    const ended = Promise.allSettled(told).then(() => {
      this.#end();
      return this.runner.ended();
    });
    await endsWithin(systemClock, ended, within);
    this.#end();
  }

  #end(): void {
    clearInterval(this.#keepAlive);
    this.#listening.splice(0).forEach((subscription) => subscription.unsubscribe());
    // Nothing of it is asked of a store, so it ends at once.
    this.#ofHosts.splice(0).forEach((queueEvents) => void queueEvents.close());
  }

  #queueEventsOf(plan: PlannedQueueListener, queue: Queue): QueueEvents {
    const queueEvents = queueEventsOf(queue);
    const label = `${plan.found.className}.queueEvents`;
    // What is thrown by a function that was attached to it, of which no more is known.
    queueEvents.on('error', (error) =>
      this.runner.failed({ label }, { queue: plan.queue, connection: plan.connection, event: '*' }, error),
    );
    this.#ofHosts.push(queueEvents);
    return queueEvents;
  }

  get #queues(): Queue[] {
    return [...new Set(this.#planned.map(({ queue }) => queue))];
  }

  #listen({ queue: name, connection, methods }: PlannedQueueListener, queue: Queue): void {
    const byType = groupBy(methods, (method) => method.event);
    const subscription = queue.events$.subscribe((event) => {
      const methods = byType.get(event.type);
      if (methods === undefined) {
        return;
      }
      const heard = { queue: name, connection, event: event.type };
      const told = { args: [event, event.type === 'gap' ? event.to : event.id], request: requestOf(event) };
      methods.forEach((method) => void this.runner.run(method, heard, told));
    });
    this.#listening.push(subscription);
  }
}

/**
 * An event as `REQUEST`: a copy, since Nest notes with it what was made for it, and others have the event too. It does
 * not tell the headers of its job, at which a strategy for durable providers looks.
 */
function requestOf(event: QueueEvent | EventGap): () => object {
  let request: object | undefined;
  return () => (request ??= { ...event, headers: {} });
}

/** Somebody has closed it before it began, which is their right. */
function closedBefore(): void {}
