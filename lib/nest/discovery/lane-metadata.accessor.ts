import { Injectable } from '@nestjs/common';

import type { WorkerHost } from '../control/worker-host';
import { isWorkerHost } from '../control/worker-host';
import type { ExhaustedMetadata } from '../decorators/on-job-exhausted.decorator';
import { EXHAUSTED_METADATA } from '../decorators/on-job-exhausted.decorator';
import { QUEUE_EVENT_METADATA } from '../decorators/on-queue-event.decorator';
import { methodMetadataOf, type MethodMetadata } from '../decorators/method-metadata';
import type { ListenerMetadata } from '../decorators/on-worker-event.decorator';
import { LISTENERS_METADATA } from '../decorators/on-worker-event.decorator';
import type { HandlerMetadata } from '../decorators/process.decorator';
import { HANDLERS_METADATA } from '../decorators/process.decorator';
import type { ProcessorMetadata } from '../decorators/processor.decorator';
import { PROCESSOR_METADATA } from '../decorators/processor.decorator';
import type { QueueListenerMetadata } from '../decorators/queue-events-listener.decorator';
import { QUEUE_LISTENER_METADATA } from '../decorators/queue-events-listener.decorator';
import {
  enhancerClassesOf,
  enhancerClassesOfMethod,
  hasParameters,
  hasPipes,
} from '../nest-internals/enhancer-metadata';

/** A class, of whatever constructor. @internal */
export type ClassRef = (abstract new (...args: never[]) => object) & { readonly prototype: object };

/**
 * The only reader of what the decorators write.
 *
 * @internal
 */
@Injectable()
export class LaneMetadataAccessor {
  /** What `@Processor` says on the class, or on the nearest class it extends. */
  processorOf(target: ClassRef): ProcessorMetadata | undefined {
    return Reflect.getMetadata(PROCESSOR_METADATA, target) as ProcessorMetadata | undefined;
  }

  /** What `@Process` says on the methods of the class and of those it extends; `process` of a `WorkerHost` too. */
  handlersOf(target: ClassRef): HandlerMetadata[] {
    return [...inherited<HandlerMetadata>(HANDLERS_METADATA, target), ...hostHandlers(target)];
  }

  /** What `@OnWorkerEvent` says on the methods of the class and of those it extends. */
  listenersOf(target: ClassRef): ListenerMetadata[] {
    return inherited<ListenerMetadata>(LISTENERS_METADATA, target);
  }

  /** What `@OnJobExhausted` says on the methods of the class and of those it extends. */
  exhaustedOf(target: ClassRef): ExhaustedMetadata[] {
    return inherited<ExhaustedMetadata>(EXHAUSTED_METADATA, target);
  }

  /** What `@QueueEventsListener` says on the class, or on the nearest class it extends. */
  queueListenerOf(target: ClassRef): QueueListenerMetadata | undefined {
    return Reflect.getMetadata(QUEUE_LISTENER_METADATA, target) as QueueListenerMetadata | undefined;
  }

  /** What `@OnQueueEvent` says on the methods of the class and of those it extends. */
  queueEventsOf(target: ClassRef): ListenerMetadata[] {
    return inherited<ListenerMetadata>(QUEUE_EVENT_METADATA, target);
  }

  /** Methods that override a decorated one and bear no decorator themselves. */
  undecoratedOverrides(target: ClassRef): (string | symbol)[] {
    return inherited<HandlerMetadata>(HANDLERS_METADATA, target)
      .map(({ method }) => method)
      .filter((method) => !ownEntries(HANDLERS_METADATA, definerOf(target.prototype, method)).has(method));
  }

  /** Classes of enhancers on the class and its handlers. */
  enhancerClassesOf(target: ClassRef): { readonly name: string }[] {
    return [
      ...new Set([
        ...enhancerClassesOf(target),
        ...this.handlersOf(target).flatMap(({ method }) => enhancerClassesOfMethod(target, method)),
      ]),
    ];
  }

  /** Handlers with pipes of their own whose parameters nobody fills. */
  idlePipesOf(target: ClassRef): (string | symbol)[] {
    return this.handlersOf(target)
      .map(({ method }) => method)
      .filter((method) => hasPipes(target, method) && !hasParameters(target, method));
  }
}

function hostHandlers({ prototype }: ClassRef): HandlerMetadata[] {
  const isHost = isWorkerHost(prototype) && typeof (prototype as Partial<WorkerHost>).process === 'function';
  return isHost ? [{ method: 'process', name: undefined, options: undefined, isHost }] : [];
}

/** Entries of the prototypes from the class upwards; a decorated override replaces all that its method had. */
function inherited<Entry extends MethodMetadata>(key: string, target: ClassRef): Entry[] {
  const found: Entry[] = [];
  const seen = new Set<string | symbol>();
  for (const prototype of prototypesOf(target.prototype)) {
    const entries = methodMetadataOf<Entry>(key, prototype);
    found.push(...entries.filter(({ method }) => !seen.has(method)));
    entries.forEach(({ method }) => seen.add(method));
  }
  return found;
}

function ownEntries(key: string, prototype: object): Set<string | symbol> {
  return new Set(methodMetadataOf(key, prototype).map(({ method }) => method));
}

function definerOf(prototype: object, method: string | symbol): object {
  return prototypesOf(prototype).find((candidate) => Object.hasOwn(candidate, method)) ?? prototype;
}

function prototypesOf(prototype: object): object[] {
  const chain: object[] = [];
  for (
    let current: object | null = prototype;
    current !== null;
    current = Object.getPrototypeOf(current) as object | null
  ) {
    chain.push(current);
  }
  return chain;
}
