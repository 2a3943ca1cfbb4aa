import 'reflect-metadata';

import type { QueueDefinition } from '../../engine/definition/queue-definition';
import type { QueueReference } from './processor.decorator';

/** @internal */
export const QUEUE_LISTENER_METADATA = 'lane:queue-listener';

/**
 * What `@QueueEventsListener` writes.
 *
 * @internal
 */
export interface QueueListenerMetadata {
  readonly queue: unknown;
}

/**
 * Says that a class hears the events of a queue, wherever they happen, with its `@OnQueueEvent` methods. The class is a
 * provider, of any scope; a base class is not needed.
 *
 * It hears from when every bootstrap hook of the application has ended until the application closes, in every process
 * that has it, whether or not the process runs jobs too. All that hears the events of a queue in a process shares one
 * reader.
 *
 * @param queue - name of the queue or its definition, or that with connection; it has to be registered, in whatever module
 *
 * @example
 * ```ts
 * @QueueEventsListener('email')
 * export class EmailEvents {
 *   @OnQueueEvent('failed')
 *   onFailed({ jobId, failedReason }: QueueEventOf<unknown, 'failed'>) {
 *     this.logger.warn(`job ${jobId} has failed: ${failedReason}`);
 *   }
 * }
 * ```
 *
 * @public
 */
export function QueueEventsListener(queue: string | QueueDefinition | QueueReference): ClassDecorator {
  return (target) => {
    Reflect.defineMetadata(QUEUE_LISTENER_METADATA, { queue } satisfies QueueListenerMetadata, target);
  };
}
