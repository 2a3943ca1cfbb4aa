import { map, mergeMap, type Observable } from 'rxjs';

import type { EventGap, QueueEvent } from '../../model/queue-event';
import type { LaneResources } from '../lifecycle/lane-resources';
import type { ListenerFailures, ListenerRunner } from './listener.runner';

/**
 * An event of one of the queues of an application: what `queue.events$` has, with the queue.
 *
 * @public
 */
export type LaneEvent = (QueueEvent | EventGap) & {
  /** The queue's name. */
  queue: string;
  /** Name of its connection; `default` for the one without a name. */
  connection: string;
};

/**
 * What happens in the queues of the application, and how its listeners fare. A provider, wherever a module of `LaneModule`
 * is in reach.
 *
 * @example
 * ```ts
 * constructor(events: LaneEvents) {
 *   events.events$.pipe(ofType('failed')).subscribe(({ queue, jobId }) => this.failures.add(queue, jobId));
 * }
 * ```
 *
 * @public
 */
export class LaneEvents {
  /**
   * The events of all queues that are registered, on whatever connection, from the moment of subscription on; also of those
   * that are registered later. Each queue is read as for its own `events$`, with which it shares the reader. Completes when
   * the application closes, never errors.
   */
  readonly events$: Observable<LaneEvent>;

  /** @internal */
  constructor(
    resources: LaneResources,
    private readonly runner: ListenerRunner,
  ) {
    this.events$ = resources.queues$.pipe(
      mergeMap(({ name, connection, queue }) =>
        queue.events$.pipe(map((event) => ({ ...event, queue: name, connection }))),
      ),
    );
  }

  /**
   * The listeners that have thrown, rejected or taken too long, each with how often it did: `@OnWorkerEvent`,
   * `@OnQueueEvent` and `@OnJobExhausted` methods. A copy.
   */
  get listenerFailures(): ListenerFailures[] {
    return this.runner.failures;
  }
}
