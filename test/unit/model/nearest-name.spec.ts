import { describe, expect, it } from '@jest/globals';

import { nearestName } from '../../../lib/model/nearest-name';
import { SeededRandom } from '../../support/seeded-random.mjs';

const NAMES = [
  'jobId',
  'delay',
  'priority',
  'attempts',
  'backoff',
  'lifo',
  'removeOnComplete',
  'removeOnFail',
];

describe('nearestName', () => {
  it.each([
    ['attemps', 'attempts'],
    ['attemptss', 'attempts'],
    ['atempts', 'attempts'],
    ['attmepts', 'attempts'],
    ['ATTEMPTS', 'attempts'],
    ['jobid', 'jobId'],
    ['job_id', 'jobId'],
    ['dleay', 'delay'],
    ['lfio', 'lifo'],
    ['fifo', 'lifo'],
    ['back-off', 'backoff'],
    ['removeOnCompleted', 'removeOnComplete'],
    ['removeOnFailure', 'removeOnFail'],
    ['removeOnFial', 'removeOnFail'],
    ['priority', 'priority'],
  ])('finds that %s is meant to be %s', (name, meant) => {
    expect(nearestName(name, NAMES)).toBe(meant);
  });

  it.each([
    '',
    'x',
    'repeat',
    'retries',
    'timeout',
    'remove',
    'deduplication',
    '__proto__',
    'delaydelaydelay',
  ])('finds nothing near %p', (name) => {
    expect(nearestName(name, NAMES)).toBeUndefined();
  });

  it('finds nothing among nothing', () => {
    expect(nearestName('attempts', [])).toBeUndefined();
  });

  it('does not take one short name for another with nothing in common', () => {
    expect(nearestName('a', ['b'])).toBeUndefined();
    expect(nearestName('', ['b'])).toBeUndefined();
    expect(nearestName('ab', ['b'])).toBe('b');
    expect(nearestName('a', ['A'])).toBe('A');
  });

  it('tolerates edits of up to a third of the longer name', () => {
    expect(nearestName('abcdef12', ['abcdefgh'])).toBe('abcdefgh');
    expect(nearestName('abcde123', ['abcdefgh'])).toBeUndefined();
    expect(nearestName('abcde1234', ['abcdefghi'])).toBeUndefined();
    expect(nearestName('abcd', ['abcdef'])).toBe('abcdef');
    expect(nearestName('abcdef', ['abcd'])).toBe('abcd');
    expect(nearestName('abcdef123', ['abcdefghi'])).toBe('abcdefghi');
  });

  it('takes the nearest, and of equals the first', () => {
    expect(nearestName('waiting', ['wailing', 'waiting', 'wafting'])).toBe('waiting');
    expect(nearestName('wasting', ['wailing', 'waiting', 'wafting'])).toBe('waiting');
    expect(nearestName('cat', ['bat', 'rat'])).toBe('bat');
  });

  it('counts a swap of neighbours as one edit, wherever it is', () => {
    // Names of five letters tolerate one edit.
    for (let at = 0; at < 4; at += 1) {
      const letters = [...'delay'];
      [letters[at], letters[at + 1]] = [letters[at + 1]!, letters[at]!];
      expect(nearestName(letters.join(''), ['delay'])).toBe('delay');
    }
    expect(nearestName('dlaey', ['delay'])).toBeUndefined();
  });

  it('finds a name again after any single slip', () => {
    const random = new SeededRandom();
    const slips: ((name: string, at: number) => string)[] = [
      (name, at) => name.slice(0, at) + name.slice(at + 1),
      (name, at) => `${name.slice(0, at)}z${name.slice(at)}`,
      (name, at) => `${name.slice(0, at)}z${name.slice(at + 1)}`,
      (name, at) => name.slice(0, at) + (name[at + 1] ?? '') + name[at]! + name.slice(at + 2),
    ];
    for (let round = 0; round < 2_000; round += 1) {
      const name = random.pick(NAMES as [string, ...string[]]);
      const slipped = random.pick(slips as [(typeof slips)[0]])(name, random.integer(0, name.length - 1));
      expect([`${slipped} (${String(random)})`, nearestName(slipped, NAMES)]).toEqual([
        `${slipped} (${String(random)})`,
        name,
      ]);
    }
  });
});
