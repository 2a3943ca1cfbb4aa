import assert from 'node:assert/strict';

import type { BackendCapability } from '../../contract/backend-capabilities';
import { areaOf, type ConformanceCase } from './conformance-case';
import type { ConformanceHarness } from './conformance-harness';
import { CASE_TIMEOUT, runCase } from './run-case';
import { CONFORMANCE_CASES } from './suite';

/**
 * The two functions of a test runner that the suite is registered with.
 *
 * @public
 */
export interface TestRegistrar {
  readonly describe: (title: string, register: () => void) => void;
  /** The last argument is the time in milliseconds that the test may take. */
  readonly it: (title: string, run: () => Promise<void>, timeout: number) => void;
}

/**
 * What became of the cases on one backend.
 *
 * @public
 */
export interface ConformanceReport {
  readonly backend: string;
  readonly passed: readonly ConformanceCase[];
  readonly failed: readonly { readonly conformanceCase: ConformanceCase; readonly error: unknown }[];
  readonly skipped: readonly SkippedCase[];
}

/**
 * A case that did not run, and the capability that the backend lacks for it.
 *
 * @public
 */
export interface SkippedCase {
  readonly conformanceCase: ConformanceCase;
  readonly capability: BackendCapability;
}

/**
 * Registers the suite with a test runner: a test per case, grouped by area, and a last one that fails if not every
 * case ran that the backend's capabilities allow.
 *
 * @example
 *
 * ```ts
 * import { describe, it } from 'vitest';
 *
 * registerConformance({ describe, it }, harness);
 * ```
 *
 * @public
 */
export function registerConformance(
  { describe, it }: TestRegistrar,
  harness: ConformanceHarness,
  cases: readonly ConformanceCase[] = CONFORMANCE_CASES,
): void {
  const { runnable } = select(cases, harness);
  let ran = 0;
  describe(`conformance: ${harness.name}`, () => {
    for (const area of new Set(runnable.map(areaOf))) {
      describe(area, () => {
        for (const conformanceCase of runnable.filter((each) => areaOf(each) === area)) {
          const run = async (): Promise<void> => {
            ran += 1;
            await runCase(conformanceCase, harness);
          };
          it(conformanceCase.title, run, CASE_TIMEOUT);
        }
      });
    }
    const countRuns = async (): Promise<void> => assert.equal(ran, runnable.length);
    it(`ran all ${runnable.length} cases that its capabilities allow`, countRuns, CASE_TIMEOUT);
  });
}

/**
 * Runs the suite without a test runner.
 *
 * @param onCase - called before each case
 *
 * @public
 */
export async function runConformance(
  harness: ConformanceHarness,
  cases: readonly ConformanceCase[] = CONFORMANCE_CASES,
  onCase?: (conformanceCase: ConformanceCase) => void,
): Promise<ConformanceReport> {
  const { runnable, skipped } = select(cases, harness);
  const passed: ConformanceCase[] = [];
  const failed: { conformanceCase: ConformanceCase; error: unknown }[] = [];
  for (const conformanceCase of runnable) {
    onCase?.(conformanceCase);
    try {
      await runCase(conformanceCase, harness);
      passed.push(conformanceCase);
    } catch (error) {
      failed.push({ conformanceCase, error });
    }
  }
  return { backend: harness.name, passed, failed, skipped };
}

function select(
  cases: readonly ConformanceCase[],
  { capabilities }: ConformanceHarness,
): { runnable: ConformanceCase[]; skipped: SkippedCase[] } {
  const runnable: ConformanceCase[] = [];
  const skipped: SkippedCase[] = [];
  for (const conformanceCase of cases) {
    const capability = conformanceCase.requires;
    if (capability === undefined || capabilities[capability]) {
      runnable.push(conformanceCase);
    } else {
      skipped.push({ conformanceCase, capability });
    }
  }
  return { runnable, skipped };
}
