import type { EngineCase } from '../conformance-case';

/** What every backend does in the hands of `Queue`, `Worker` and `QueueEvents`. */
export const ENGINE_CASES: readonly EngineCase[] = [];
