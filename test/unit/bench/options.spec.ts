import { describe, expect, it } from '@jest/globals';

import { parseOptions } from '../../bench/options.mjs';

const known = {
  backends: ['memory', 'redis'],
  libraries: ['ours', 'bullmq', 'bee-queue'],
  scenarios: ['add', 'latency'],
};

function parse(...words: string[]) {
  return parseOptions(words, known);
}

describe('the options of the benchmark', () => {
  it('ask for a full run of everything', () => {
    expect(parse()).toEqual({
      quick: false,
      rounds: 7,
      backends: ['memory', 'redis'],
      libraries: ['ours', 'bullmq', 'bee-queue'],
      scenarios: [],
      profile: false,
      judge: false,
      help: false,
    });
  });

  it('pick backends, libraries and scenarios, which have two names', () => {
    const picked = parse(
      '--backend',
      'redis',
      '--libraries',
      'ours,bullmq',
      '--scenario',
      'add',
      '--only',
      'latency',
    );

    expect(picked).toMatchObject({
      backends: ['redis'],
      libraries: ['ours', 'bullmq'],
      scenarios: ['add', 'latency'],
    });
  });

  it('take one round of a quick run unless they say how many', () => {
    expect(parse('--quick').rounds).toBe(1);
    expect(parse('--quick', '--rounds', '3').rounds).toBe(3);
    expect(parse('--rounds', '9', '--judge', '--json', 'figures.json', '--profile')).toMatchObject({
      rounds: 9,
      judge: true,
      json: 'figures.json',
      profile: true,
    });
  });

  it.each([
    ['an unknown backend', ['--backend', 'disk'], 'There is no backend "disk". Known: memory, redis.'],
    ['an unknown library', ['--libraries', 'ours,bull'], 'There is no library "bull"'],
    ['an unknown scenario', ['--scenario', 'idle'], 'There is no scenario "idle"'],
    ['an unknown scenario by the other name', ['--only', 'idle'], 'There is no scenario "idle"'],
    ['no rounds', ['--rounds', '0'], 'a whole number of at least 1, not "0"'],
    ['half a round', ['--rounds', '1.5'], 'not "1.5"'],
    ['a verdict on a quick run', ['--quick', '--judge'], '--judge needs a full run'],
    ['a verdict on few rounds', ['--rounds', '6', '--judge'], 'at least 7 rounds'],
    ['what there is not', ['--fast'], '--fast'],
  ])('refuse %s', (_what, words, message) => {
    expect(() => parse(...words)).toThrow(message);
  });
});
