import type { EventGap, QueueEvent } from '../../model/queue-event';
import { QUEUE_EVENT_NAMES } from '../../model/queue-event';
import type { ListenerMetadata } from './on-worker-event.decorator';
import { addMethodMetadata } from './method-metadata';

/** @internal */
export const QUEUE_EVENT_METADATA = 'lane:queue-event';

/**
 * Type of an event of a queue: one of `QueueEventName`, `custom` for those that applications write, or `gap`.
 *
 * @public
 */
export type QueueEventType = (QueueEvent | EventGap)['type'];

/** @internal */
export const QUEUE_EVENT_TYPES: readonly string[] = [
  ...QUEUE_EVENT_NAMES,
  'custom',
  'gap',
] satisfies QueueEventType[];

/**
 * Calls a method of a `@QueueEventsListener` class at each event of that type, with the event (see `QueueEventOf`) and its
 * id.
 *
 * Nobody waits for it, so a slow one may be called again before it has ended. Whatever it throws or rejects with is
 * written to Nest's log and counted (see `LaneEvents`), and does no harm.
 *
 * @param type - such as `completed`, `failed` or `progress`; `custom` for events of the application's own, `gap` for where
 * events are missing
 *
 * @example
 * ```ts
 * @OnQueueEvent('completed')
 * onCompleted({ jobId, returnvalue }: QueueEventOf<typeof Email, 'completed'>) {}
 * ```
 *
 * @public
 */
export function OnQueueEvent(type: QueueEventType): MethodDecorator {
  return (target, method) => {
    addMethodMetadata<ListenerMetadata>(QUEUE_EVENT_METADATA, target, { method, event: type });
  };
}
