import { describe, expect, it } from '@jest/globals';

import { renderTable, summarise } from '../../bench/report.mjs';
import { median, percentile } from '../../bench/statistics.mjs';

const scenario = { name: 'process-c50', backend: 'memory', jobs: 1_000 };

function round(jobsPerSecond: number, nodeMicros: number, p50Micros: number | null = null) {
  return { jobsPerSecond, serverMicros: null, nodeMicros, p50Micros, p99Micros: null };
}

describe('the figures of a benchmark', () => {
  it('are medians over the rounds, and null where nothing was measured', () => {
    const { ours, rounds, peers, ratio } = summarise(
      scenario,
      [round(10, 5), round(30, 1), round(20, 3)],
      {},
    );

    expect(rounds).toBe(3);
    expect(ours).toEqual(round(20, 3));
    expect({ peers, ratio }).toEqual({ peers: {}, ratio: {} });
  });

  it('are compared with a peer round by round', () => {
    const ours = [round(100, 2, 8), round(300, 2, 8), round(200, 4, 8)];
    const bullmq = [round(50, 8, 4), round(100, 4, 4), round(200, 4, 4)];

    const { ratio, peers } = summarise(scenario, ours, { bullmq });

    // 2, 3 and 1 times the speed: the median of the ratios, not the ratio of the medians.
    expect(ratio.bullmq).toEqual({
      jobsPerSecond: 2,
      serverMicros: null,
      nodeMicros: 0.5,
      p50Micros: 2,
      p99Micros: null,
      spread: [1, 3],
    });
    expect(peers.bullmq).toMatchObject({ jobsPerSecond: 100 });
  });

  it('stand in a table with a row for ours, for the peer and for the ratio', () => {
    const table = renderTable([summarise(scenario, [round(120_000, 8)], { bullmq: [round(60_000, 16)] })]);

    const lines = table.split('\n');
    expect(lines[0]).toMatch(/^scenario +backend +jobs\/s/);
    expect(lines[2]).toMatch(/^process-c50 +memory +120,000 +8\.00 +- +- +- +1$/);
    expect(lines[3]).toMatch(/^ {2}bullmq +memory +60,000 +16\.00/);
    expect(lines[4]).toMatch(/^ {2}ours \/ bullmq +memory +2\.00 +0\.50 .* 2\.00 to 2\.00$/);
  });

  it('come from percentiles that lie between two neighbours', () => {
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(percentile([10], 99)).toBe(10);
    expect(percentile([1, 2, 3, 4, 5], 0)).toBe(1);
    expect(percentile([1, 2, 3, 4, 5], 100)).toBe(5);
    expect(() => percentile([], 50)).toThrow('no values');
  });
});
