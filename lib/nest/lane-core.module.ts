import type { FactoryProvider, InjectionToken, Type } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { DiscoveryModule, ModulesContainer } from '@nestjs/core';

import { LaneMetadataAccessor } from './discovery/lane-metadata.accessor';
import { ProcessorExplorer } from './discovery/processor.explorer';
import { RegistrationExplorer } from './discovery/registration.explorer';
import { LANE_SURROUNDINGS } from './lane.tokens';
import { LaneResources } from './lifecycle/lane-resources';
import { LaneSurroundings } from './lifecycle/lane-surroundings';
import { WorkerOrchestrator } from './lifecycle/worker.orchestrator';
import { HandlerFactory } from './pipeline/handler-factory';
import { WorkerPlanner } from './planning/worker.planner';

/**
 * A provider of which there is one object in an application, come what may: Nest 10 makes the providers of a module
 * anew when a module that is loaded later imports it too.
 */
function oncePerApplication<T extends object>(
  target: Type<T>,
  dependencies: InjectionToken[] = [],
): FactoryProvider<T> {
  const made = new WeakMap<ModulesContainer, T>();
  return {
    provide: target,
    useFactory: (modules: ModulesContainer, ...args: unknown[]) => {
      const instance = made.get(modules) ?? new target(...args);
      made.set(modules, instance);
      return instance;
    },
    inject: [ModulesContainer, ...dependencies],
  };
}

/**
 * What exists once in an application. It is a static module, so that it is one node of the module graph in every
 * major of Nest, while the dynamic modules that import it may be many.
 *
 * @internal
 */
@Module({
  imports: [DiscoveryModule],
  providers: [
    {
      provide: LaneSurroundings,
      useFactory: (others?: LaneSurroundings) => others ?? new LaneSurroundings(),
      inject: [{ token: LANE_SURROUNDINGS, optional: true }],
    },
    oncePerApplication(LaneResources, [LaneSurroundings]),
    LaneMetadataAccessor,
    ProcessorExplorer,
    RegistrationExplorer,
    WorkerPlanner,
    HandlerFactory,
    oncePerApplication(WorkerOrchestrator, [ModulesContainer, LaneResources, WorkerPlanner, HandlerFactory]),
  ],
  exports: [LaneResources],
})
export class LaneCoreModule {}
