import assert from 'node:assert/strict';

import type { ConformanceCase } from './conformance-case';
import { ConformanceContext } from './conformance-context';
import type { ConformanceHarness } from './conformance-harness';

/**
 * Milliseconds that a test runner has to give a case.
 *
 * @internal
 */
export const CASE_TIMEOUT = 12_000;

/** A case that takes longer hangs. Below the bound of the test runner, which would leave the case running. */
const DEADLINE = 9_000;

/**
 * Runs one case on a new store.
 *
 * @throws whatever it fails with, also for compared too little or leaving something open
 *
 * @public
 */
export async function runCase(conformanceCase: ConformanceCase, harness: ConformanceHarness): Promise<void> {
  const underTest = await harness.start();
  try {
    assert.equal(underTest.backend.kind, harness.kind ?? harness.name);
    assert.deepEqual(underTest.backend.capabilities, harness.capabilities);
    const context = new ConformanceContext(underTest);
    try {
      await inTime(conformanceCase.run(context));
      expectCovered(conformanceCase, context);
    } finally {
      await inTime(context.close());
    }
    context.expectNothingLeft();
  } finally {
    await underTest.stop();
  }
}

function expectCovered(conformanceCase: ConformanceCase, context: ConformanceContext): void {
  if (!('operation' in conformanceCase)) {
    return;
  }
  for (const coverage of conformanceCase.covers) {
    if (coverage.startsWith('event:') || coverage.startsWith('refusal:')) {
      assert.ok(context.hasCompared(coverage), `the case says it covers ${coverage}, but compares none`);
    }
  }
}

async function inTime<Result>(promise: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The case did not end within ${DEADLINE} ms.`)), DEADLINE);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
