import { describe, expect, it } from '@jest/globals';

import { problemsOf } from '../../soak/judge.mjs';
import { parseOptions } from '../../soak/options.mjs';

type Soaked = Parameters<typeof problemsOf>[0];

const sound: Soaked = {
  added: new Set(['1', '2']),
  ends: new Map([
    ['1', 1],
    ['2', 1],
  ]),
  counts: { waiting: 0, prioritized: 0, delayed: 0, active: 0, completed: 1, failed: 1 },
  keys: ['bull:soak:1', 'bull:soak:2', 'bull:soak:completed'],
  heap: Array.from({ length: 40 }, (_, look) => 20e6 + (look % 3) * 1e5),
};

describe('what a soak ends with', () => {
  it('is sound when every job ended once and nothing else is left', () => {
    expect(problemsOf(sound)).toEqual([]);
  });

  it.each<[string, Partial<Soaked>, RegExp]>([
    ['a job that never ended', { added: new Set(['1', '2', '3']) }, /^1 jobs never ended, such as 3/],
    ['a job that nobody added', { added: new Set(['1']) }, /nobody added, such as 2/],
    [
      'a job that ended twice',
      {
        ends: new Map([
          ['1', 2],
          ['2', 1],
        ]),
      },
      /^1 jobs ended twice, such as 1/,
    ],
    ['a job that is active still', { counts: { ...sound.counts, active: 1 } }, /^1 jobs are still active/],
    [
      'too many completed jobs',
      { counts: { ...sound.counts, completed: 1_001 } },
      /1001 completed jobs are kept/,
    ],
    ['too many failed jobs', { counts: { ...sound.counts, failed: 1_001 } }, /1001 failed jobs are kept/],
    ['keys of others', { keys: Array.from({ length: 300 }, (_, at) => `key ${at}`) }, /300 keys are left/],
    [
      'memory that grows',
      { heap: Array.from({ length: 40 }, (_, look) => 20e6 + look * 5e5) },
      /in use, after \d+\.\d MB in its second quarter/,
    ],
  ])('is told of %s', (_, change, problem) => {
    const problems = problemsOf({ ...sound, ...change });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(problem);
  });
});

describe('the options of a soak', () => {
  it('are ten minutes against BullMQ 6 unless told', () => {
    expect(parseOptions(['--seed', '5'])).toEqual({
      minutes: 10,
      rate: 300,
      bullmq: 6,
      seed: 5,
      help: false,
    });
  });

  it.each([
    [['--minutes', '0']],
    [['--minutes', '']],
    [['--rate', 'many']],
    [['--bullmq', '5.5']],
    [['--bullmq', '4']],
    [['--seed', '-1']],
    [['--hours', '1']],
  ])('are refused as %j', (words) => {
    expect(() => parseOptions(words)).toThrow();
  });
});
