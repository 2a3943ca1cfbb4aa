import type { FactoryProvider, InjectionToken, Type } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { DiscoveryModule, ModulesContainer } from '@nestjs/core';

import { LaneLifecycle } from './control/lane.lifecycle';
import { LaneRegistry } from './control/lane.registry';
import { LaneRunner } from './control/lane.runner';
import { LaneMetadataAccessor } from './discovery/lane-metadata.accessor';
import { ProcessorExplorer } from './discovery/processor.explorer';
import { RegistrationExplorer } from './discovery/registration.explorer';
import { HealthReporter } from './health/health-reporter';
import { LANE_SURROUNDINGS } from './lane.tokens';
import { LaneResources } from './lifecycle/lane-resources';
import { LaneStates } from './lifecycle/lane-states';
import { LaneSurroundings } from './lifecycle/lane-surroundings';
import { LateModules } from './lifecycle/late-modules';
import { OwnStart } from './lifecycle/own-start';
import { QueueCeilings } from './lifecycle/queue-ceilings';
import { WorkerPool } from './lifecycle/worker-pool';
import { LaneEvents } from './listeners/lane.events';
import { ListenerRunner } from './listeners/listener.runner';
import { QueueListeners } from './listeners/queue-listeners';
import { WorkerOrchestrator } from './lifecycle/worker.orchestrator';
import { HandlerFactory } from './pipeline/handler-factory';
import { ModuleEnhancers } from './pipeline/module-enhancers';
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
    ModuleEnhancers,
    HandlerFactory,
    oncePerApplication(LaneStates),
    oncePerApplication(WorkerPool, [HandlerFactory, ListenerRunner, LaneResources, LaneStates]),
    oncePerApplication(OwnStart, [WorkerPool, LaneResources, LaneStates]),
    oncePerApplication(ListenerRunner),
    oncePerApplication(QueueListeners, [ListenerRunner]),
    oncePerApplication(LaneEvents, [LaneResources, ListenerRunner]),
    oncePerApplication(LateModules, [
      ModulesContainer,
      LaneResources,
      WorkerPlanner,
      WorkerPool,
      OwnStart,
      LaneStates,
      QueueListeners,
    ]),
    oncePerApplication(QueueCeilings),
    oncePerApplication(WorkerOrchestrator, [
      ModulesContainer,
      LaneResources,
      WorkerPlanner,
      ModuleEnhancers,
      WorkerPool,
      OwnStart,
      LateModules,
      QueueCeilings,
      LaneStates,
      QueueListeners,
    ]),
    oncePerApplication(LaneRegistry, [LaneResources, WorkerPool]),
    oncePerApplication(LaneRunner, [WorkerPool, LateModules]),
    oncePerApplication(HealthReporter, [LaneResources, WorkerPool, LaneStates, LaneSurroundings]),
    oncePerApplication(LaneLifecycle, [LaneStates, WorkerOrchestrator, HealthReporter]),
  ],
  exports: [LaneResources, WorkerPool, LaneRegistry, LaneRunner, LaneLifecycle, LaneEvents],
})
export class LaneCoreModule {}
