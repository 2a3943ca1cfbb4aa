import 'reflect-metadata';

import type { Scope } from '@nestjs/common';
import { Injectable } from '@nestjs/common';

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
 * The queue of a processor, and the scope of its class.
 *
 * @public
 */
export interface ProcessorReference extends QueueReference {
  /**
   * How many objects of the class there are: one for the application, or one for each job (`Scope.REQUEST`). What the
   * class depends on may be scoped too, and makes it so. A transient processor is one object. Default: what
   * `@Injectable` says.
   */
  scope?: Scope;
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
 * The worker starts when every bootstrap hook of the application has ended. Guards, interceptors, pipes and filters of
 * the class, of its handlers and of `enhancers` in `forRoot` hold for its jobs, in a context of type `lane`; those of
 * the whole application do not, unless `enhancers.inherit` says so.
 *
 * @param queue - name of the queue or its definition, or that with connection and scope; it has to be registered, in whatever
 * module
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
  queue: string | QueueDefinition | ProcessorReference,
  options?: ProcessorOptions,
): ClassDecorator {
  return (target) => {
    const scope: unknown = (queue as Partial<ProcessorReference> | null)?.scope;
    if (typeof scope === 'number') {
      Injectable({ scope })(target);
    }
    Reflect.defineMetadata(PROCESSOR_METADATA, { queue, options } satisfies ProcessorMetadata, target);
  };
}
