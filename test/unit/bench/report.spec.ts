import { describe, expect, it } from '@jest/globals';

import { renderJudgements, renderTable, summarise } from '../../bench/report.mjs';
import { median, noiseOf, percentile } from '../../bench/statistics.mjs';

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
      extra: { micros: 2, scatter: 1.5 },
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

  it('hold two measurements of one peer against each other', () => {
    const first = [round(100, 4), round(110, 4), round(120, 4)];
    const again = [round(100, 5), round(100, 4), round(100, 4)];

    const { control, ratio } = summarise(scenario, [], { bullmq: first }, { of: 'bullmq', rounds: again });

    expect(ratio).toEqual({});
    expect(control).toMatchObject({ of: 'bullmq', ratio: { jobsPerSecond: 1.1, spread: [1, 1.2] } });
    // Of 1, 1.1 and 1.2 the central half reaches to 1.15; of 0.8, 1 and 1 it reaches down to 0.9.
    expect(control?.noise.jobsPerSecond).toBeCloseTo(0.15);
    expect(control?.noise.nodeMicros).toBeCloseTo(0.1);
    expect(control?.noise.serverMicros).toBeNull();
  });

  it('have no noise that two rounds could tell', () => {
    const two = [round(100, 4), round(110, 4)];

    const { control } = summarise(scenario, two, { bullmq: two }, { of: 'bullmq', rounds: two });

    expect(control?.noise.jobsPerSecond).toBeNull();
    expect(control?.ratio.jobsPerSecond).toBe(1);
  });

  it('have a spread of p50 where jobs a second say nothing', () => {
    const waiting = { ...round(0, 1, 300), jobsPerSecond: null };

    const { ratio } = summarise(scenario, [waiting], { bullmq: [{ ...waiting, p50Micros: 200 }] });

    expect(ratio.bullmq).toMatchObject({ jobsPerSecond: null, p50Micros: 1.5, spread: [1.5, 1.5] });
  });

  it('stand in a table without a row for ours where it was left out', () => {
    const first = [round(100, 4)];
    const table = renderTable([
      summarise(scenario, [], { bullmq: first }, { of: 'bullmq', rounds: [round(80, 4)] }),
    ]);

    const lines = table.split('\n');
    expect(lines[2]).toMatch(/^process-c50 +memory +1$/);
    expect(lines[3]).toMatch(/^ {2}bullmq +memory +100\.00/);
    expect(lines[4]).toMatch(/^ {2}bullmq again +memory +80\.00/);
    expect(lines[5]).toMatch(/^ {2}bullmq \/ bullmq again +memory +1\.25 .* 1\.25 to 1\.25$/);
    expect(lines).toHaveLength(6);
  });

  it('stand beside their limits', () => {
    const judged = { kind: 'floor', scenario: 'add', against: 'bullmq', backend: 'redis' } as const;
    const table = renderJudgements([
      { ...judged, figure: 'jobsPerSecond', atLeast: 2.5, ratio: 3, noise: 0.05, verdict: 'met' },
      { ...judged, figure: 'serverMicros', atMost: 0.4, ratio: 0.41, noise: null, verdict: 'undecided' },
    ]);

    const lines = table.split('\n');
    expect(lines[2]).toMatch(/^floor +add +jobs\/s +bullmq +3\.000 +>= 2\.50 +0\.050 +met$/);
    expect(lines[3]).toMatch(/^floor +add +server µs\/job +bullmq +0\.410 +<= 0\.40 +- +undecided$/);
  });

  it('come from percentiles that lie between two neighbours', () => {
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(percentile([10], 99)).toBe(10);
    expect(percentile([1, 2, 3, 4, 5], 0)).toBe(1);
    expect(percentile([1, 2, 3, 4, 5], 100)).toBe(5);
    expect(() => percentile([], 50)).toThrow('no values');
  });

  it('are as noisy as the central half of what should be 1', () => {
    expect(noiseOf([1])).toBe(0);
    expect(noiseOf([1, 1, 1, 1, 9])).toBe(0);
    expect(noiseOf([1.2, 1.2, 1.2])).toBeCloseTo(0.2);
    expect(noiseOf([0.6, 0.8, 1, 1.1, 1.2])).toBeCloseTo(0.2);
  });
});
