import { describe, expect, it } from '@jest/globals';

import { LIMITS } from '../../bench/floors.mjs';
import { summarise } from '../../bench/report.mjs';
import { SCENARIOS } from '../../bench/scenarios.mjs';
import { judge, missedFloors, verdictOn } from '../../bench/verdict.mjs';

function rounds(...speeds: number[]) {
  return speeds.map((jobsPerSecond) => ({
    jobsPerSecond,
    serverMicros: null,
    nodeMicros: 1,
    p50Micros: null,
    p99Micros: null,
  }));
}

const scenario = { name: 'add', backend: 'redis', jobs: 10 };
const floor = { kind: 'floor', scenario: 'add', against: 'bullmq', figure: 'jobsPerSecond' } as const;

describe('a verdict of the benchmark', () => {
  it.each([
    [{ atLeast: 2.5 }, 3, 'met'],
    [{ atLeast: 2.5 }, 2, 'missed'],
    [{ atMost: 0.4 }, 0.3, 'met'],
    [{ atMost: 0.4 }, 0.5, 'missed'],
  ])('on a ratio that has to be %j is, for %d, "%s"', (limit, ratio, verdict) => {
    expect(verdictOn(limit, ratio, 0.05)).toBe(verdict);
  });

  it('is open while the ratio is closer to the limit than equal measurements are to each other', () => {
    expect(verdictOn({ atLeast: 2 }, 2.1, 0.06)).toBe('undecided');
    expect(verdictOn({ atLeast: 2 }, 1.9, 0.06)).toBe('undecided');
    expect(verdictOn({ atLeast: 2 }, 2.1, 0.04)).toBe('met');
    expect(verdictOn({ atLeast: 2 }, 1.9, 0.04)).toBe('missed');
  });

  it('takes a ratio that is the limit itself as met when there is no noise', () => {
    expect(verdictOn({ atLeast: 2 }, 2, 0)).toBe('met');
    expect(verdictOn({ atMost: 2 }, 2, 0)).toBe('met');
  });

  it('is open while nobody measured the noise', () => {
    expect(verdictOn({ atLeast: 2 }, 9, null)).toBe('undecided');
  });

  it('rests on ratios of the same round, and on the noise of the same figure', () => {
    const ours = rounds(200, 600, 400);
    const bullmq = rounds(100, 200, 200);
    const result = summarise(scenario, ours, { bullmq }, { of: 'bullmq', rounds: rounds(100, 160, 200) });

    expect(judge([{ ...floor, atLeast: 1.5 }], [result])).toEqual([
      { ...floor, atLeast: 1.5, backend: 'redis', ratio: 2, noise: 0.125, verdict: 'met' },
    ]);
  });

  it('on what somebody takes more rests on differences of the same round, and on how they scatter', () => {
    const costs = (...micros: number[]) =>
      rounds(...micros).map((round, at) => ({ ...round, nodeMicros: micros[at]! }));
    const limit = {
      kind: 'floor',
      scenario: 'add',
      against: 'nest',
      figure: 'extraNodeMicros',
      atMost: 4,
    } as const;
    const result = summarise(scenario, costs(5, 9, 6), { nest: costs(8, 11, 9.5) });

    expect(judge([limit], [result])).toEqual([
      { ...limit, backend: 'redis', ratio: 3, noise: 0.09375, verdict: 'met' },
    ]);
    expect(judge([{ ...limit, atMost: 2 }], [result])).toMatchObject([{ verdict: 'missed' }]);
    expect(judge([{ ...limit, atMost: 3.1 }], [result])).toMatchObject([{ verdict: 'undecided' }]);
    expect(judge([limit], [summarise(scenario, costs(5), { nest: costs(6) })])).toMatchObject([
      { noise: null, verdict: 'undecided' },
    ]);
  });

  it('is passed on nothing that was not measured', () => {
    const alone = summarise({ ...scenario, backend: 'memory' }, rounds(1), {});
    const withoutOurs = summarise(scenario, [], { bullmq: rounds(1) });

    expect(judge([{ ...floor, atLeast: 1 }], [alone, withoutOurs])).toEqual([]);
    expect(
      judge(
        [{ ...floor, figure: 'serverMicros', atMost: 1 }],
        [summarise(scenario, rounds(1), { bullmq: rounds(1) })],
      ),
    ).toEqual([]);
  });

  it('counts against the run when a floor is missed, not when an aim is', () => {
    const judged = { ...floor, backend: 'redis', atLeast: 2, ratio: 1, noise: 0 };

    expect(
      missedFloors([
        { ...judged, verdict: 'missed' },
        { ...judged, verdict: 'undecided' },
        { ...judged, verdict: 'met' },
        { ...judged, kind: 'aim', verdict: 'missed' },
      ]),
    ).toEqual([{ ...judged, verdict: 'missed' }]);
  });

  it('has limits for scenarios that there are, each with one bound', () => {
    const names = SCENARIOS.map(({ name }) => name);
    for (const limit of LIMITS) {
      expect(names).toContain(limit.scenario);
      expect([limit.atLeast, limit.atMost].filter((bound) => bound !== undefined)).toHaveLength(1);
    }
  });
});
