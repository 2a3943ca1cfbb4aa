import type { ArgumentMetadata, CanActivate, NestInterceptor, PipeTransform } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import type { ApplicationConfig, ContextId, ModuleRef } from '@nestjs/core';
import { ExternalContextCreator } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';

import type { KnownParameter } from '../arguments/argument-warnings';
import { ARGUMENT_KIND } from './argument-metadata';

type NestContainer = Parameters<typeof ExternalContextCreator.fromContainer>[0];
type Create = ExternalContextCreator['create'];
type ParamsFactory = NonNullable<Parameters<Create>[4]>;

/** What `getType()` says to guards, interceptors, filters and parameter decorators of job handlers. @internal */
export const CONTEXT_TYPE = 'lane';

/**
 * A method that handles jobs, as Nest has to know it.
 *
 * @internal
 */
export interface HandlerPlace {
  readonly target: object;
  readonly method: string | symbol;
  /** Key of the module of its class, in which the classes of its enhancers are found. */
  readonly moduleKey: string;
  /** Id of the provider of its class, for which transient enhancers are made. */
  readonly providerId: string;
  readonly params: ParamsFactory;
  /** Told once what parameters there are and which pipes act on all of them. */
  examine(pipes: readonly unknown[], parameters: readonly KnownParameter[]): void;
}

/**
 * What is around a handler, in the order in which it acts.
 *
 * @internal
 */
export interface HandlerEnhancers {
  readonly guards: readonly CanActivate[];
  readonly interceptors: readonly NestInterceptor[];
  /** The parameters that somebody else fills; without any, the handler is called with what there is. */
  readonly parameters: readonly HandlerParameter[];
  /** `undefined` where there are no filters. What it gives is what the filter gives that takes the error. */
  readonly filter: ((error: unknown, args: unknown[]) => unknown) | undefined;
}

/**
 * A parameter that somebody else fills.
 *
 * @internal
 */
export interface HandlerParameter {
  readonly index: number;
  readonly extractValue: (...args: unknown[]) => unknown;
  /** Those of the module, the class, the method and the parameter. */
  readonly pipes: readonly PipeTransform[];
  /** What the pipes are told of it. */
  readonly metadata: ArgumentMetadata;
}

/** A parameter as Nest has it. */
interface NestParameter {
  readonly index: number;
  readonly extractValue: HandlerParameter['extractValue'];
  readonly type: number | string;
  readonly data: unknown;
  readonly pipes: readonly PipeTransform[];
  readonly metatype?: unknown;
  readonly schema?: unknown;
}

/** The parts of an `ExternalContextCreator` that are made to fit or asked; they are the same in every major. */
interface Internals extends Pick<ExternalContextCreator, 'create'> {
  getContextModuleKey(): string;
  getHostModuleKey(): string;
  createGuardsFn(guards: readonly CanActivate[]): null;
  createPipesFn(pipes: readonly PipeTransform[], parameters: readonly NestParameter[]): null;
  readonly interceptorsContextCreator: { create(...args: unknown[]): readonly NestInterceptor[] };
  readonly filtersContextCreator: { create(...args: unknown[]): NestFilters };
  readonly pipesConsumer: {
    readonly paramsTokenFactory: { exchangeEnumForString(type: unknown): ArgumentMetadata['type'] };
  };
}

interface NestFilters {
  readonly filters: readonly unknown[];
  invokeCustomFilters(error: unknown, host: ExecutionContextHost): unknown;
}

/**
 * Finds what Nest has around a handler: by an `ExternalContextCreator` for one method, which knows of the enhancers of
 * the whole application none but those of the given configuration, and is stopped before it puts them together.
 *
 * It reads from the container of the application, by way of an object that differs from it in its configuration alone;
 * the container is a private field of `ModuleRef` in every major. The module of the handler it is told: Nest looks that up
 * by class, and finds none for a class under another token.
 *
 * @internal
 */
export class EnhancerFinder {
  readonly #creator: Internals;
  readonly #handler: (...args: unknown[]) => unknown;
  #guards: readonly CanActivate[] = [];
  #interceptors: readonly NestInterceptor[] = [];
  #parameters: readonly HandlerParameter[] = [];
  #filters!: NestFilters;
  #isExamined = false;

  constructor(
    moduleRef: ModuleRef,
    applicationConfig: ApplicationConfig,
    private readonly place: HandlerPlace,
  ) {
    const { target, method } = place;
    const { prototype } = target as { prototype: Record<string | symbol, unknown> };
    this.#handler = (prototype[method] ?? (() => undefined)) as (...args: unknown[]) => unknown;
    const { container } = moduleRef as unknown as { container: NestContainer };
    this.#creator = ExternalContextCreator.fromContainer(
      Object.create(container, { applicationConfig: { value: applicationConfig } }) as NestContainer,
    ) as unknown as Internals;
    this.#creator.getContextModuleKey = this.#creator.getHostModuleKey = () => place.moduleKey;
    this.#takeWhatIsFound();
  }

  /**
   * @param instance - whose method it is
   * @param contextId - for what the scoped enhancers are made
   */
  find(instance: object, contextId?: ContextId): HandlerEnhancers {
    const { method, providerId, params } = this.place;
    this.#guards = [];
    this.#parameters = [];
    this.#creator.create(
      instance,
      this.#handler,
      String(method),
      ROUTE_ARGS_METADATA,
      params,
      contextId,
      providerId,
      { guards: true, interceptors: true, filters: false },
      CONTEXT_TYPE,
    );
    const filters = this.#filters;
    return {
      guards: this.#guards,
      interceptors: this.#interceptors,
      parameters: this.#parameters,
      filter:
        filters.filters.length === 0
          ? undefined
          : (error, args) => filters.invokeCustomFilters(error, this.hostOf(args)),
    };
  }

  /** What an enhancer is called with, by what the handler is called with. */
  hostOf(args: unknown[]): ExecutionContextHost {
    const host = new ExecutionContextHost(args, this.place.target as never, this.#handler);
    host.setType(CONTEXT_TYPE);
    return host;
  }

  #takeWhatIsFound(): void {
    const creator = this.#creator;
    const { interceptorsContextCreator: interceptors, filtersContextCreator: filters } = creator;
    const findInterceptors = interceptors.create.bind(interceptors);
    interceptors.create = (...args) => (this.#interceptors = findInterceptors(...args));
    const findFilters = filters.create.bind(filters);
    filters.create = (...args) => (this.#filters = findFilters(...args));
    creator.createGuardsFn = (guards) => {
      this.#guards = guards;
      return null;
    };
    creator.createPipesFn = (pipes, parameters) => {
      if (!this.#isExamined) {
        this.#isExamined = true;
        this.place.examine(pipes, parameters);
      }
      this.#parameters = parameters.map((parameter) => this.#parameterOf(parameter, pipes));
      return null;
    };
  }

  /** No pipe acts on parameters that are the job itself, its context or its signal. */
  #parameterOf(parameter: NestParameter, pipes: readonly PipeTransform[]): HandlerParameter {
    const { index, extractValue, type: kind, data, metatype, schema } = parameter;
    const type = this.#creator.pipesConsumer.paramsTokenFactory.exchangeEnumForString(kind);
    return {
      index,
      extractValue,
      pipes: kind === ARGUMENT_KIND.run ? [] : [...pipes, ...parameter.pipes],
      metadata: { metatype, type, data, schema } as ArgumentMetadata,
    };
  }
}
