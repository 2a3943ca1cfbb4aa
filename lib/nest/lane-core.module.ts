import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';

import { LaneMetadataAccessor } from './discovery/lane-metadata.accessor';
import { ProcessorExplorer } from './discovery/processor.explorer';
import { RegistrationExplorer } from './discovery/registration.explorer';
import { HandlerFactory } from './handlers/handler-factory';
import { LaneRegistry } from './lifecycle/lane.registry';
import { WorkerOrchestrator } from './lifecycle/worker.orchestrator';
import { WorkerPlanner } from './planning/worker.planner';

/**
 * What exists once in an application. It is a static module, so that it is one node of the module graph in every
 * major of Nest, while the dynamic modules that import it may be many.
 *
 * @internal
 */
@Module({
  imports: [DiscoveryModule],
  providers: [
    LaneRegistry,
    LaneMetadataAccessor,
    ProcessorExplorer,
    RegistrationExplorer,
    WorkerPlanner,
    HandlerFactory,
    WorkerOrchestrator,
  ],
  exports: [LaneRegistry],
})
export class LaneCoreModule {}
