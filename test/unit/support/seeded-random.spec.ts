import { afterEach, describe, expect, it } from '@jest/globals';

import { SeededRandom } from '../../support/seeded-random.mjs';

function take(random: SeededRandom, count: number): number[] {
  return Array.from({ length: count }, () => random.next());
}

describe('SeededRandom', () => {
  const seedBefore = process.env.LANE_SEED;
  afterEach(() => {
    if (seedBefore === undefined) delete process.env.LANE_SEED;
    else process.env.LANE_SEED = seedBefore;
  });

  it('makes the same choices for the same seed', () => {
    expect(take(new SeededRandom(7), 50)).toEqual(take(new SeededRandom(7), 50));
    expect(take(new SeededRandom(7), 50)).not.toEqual(take(new SeededRandom(8), 50));
  });

  it('spreads evenly', () => {
    const counts = new Map<number, number>();
    const random = new SeededRandom(1);
    for (let draw = 0; draw < 6000; draw++) {
      const face = random.integer(1, 6);
      counts.set(face, (counts.get(face) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual([1, 2, 3, 4, 5, 6]);
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(120);
  });

  it('picks among the items it was given', () => {
    const random = new SeededRandom(3);
    const picked = new Set(Array.from({ length: 50 }, () => random.pick(['a', 'b', 'c'])));
    expect([...picked].sort()).toEqual(['a', 'b', 'c']);
  });

  it('says how to replay, and replays', () => {
    const random = new SeededRandom();
    const choices = take(random, 10);
    expect(String(random)).toBe(`seed ${random.seed} (to replay: LANE_SEED=${random.seed})`);

    process.env.LANE_SEED = String(random.seed);
    expect(take(new SeededRandom(), 10)).toEqual(choices);
  });

  it.each([-1, 0.5, Number.NaN, 2 ** 32])('refuses %p as a seed', (seed) => {
    expect(() => new SeededRandom(seed)).toThrow(RangeError);
  });
});
