import 'reflect-metadata';

import type { QueueDefinition } from '../../engine/definition/queue-definition';
import type { ProcessorOptions } from '../options/queue-defaults';

/** @internal */
export const PROCESSOR_METADATA = 'lane:processor';

/**
 * A queue that is on a connection with a name.
 *
 * @public
 */
export interface QueueReference {
  /** The queue's name, or its definition. */
  queue: string | QueueDefinition;
  /** Name that was given to the `forRoot` of its connection. Default: the connection without a name. */
  connection?: string;
}

/**
 * What `@Processor` writes.
 *
 * @internal
 */
export interface ProcessorMetadata {
  readonly queue: unknown;
  readonly options: unknown;
}

/**
 * Says that a class handles the jobs of a queue, with its `@Process` methods. The class is a provider.
 *
 * A queue has one worker in a process, whatever the number of classes that handle its jobs: `concurrency` is what
 * they have together. Options that several of them give must not differ.
 *
 * The worker starts when every bootstrap hook of the application has ended. Handlers run in Nest's external context,
 * of type `lane`, with nothing added: guards, interceptors, pipes and filters are not applied to them, neither those
 * of the application nor the class's own, and a class or handler that has some stops the start with
 * `LANE_ENHANCER`.
 *
 * @param queue - name of the queue or its definition, or that and the connection; it has to be registered, in whatever module
 * @param options - of its worker; default: those of the queue and its connection
 *
 * @example
 * ```ts
 * @Processor('email', { concurrency: 20 })
 * export class EmailProcessor {
 *   constructor(private readonly mailer: Mailer) {}
 *
 *   @Process('send')
 *   send(job: Job<Letter>) {
 *     return this.mailer.send(job.data);
 *   }
 * }
 * ```
 *
 * @public
 */
export function Processor(
  queue: string | QueueDefinition | QueueReference,
  options?: ProcessorOptions,
): ClassDecorator {
  return (target) => {
    Reflect.defineMetadata(PROCESSOR_METADATA, { queue, options } satisfies ProcessorMetadata, target);
  };
}
