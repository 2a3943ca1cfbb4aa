import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from '@jest/globals';
import {
  CONFORMANCE_CASES,
  ledgerTable,
  reportGaps,
  runConformance,
  suiteGaps,
  type ConformanceReport,
} from 'nestjs-lane/testing/conformance';

import { HARNESSES } from './harnesses';
import { stopCluster } from './redis-cluster-harness';

/** The state machine that memory runs on is no backend by itself. */
const partsOfBackends = ['embedded'];

describe('The conformance ledger', () => {
  const reports: ConformanceReport[] = [];

  afterAll(stopCluster);

  afterAll(() => {
    process.stdout.write(`\n${ledgerTable(reports)}\n\n`);
  });

  it('has cases for all that the contract lists', () => {
    expect(suiteGaps(CONFORMANCE_CASES)).toEqual([]);
  });

  it('knows every backend, each with a spec of its own', () => {
    const backends = readdirSync(join(process.cwd(), 'lib/backends'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !partsOfBackends.includes(entry.name))
      .map(({ name }) => name);

    expect([...new Set(HARNESSES.map(({ name, kind = name }) => kind))]).toEqual(backends);
    const specs = HARNESSES.map(({ name }) => join(process.cwd(), `test/conformance/${name}.spec.ts`));
    expect(specs.filter((path) => !existsSync(path))).toEqual([]);
  });

  it.each(HARNESSES.map((harness) => [harness.name, harness] as const))(
    'sees %s run every case but those that a capability explains',
    async (_, harness) => {
      const report = await runConformance(harness);
      reports.push(report);

      expect(reportGaps(report, harness, CONFORMANCE_CASES)).toEqual([]);
    },
    240_000,
  );
});
