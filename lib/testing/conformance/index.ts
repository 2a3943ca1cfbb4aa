export {
  areaOf,
  type AnyConformanceCase,
  type ConformanceCase,
  type ContractCase,
  type Coverage,
  type EngineCase,
} from './conformance-case';
export { ConformanceContext } from './conformance-context';
export type { BackendUnderTest, ConformanceHarness } from './conformance-harness';
export { EventTail, type ExpectedEvent } from './event-tail';
export { ledgerTable, reportGaps, suiteGaps } from './ledger';
export { QueueUser } from './queue-user';
export { runCase } from './run-case';
export {
  registerConformance,
  runConformance,
  type ConformanceReport,
  type SkippedCase,
  type TestRegistrar,
} from './run-conformance';
export { CONFORMANCE_CASES } from './suite';
export { WatchedSignal } from './watched-signal';
