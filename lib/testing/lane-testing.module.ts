import type { DynamicModule, ForwardReference, Type } from '@nestjs/common';
import { Module } from '@nestjs/common';

import { LaneCoreModule } from '../nest/lane-core.module';
import { LANE_SURROUNDINGS } from '../nest/lane.tokens';
import { LaneHarness } from './lane-harness';
import { type LaneTestingOptions, resolveTestingOptions } from './lane-testing-options';
import { TestSurroundings } from './test-surroundings';

/**
 * Replaces every connection of an application by a store in memory, for modules that are put together by hand. Where
 * `Test.createTestingModule` is at hand, `useLaneTesting` does the same.
 *
 * @example
 * ```ts
 * const app = await NestFactory.createApplicationContext({
 *   module: AppModule,
 *   imports: [LaneTestingModule.register()],
 * });
 * ```
 *
 * @public
 */
@Module({})
export class LaneTestingModule {
  /**
   * To be imported once, in whatever module.
   *
   * @throws UnknownOptionError or LaneTestingError for bad options
   */
  static register(options: LaneTestingOptions = {}): DynamicModule {
    const { mode, now } = resolveTestingOptions(options);
    return {
      module: LaneTestingModule,
      global: true,
      providers: [
        { provide: LANE_SURROUNDINGS, useFactory: () => new TestSurroundings(mode, now) },
        {
          provide: LaneHarness,
          useFactory: (surroundings: TestSurroundings) => new LaneHarness(surroundings),
          inject: [LANE_SURROUNDINGS],
        },
      ],
      exports: [LANE_SURROUNDINGS, LaneHarness],
    };
  }
}

type ModuleDefinition = ForwardReference | Type<unknown> | DynamicModule | Promise<DynamicModule>;

/**
 * What `useLaneTesting` needs of a `TestingModuleBuilder`.
 *
 * @public
 */
export interface LaneTestingBuilder {
  overrideModule(module: ModuleDefinition): { useModule(replacement: ModuleDefinition): unknown };
  compile(...args: never[]): Promise<unknown>;
}

/**
 * Replaces every connection of a module under test by a store in memory, whatever `forRoot` says: no driver is loaded and
 * no socket opened. Get the `LaneHarness` from what `compile()` gives.
 *
 * @param builder - what `Test.createTestingModule()` gives
 * @returns the builder
 * @throws UnknownOptionError or LaneTestingError for bad options
 *
 * @example
 * ```ts
 * const moduleRef = await useLaneTesting(Test.createTestingModule({ imports: [AppModule] })).compile();
 * const lane = moduleRef.get(LaneHarness);
 * ```
 *
 * @public
 */
export function useLaneTesting<Builder extends LaneTestingBuilder>(
  builder: Builder,
  options?: LaneTestingOptions,
): Builder {
  builder
    .overrideModule(LaneCoreModule)
    .useModule({ module: LaneCoreModule, imports: [LaneTestingModule.register(options)] });
  const compile = builder.compile.bind(builder);
  builder.compile = async (...args) => {
    const compiled = (await compile(...args)) as Compiled;
    compiled.get(LaneHarness).startsBy(compiled);
    return compiled;
  };
  return builder;
}

interface Compiled {
  get(token: typeof LaneHarness): LaneHarness;
  init(): Promise<unknown>;
}
