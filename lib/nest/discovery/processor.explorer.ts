import type { InjectionToken } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';

import type { ExhaustedMetadata } from '../decorators/on-job-exhausted.decorator';
import type { ListenerMetadata } from '../decorators/on-worker-event.decorator';
import type { HandlerMetadata } from '../decorators/process.decorator';
import type { ProcessorMetadata } from '../decorators/processor.decorator';
import type { QueueListenerMetadata } from '../decorators/queue-events-listener.decorator';
import type { ClassRef } from './lane-metadata.accessor';
import { InstanceSource } from '../scopes/instance-source';
import { LaneMetadataAccessor } from './lane-metadata.accessor';

type InstanceWrapper = ReturnType<DiscoveryService['getProviders']>[number];

/**
 * A class with decorators of ours that the application knows, as plain data.
 *
 * @internal
 */
export interface FoundProcessor {
  readonly target: ClassRef;
  readonly className: string;
  readonly moduleName: string;
  /** Tells the provider apart from all others of its module. */
  readonly token: InjectionToken;
  /** The node of the module graph that it belongs to. */
  readonly host: object | undefined;
  /** Key of that node; empty where there is none. */
  readonly moduleKey: string;
  /** Id of the provider, by which Nest tells for whom transient enhancers are made. */
  readonly providerId: string;
  /** The object of a static class; `undefined` where what provides it has made none. */
  readonly instance: object | undefined;
  /** The objects whose methods are called. */
  readonly instances: InstanceSource;
  readonly listedIn: 'providers' | 'controllers';
  readonly scope: 'static' | 'request' | 'transient';
  /** `undefined` without `@Processor`. */
  readonly processor: ProcessorMetadata | undefined;
  readonly handlers: readonly HandlerMetadata[];
  readonly listeners: readonly ListenerMetadata[];
  readonly exhausted: readonly ExhaustedMetadata[];
  /** `undefined` without `@QueueEventsListener`. */
  readonly queueListener: QueueListenerMetadata | undefined;
  readonly queueEvents: readonly ListenerMetadata[];
  readonly undecoratedOverrides: readonly (string | symbol)[];
  /** Classes of enhancers of the class and its handlers of which Nest has no object, which it would pass over. */
  readonly lostEnhancers: readonly string[];
  /** Handlers with pipes of their own and no decorated parameter that they could act on. */
  readonly idlePipes: readonly (string | symbol)[];
}

/**
 * Finds decorated classes among the providers and controllers of the application, however they are provided: by
 * class, factory, value or alias, in one module or several. One object is found once.
 *
 * @internal
 */
@Injectable()
export class ProcessorExplorer {
  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(LaneMetadataAccessor) private readonly metadata: LaneMetadataAccessor,
  ) {}

  explore(): FoundProcessor[] {
    const seen = new Set<object>();
    return [
      ...this.#exploreAll(this.discovery.getProviders(), 'providers', seen),
      ...this.#exploreAll(this.discovery.getControllers(), 'controllers', seen),
    ];
  }

  #exploreAll(
    wrappers: readonly InstanceWrapper[],
    listedIn: FoundProcessor['listedIn'],
    seen: Set<object>,
  ): FoundProcessor[] {
    return wrappers.flatMap((wrapper) => {
      // An alias stands for another provider, which is found by itself.
      const found = wrapper.isAlias ? undefined : this.#inspect(wrapper, listedIn);
      const identity = found?.instance ?? wrapper;
      if (found === undefined || seen.has(identity)) {
        return [];
      }
      seen.add(identity);
      return [found];
    });
  }

  #inspect(wrapper: InstanceWrapper, listedIn: FoundProcessor['listedIn']): FoundProcessor | undefined {
    const scope = scopeOf(wrapper);
    const instance = scope === 'static' ? instanceOf(wrapper) : undefined;
    const target = instance === undefined ? declaredClassOf(wrapper) : classOf(instance);
    if (target === undefined) {
      return undefined;
    }
    const processor = this.metadata.processorOf(target);
    const handlers = this.metadata.handlersOf(target);
    const listeners = this.metadata.listenersOf(target);
    const exhausted = this.metadata.exhaustedOf(target);
    const queueListener = this.metadata.queueListenerOf(target);
    const queueEvents = this.metadata.queueEventsOf(target);
    const methods = [handlers, listeners, exhausted, queueEvents].flat();
    if (processor === undefined && queueListener === undefined && methods.length === 0) {
      return undefined;
    }
    return {
      target,
      className: target.name,
      moduleName: wrapper.host?.name ?? '',
      token: wrapper.token,
      host: wrapper.host,
      moduleKey: wrapper.host?.token ?? '',
      providerId: wrapper.id,
      instance,
      instances: new InstanceSource(wrapper, instance),
      listedIn,
      scope,
      processor,
      handlers,
      listeners,
      exhausted,
      queueListener,
      queueEvents,
      undecoratedOverrides: this.metadata.undecoratedOverrides(target),
      lostEnhancers: this.metadata
        .enhancerClassesOf(target)
        .filter((enhancer) => wrapper.host?.injectables.has(enhancer as InjectionToken) !== true)
        .map(({ name }) => name),
      idlePipes: this.metadata.idlePipesOf(target),
    };
  }
}

function scopeOf(wrapper: InstanceWrapper): FoundProcessor['scope'] {
  if (!wrapper.isDependencyTreeStatic()) {
    return 'request';
  }
  return wrapper.isTransient ? 'transient' : 'static';
}

function instanceOf(wrapper: InstanceWrapper): object | undefined {
  const instance: unknown = wrapper.instance;
  return typeof instance === 'object' && instance !== null ? instance : undefined;
}

/** The class of an object that has one; an object without a prototype has none. */
function classOf(instance: object): ClassRef | undefined {
  const prototype = Object.getPrototypeOf(instance) as { constructor?: unknown } | null;
  return asClass(prototype?.constructor);
}

/** What is known of a provider's class when there is no instance: its own class, or its token. */
function declaredClassOf({ metatype, token, isFactory }: InstanceWrapper): ClassRef | undefined {
  return asClass(isFactory ? token : metatype);
}

function asClass(candidate: unknown): ClassRef | undefined {
  if (typeof candidate !== 'function') {
    return undefined;
  }
  const prototype: unknown = candidate.prototype;
  return typeof prototype === 'object' && prototype !== null ? (candidate as unknown as ClassRef) : undefined;
}
