import { describe, expect, it } from '@jest/globals';

import { EmbeddedMachine } from '../../../../lib/backends/embedded/machine';
import type { Rows, TableName } from '../../../../lib/backends/embedded/store';
import { MemoryStore } from '../../../../lib/backends/memory/memory-store';
import {
  CONFORMANCE_CASES,
  runConformance,
  type ConformanceHarness,
} from '../../../../lib/testing/conformance';
import { ManualClock } from '../../../support/manual-clock';

/** A store in which no one can change what it was given. */
class FreezingStore extends MemoryStore {
  override put<Table extends TableName>(name: Table, row: Rows[Table]): void {
    Object.freeze(row);
    super.put(name, row);
  }

  override append(...[queue, millis, number, fields]: Parameters<MemoryStore['append']>): void {
    super.append(queue, millis, number, Object.freeze(fields));
  }
}

const harness: ConformanceHarness = {
  name: 'frozen',
  capabilities: { durable: false, server: false },
  async start() {
    const clock = new ManualClock();
    const machine = new EmbeddedMachine(new FreezingStore(), clock);
    return {
      backend: {
        kind: 'frozen',
        capabilities: { durable: false, server: false },
        openQueue: (request) => machine.openQueue(request),
      },
      clock,
      advance: (millis) => clock.advance(millis),
      stop: () => Promise.resolve(),
    };
  },
};

describe('the embedded machine', () => {
  it('changes no row that it has given to its store', async () => {
    const contractCases = CONFORMANCE_CASES.filter((each) => 'operation' in each);
    const report = await runConformance(harness, contractCases);

    expect(report.failed).toEqual([]);
  }, 60_000);
});
