import type { InjectionToken, Type } from '@nestjs/common';
import type { ContextId } from '@nestjs/core';
import { ContextIdFactory, ModuleRef } from '@nestjs/core';

import { contextIdOf } from '../nest-internals/request-context';

/** A provider, as far as its scope goes. */
interface Provider {
  readonly token: InjectionToken;
  readonly host?: { readonly providers: Map<unknown, { readonly instance: unknown }> } | undefined;
  readonly isTransient: boolean;
  isDependencyTreeStatic(): boolean;
  isDependencyTreeDurable(): boolean;
}

/**
 * An object of a class, and the id for which it and all that belongs to it was made.
 *
 * @internal
 */
export interface MadeInstance {
  readonly instance: object;
  /** `undefined` where there is one for the application. */
  readonly contextId: ContextId | undefined;
}

/**
 * The objects of a class, by its scope: one for the application, or one for each request, which is the context of a job
 * or whatever else the class is called for. A transient class has one object for the application, which is made when it
 * is first asked for, since nobody has had it injected.
 *
 * @internal
 */
export class InstanceSource {
  readonly #provider: Provider;
  #ofApplication: Promise<MadeInstance> | undefined;

  /** @param shared - the object of a static class */
  constructor(
    provider: Provider,
    readonly shared: object | undefined,
  ) {
    this.#provider = provider;
  }

  /**
   * The object for a request. The same request object gives the same one, where all is well.
   *
   * @throws (it rejects with) what Nest or a constructor throws
   */
  async resolve(request: object): Promise<MadeInstance> {
    if (this.shared !== undefined) {
      return { instance: this.shared, contextId: undefined };
    }
    if (!this.#provider.isDependencyTreeStatic()) {
      const contextId = contextIdOf(this.#moduleRef, request, this.#provider.isDependencyTreeDurable());
      return this.#make(contextId);
    }
    this.#ofApplication ??= this.#make(ContextIdFactory.create());
    try {
      return await this.#ofApplication;
    } catch (error) {
      // The next one may fare better.
      this.#ofApplication = undefined;
      throw error;
    }
  }

  get #moduleRef(): ModuleRef {
    return this.#provider.host!.providers.get(ModuleRef)!.instance as ModuleRef;
  }

  async #make(contextId: ContextId): Promise<MadeInstance> {
    const token = this.#provider.token as Type<object>;
    return { instance: await this.#moduleRef.resolve(token, contextId, { strict: true }), contextId };
  }
}
