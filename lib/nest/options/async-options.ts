import type {
  FactoryProvider,
  InjectionToken,
  ModuleMetadata,
  OptionalFactoryDependency,
  Provider,
  Type,
} from '@nestjs/common';

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
 * @param build - makes the provided value of the options
 *
 * @internal
 */
export function asyncProviders<Options, OptionsFactory, Built>(
  token: string,
  options: AsyncOptions<Options, OptionsFactory>,
  method: keyof OptionsFactory,
  build: (options: unknown) => Built,
): Provider[] {
  const { useFactory, inject = [], useClass, useExisting, extraProviders = [] } = options;
  const factory = useClass ?? useExisting;
  const made: FactoryProvider<Built> =
    factory === undefined
      ? {
          provide: token,
          useFactory: async (...args: unknown[]) => build(await useFactory?.(...args)),
          inject,
        }
      : {
          provide: token,
          useFactory: async (maker: OptionsFactory) =>
            build(await (maker[method] as () => Options | Promise<Options>).call(maker)),
          inject: [factory],
        };
  return [...extraProviders, ...(useClass === undefined ? [] : [{ provide: useClass, useClass }]), made];
}

/**
 * How many of the ways to make options are given; one is right.
 *
 * @internal
 */
export function countWays({ useFactory, useClass, useExisting }: AsyncOptions<unknown, unknown>): number {
  return [useFactory, useClass, useExisting].filter((way) => way !== undefined).length;
}
