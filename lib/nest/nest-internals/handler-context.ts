import type { ArgumentsHost } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import type { ApplicationConfig, ContextId, ModuleRef } from '@nestjs/core';
import { ExternalContextCreator } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';

import type { KnownParameter } from '../arguments/argument-warnings';
import { lastValueOf } from '../handlers/last-value';
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
  /** The error when a guard says no. */
  refused(args: unknown[]): Error;
  /** What a pipe has thrown. */
  pipeThrew(thrown: unknown): unknown;
}

/**
 * A handler with all that is around it.
 *
 * @internal
 */
export interface HandlerPipeline {
  /** Guards, interceptors, pipes, handler. */
  readonly run: (...args: unknown[]) => Promise<unknown>;
  /** Whether the handler has parameters that somebody else fills, maybe by way of pipes. */
  readonly hasParams: boolean;
  /** `undefined` where there are no filters. What it gives is what the filter gives that takes the error. */
  readonly filter: ((error: unknown, args: unknown[]) => unknown) | undefined;
}

/** The parts of an `ExternalContextCreator` that are made to fit; they are the same in every major. */
interface Internals extends Pick<ExternalContextCreator, 'create' | 'createPipesFn' | 'getParamValue'> {
  getContextModuleKey(): string;
  getHostModuleKey(): string;
  transformToResult(result: unknown): Promise<unknown>;
  readonly guardsConsumer: Consumer & { tryActivate(...args: unknown[]): Promise<boolean> };
  readonly interceptorsConsumer: Consumer;
  readonly filtersContextCreator: {
    create(...args: unknown[]): {
      readonly filters: readonly unknown[];
      invokeCustomFilters(error: unknown, host: ArgumentsHost): unknown;
    };
  };
}

interface Consumer {
  createContext(args: unknown[]): ExecutionContextHost;
}

/**
 * Puts what Nest has around a handler: an `ExternalContextCreator` for one method, which knows of the enhancers of the
 * whole application none but those of the given configuration.
 *
 * It reads from the container of the application, by way of an object that differs from it in its configuration alone;
 * the container is a private field of `ModuleRef` in every major. What it does otherwise by itself:
 *
 * - it knows the module of the handler, which Nest looks up by class, and finds none for a class under another token
 * - `getHandler()` is the method, though what is called is a function around it
 * - a guard that says no, and a pipe that throws, are told apart from other errors
 * - interceptors may end without a value
 * - no pipe acts on parameters that are the job itself, its context or its signal
 *
 * @internal
 */
export class HandlerContext {
  readonly #creator: Internals;
  #hasParams = false;
  #isExamined = false;

  constructor(
    moduleRef: ModuleRef,
    applicationConfig: ApplicationConfig,
    private readonly place: HandlerPlace,
  ) {
    const { container } = moduleRef as unknown as { container: NestContainer };
    this.#creator = ExternalContextCreator.fromContainer(
      Object.create(container, { applicationConfig: { value: applicationConfig } }) as NestContainer,
    ) as unknown as Internals;
    this.#knowModule();
    this.#knowHandler();
    this.#tellRefusals();
    this.#tellErrorsOfPipes();
    this.#creator.transformToResult = async (result) => lastValueOf(result);
  }

  /**
   * @param instance - whose method it is
   * @param call - calls the method; it is given the arguments that Nest was called with besides
   * @param contextId - for what the scoped enhancers were made
   */
  create(
    instance: object,
    call: (args: unknown[], given: unknown[]) => unknown,
    contextId?: ContextId,
  ): HandlerPipeline {
    const { method, moduleKey, providerId, params } = this.place;
    // With parameters that are filled, what Nest was called with comes last.
    const callback = (...args: unknown[]): unknown =>
      this.#hasParams ? call(args, args.pop() as unknown[]) : call(args, args);
    this.#copyMetadataTo(callback);
    this.#hasParams = false;
    const run = this.#creator.create(
      instance,
      callback,
      String(method),
      ROUTE_ARGS_METADATA,
      params,
      contextId,
      providerId,
      { guards: true, interceptors: true, filters: false },
      CONTEXT_TYPE,
    ) as HandlerPipeline['run'];
    const handler = this.#creator.filtersContextCreator.create(
      instance,
      callback,
      moduleKey,
      contextId,
      providerId,
    );
    return {
      run,
      hasParams: this.#hasParams,
      filter:
        handler.filters.length === 0
          ? undefined
          : (error, args) => handler.invokeCustomFilters(error, this.#contextOf(args)),
    };
  }

  get #handler(): (...args: unknown[]) => unknown {
    const { target, method } = this.place;
    return ((target as { prototype: Record<string | symbol, unknown> }).prototype[method] ??
      (() => undefined)) as (...args: unknown[]) => unknown;
  }

  #contextOf(args: unknown[]): ExecutionContextHost {
    const context = new ExecutionContextHost(args, this.place.target as never, this.#handler);
    context.setType(CONTEXT_TYPE);
    return context;
  }

  #copyMetadataTo(callback: object): void {
    const handler = this.#handler;
    for (const key of Reflect.getMetadataKeys(handler) as unknown[]) {
      Reflect.defineMetadata(key, Reflect.getMetadata(key, handler), callback);
    }
  }

  #knowModule(): void {
    this.#creator.getContextModuleKey = this.#creator.getHostModuleKey = () => this.place.moduleKey;
  }

  #knowHandler(): void {
    const { guardsConsumer, interceptorsConsumer } = this.#creator;
    guardsConsumer.createContext = interceptorsConsumer.createContext = (args) => this.#contextOf(args);
  }

  #tellRefusals(): void {
    const { guardsConsumer } = this.#creator;
    const tryActivate = guardsConsumer.tryActivate.bind(guardsConsumer);
    guardsConsumer.tryActivate = async (...args) => {
      if (await tryActivate(...args)) {
        return true;
      }
      throw this.place.refused(args[1] as unknown[]);
    };
  }

  #tellErrorsOfPipes(): void {
    const creator = this.#creator;
    const getParamValue = creator.getParamValue.bind(creator);
    creator.getParamValue = async (value: unknown, parameter, pipes) => {
      if ((parameter.type as unknown) === ARGUMENT_KIND.run) {
        return value as never;
      }
      try {
        return (await getParamValue(value, parameter, pipes)) as never;
      } catch (thrown) {
        throw this.place.pipeThrew(thrown);
      }
    };
    const createPipesFn = creator.createPipesFn.bind(creator);
    creator.createPipesFn = (...args) => {
      if (!this.#isExamined) {
        this.#isExamined = true;
        this.place.examine(...args);
      }
      // `null` where no parameter is decorated, whatever its type says.
      const fill = createPipesFn(...args);
      this.#hasParams = fill !== null;
      return (fill &&
        (async (values: unknown[], ...given: unknown[]) => {
          await fill(values, ...given);
          values.push(given);
        }))!;
    };
  }
}
