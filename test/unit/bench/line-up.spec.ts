import { describe, expect, it } from '@jest/globals';

import { lineUp, orderOf } from '../../bench/line-up.mjs';

function library(name: string) {
  return { name, backend: 'redis', module: `${name}.mjs`, keepsFormat: true };
}

const all = ['ours', 'bullmq', 'bee-queue'].map(library);

function labels(...args: Parameters<typeof lineUp>) {
  return lineUp(...args).map(({ label, role, isCrowded }) => [label, role, isCrowded]);
}

describe('who is measured in a round', () => {
  it('is every library, and BullMQ twice', () => {
    expect(labels({ name: 'add' }, all)).toEqual([
      ['ours', 'ours', false],
      ['bullmq', 'peer', false],
      ['bullmq-again', 'control', false],
      ['bee-queue', 'peer', false],
    ]);
    expect(labels({ name: 'add' }, [library('ours')])).toEqual([['ours', 'ours', false]]);
  });

  it('is only who takes part in the scenario', () => {
    const libraries = [library('ours'), { ...library('nest'), scenarios: ['process-c50'] }];

    expect(labels({ name: 'add' }, libraries)).toEqual([['ours', 'ours', false]]);
    expect(labels({ name: 'process-c50' }, libraries)).toEqual([
      ['ours', 'ours', false],
      ['nest', 'peer', false],
    ]);
  });

  it('is ours against itself where a crowd is around', () => {
    expect(labels({ name: 'add', crowd: { active: 5 } }, all)).toEqual([
      ['ours', 'ours', true],
      ['alone', 'peer', false],
      ['alone-again', 'control', false],
    ]);
    expect(labels({ name: 'add', crowd: { active: 5 } }, [library('bullmq')])).toEqual([]);
  });

  it('changes places from round to round, and every other round runs backwards', () => {
    const orders = [0, 1, 2, 3, 6].map((round) => orderOf(['a', 'b', 'c'], round).join(''));

    expect(orders).toEqual(['abc', 'cba', 'bca', 'acb', 'abc']);
    expect(orderOf([], 1)).toEqual([]);
  });
});
