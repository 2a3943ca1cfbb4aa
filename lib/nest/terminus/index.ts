export { LaneHealthIndicator, type HealthOptions, type HealthResult } from './lane-health.indicator';
export { LaneHealthModule } from './lane-health.module';
