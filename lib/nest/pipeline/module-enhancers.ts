import type { CanActivate, ExceptionFilter, NestInterceptor, PipeTransform, Type } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import { ApplicationConfig, ModuleRef, ModulesContainer } from '@nestjs/core';

import { systemClock } from '../../contract/clock';
import { asError } from '../../engine/runtime/safe-emitter';
import { endsWithin } from '../../engine/runtime/wait';
import type { FoundRegistrations, Placed } from '../discovery/registration.explorer';
import type { ConfigProblem } from '../errors/config-problem';
import {
  enhancerNotMade,
  enhancerNotStatic,
  inheritedNotStatic,
  notAnEnhancer,
} from '../messages/enhancer.messages';
import type { EnhancerKind } from '../options/enhancer-options';
import { ENHANCER_KINDS, ENHANCER_METHODS } from '../options/enhancer-options';
import { hasMethod } from '../registration/checked-enhancers';
import type { ConnectionRegistration } from '../registration/connection-registration';

type Module = ReturnType<ModulesContainer['getById']> & object;
type Provider = Module['providers'] extends Map<unknown, infer Wrapper> ? Wrapper : never;

/** Nest 10 and 11 never end to make an object that needs one of a request. */
const PATIENCE = 2_000;

/**
 * The module-wide enhancers of each connection, as a configuration of Nest's: what is in it comes before the enhancers of
 * classes and methods, and filters after.
 *
 * @internal
 */
@Injectable()
export class ModuleEnhancers {
  readonly #made = new Map<string, Record<EnhancerKind, object[]>>();
  readonly #inherit = new Map<string, Record<EnhancerKind, boolean>>();

  constructor(
    @Inject(ModulesContainer) private readonly modules: ModulesContainer,
    @Inject(ApplicationConfig) private readonly application: ApplicationConfig,
  ) {}

  /**
   * Makes the enhancers that are given as classes. To be done once, before handlers are made.
   *
   * @returns what cannot be made
   */
  async prepare(connections: FoundRegistrations['connections']): Promise<ConfigProblem[]> {
    const problems: ConfigProblem[] = [];
    for (const placed of connections) {
      const { name, enhancers } = placed.registration;
      if (!this.#made.has(name)) {
        this.#inherit.set(name, enhancers.inherit);
        this.#made.set(name, await this.#make(placed, problems));
        problems.push(...this.#scopedOf(placed.registration));
      }
    }
    return problems;
  }

  /** The configuration of a connection. What the application has is looked up now. */
  of(connection: string): ApplicationConfig {
    const made = this.#made.get(connection);
    const config = new ApplicationConfig();
    if (made === undefined) {
      return config;
    }
    const { guards, pipes, interceptors, filters } = this.#inherit.get(connection)!;
    const application = this.application;
    if (guards) {
      config.useGlobalGuards(...application.getGlobalGuards());
    }
    if (pipes) {
      config.useGlobalPipes(...application.getGlobalPipes());
    }
    if (interceptors) {
      config.useGlobalInterceptors(...application.getGlobalInterceptors());
    }
    if (filters) {
      config.useGlobalFilters(...application.getGlobalFilters());
    }
    config.useGlobalGuards(...(made.guards as CanActivate[]));
    config.useGlobalPipes(...(made.pipes as PipeTransform[]));
    config.useGlobalInterceptors(...(made.interceptors as NestInterceptor[]));
    config.useGlobalFilters(...(made.filters as ExceptionFilter[]));
    return config;
  }

  /** What is inherited and of which Nest makes an object for each request: for jobs nobody makes one. */
  #scopedOf({ enhancers: { inherit }, call }: ConnectionRegistration): ConfigProblem[] {
    const application = this.application;
    const ofApplication: Record<EnhancerKind, readonly Pick<Provider, 'metatype' | 'inject'>[]> = {
      guards: application.getGlobalRequestGuards(),
      pipes: application.getGlobalRequestPipes(),
      interceptors: application.getGlobalRequestInterceptors(),
      filters: application.getGlobalRequestFilters(),
    };
    return ENHANCER_KINDS.filter((kind) => inherit[kind]).flatMap((kind) =>
      ofApplication[kind].map(({ metatype, inject }) => ({
        // That of a factory is the factory.
        ...inheritedNotStatic(kind, inject ? undefined : metatype?.name),
        where: [`enhancers.inherit of ${call}`],
      })),
    );
  }

  async #make(
    { registration, hosts }: Placed<ConnectionRegistration>,
    problems: ConfigProblem[],
  ): Promise<Record<EnhancerKind, object[]>> {
    const made: Record<EnhancerKind, object[]> = { guards: [], pipes: [], interceptors: [], filters: [] };
    for (const kind of ENHANCER_KINDS) {
      for (const enhancer of registration.enhancers.given[kind]) {
        const { instance, problem } =
          typeof enhancer === 'function'
            ? await this.#instanceOf(enhancer as Type<object>, hosts as Module[])
            : { instance: enhancer };
        const method = ENHANCER_METHODS[kind];
        if (problem === undefined && hasMethod(instance, method)) {
          made[kind].push(instance);
        } else {
          const found = problem ?? notAnEnhancer(kind, enhancer, method);
          problems.push({ ...found, where: [`enhancers.${kind} of ${registration.call}`] });
        }
      }
    }
    return made;
  }

  /** An object of the class, or why there is none. */
  async #instanceOf(
    type: Type<object>,
    hosts: readonly Module[],
  ): Promise<{ instance?: unknown; problem?: ConfigProblem }> {
    const provider = this.#providerOf(type, hosts);
    if (provider !== undefined && !provider.isDependencyTreeStatic()) {
      return { problem: enhancerNotStatic(type.name) };
    }
    try {
      if (provider === undefined) {
        const [host = [...this.modules.values()][0]!] = hosts;
        const making = moduleRefOf(host).create(type);
        return (await endsWithin(systemClock, making, PATIENCE))
          ? { instance: await making }
          : { problem: enhancerNotStatic(type.name) };
      }
      const instance: unknown = provider.isTransient
        ? await moduleRefOf(provider.host!).resolve(type, undefined, { strict: true })
        : provider.instance;
      return { instance };
    } catch (error) {
      return { problem: enhancerNotMade(type.name, asError(error)) };
    }
  }

  #providerOf(type: unknown, hosts: readonly Module[]): Provider | undefined {
    const all = [...hosts, ...this.modules.values()];
    return all
      .map(({ providers }) => providers.get(type as never))
      .find((provider) => provider !== undefined);
  }
}

function moduleRefOf(host: Module): ModuleRef {
  return host.providers.get(ModuleRef)!.instance as ModuleRef;
}
