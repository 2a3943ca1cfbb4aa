import { Module } from '@nestjs/common';

import { LaneCoreModule } from '../lane-core.module';
import { LaneHealthIndicator } from './lane-health.indicator';

/**
 * Makes `LaneHealthIndicator` injectable where it is imported.
 *
 * @example
 * ```ts
 * @Module({ imports: [TerminusModule, LaneHealthModule], controllers: [HealthController] })
 * export class HealthModule {}
 * ```
 *
 * @public
 */
@Module({
  imports: [LaneCoreModule],
  providers: [LaneHealthIndicator],
  exports: [LaneHealthIndicator],
})
export class LaneHealthModule {}
