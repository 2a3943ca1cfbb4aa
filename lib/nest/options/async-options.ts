import type {
  InjectionToken,
  ModuleMetadata,
  OptionalFactoryDependency,
  Provider,
  Type,
} from '@nestjs/common';

import type { ConfigProblem } from '../errors/config-problem';
import { noOptionsMethod, notOneWay } from '../messages/option.messages';

/**
 * How options come about that are known only while the application starts: by exactly one of `useFactory`,
 * `useClass` and `useExisting`.
 *
 * @typeParam Options - what is made
 * @typeParam OptionsFactory - a class that makes it
 *
 * @public
 */
export interface AsyncOptions<Options, OptionsFactory> {
  /** Modules whose exported providers the factory needs. */
  imports?: ModuleMetadata['imports'];
  /** Providers that the factory needs and no module exports. */
  extraProviders?: Provider[];
  /** Makes the options; may be asynchronous. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the arguments are those of `inject`
  useFactory?: (...args: any[]) => Options | Promise<Options>;
  /** What `useFactory` is called with. */
  inject?: (InjectionToken | OptionalFactoryDependency)[];
  /** A class of which Nest makes an instance, which makes the options. */
  useClass?: Type<OptionsFactory>;
  /** A provider that is there already and makes the options. */
  useExisting?: InjectionToken<OptionsFactory>;
}

/** @internal */
export const ASYNC_OPTION_NAMES: readonly (keyof AsyncOptions<unknown, unknown>)[] = [
  'imports',
  'extraProviders',
  'useFactory',
  'inject',
  'useClass',
  'useExisting',
];

/**
 * Providers for options that come about asynchronously.
 *
 * @param token - what the result is provided under
 * @param options - how they come about
 * @param method - the method of an options class
 * @param build - makes the provided value of the options, or of none and the reason why they cannot come about
 *
 * @internal
 */
export function asyncProviders<Options, OptionsFactory, Built>(
  token: string,
  options: AsyncOptions<Options, OptionsFactory>,
  method: keyof OptionsFactory & string,
  build: (made: unknown, problem?: ConfigProblem) => Built,
): Provider[] {
  const { useFactory, inject = [], useClass, useExisting, extraProviders = [] } = options;
  const ways = [useFactory, useClass, useExisting].filter((way) => way !== undefined).length;
  if (ways !== 1) {
    return [{ provide: token, useFactory: () => build({}, notOneWay(ways)) }];
  }
  if (useFactory !== undefined) {
    const made = {
      provide: token,
      useFactory: async (...args: never[]) => build(await useFactory(...args)),
      inject,
    };
    return [...extraProviders, made];
  }
  const made = {
    provide: token,
    useFactory: async (maker: Record<string, unknown>) => {
      const make = maker[method];
      return typeof make === 'function'
        ? build(await (make as () => unknown).call(maker))
        : build({}, noOptionsMethod(maker.constructor.name, method));
    },
    inject: [(useClass ?? useExisting)!],
  };
  return [...extraProviders, ...(useClass === undefined ? [] : [{ provide: useClass, useClass }]), made];
}
