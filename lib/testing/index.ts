export { useLaneTesting, LaneTestingModule, type LaneTestingBuilder } from './lane-testing.module';
export type { LaneTestingMode, LaneTestingOptions } from './lane-testing-options';
export { LaneHarness, type LostJob, type QueueRef } from './lane-harness';
export type { PerformOptions } from './perform-alone';
export { QueueView } from './queue-view';
export { RunResult } from './run-result';
export type { Recorded, RecordedJob, RecordedOutcome } from './recording';
export type { RecordedEvent } from './journal';
export type { IdleBounds } from './test-surroundings';
export { TestClock, type AdvanceOptions, type FakeTimers } from './test-clock';
export { NotIdleError } from './errors/not-idle.error';
export { LaneTestingError } from './errors/lane-testing.error';
export {
  assertCompleted,
  assertEnqueued,
  assertFailed,
  assertIdle,
  findEnqueued,
} from './expectations/assertions';
export { laneMatchers, type LaneMatchers } from './expectations/matchers';
export type { ExpectedJobOptions } from './expectations/checks';
