import { describe, expect, it } from '@jest/globals';

import { durationTextToMillis, durationToMillis } from '../../../lib/model/duration';
import { InvalidDurationError } from '../../../lib/model/errors/invalid-duration.error';

describe('durationTextToMillis', () => {
  it.each([
    ['250ms', 250],
    ['30s', 30_000],
    ['5m', 300_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
    ['1.5h', 5_400_000],
    ['0.25s', 250],
    ['0s', 0],
    ['007s', 7_000],
    ['0.3ms', 0.3],
  ])('reads %s', (text, millis) => {
    expect(durationTextToMillis(text)).toBe(millis);
  });

  it('leaves no trace of binary fractions', () => {
    expect(durationTextToMillis('4.03s')).toBe(4_030);
    expect(durationTextToMillis('2.01s')).toBe(2_010);
    for (let hundredths = 1; hundredths <= 1_000; hundredths += 1) {
      expect(durationTextToMillis(`${hundredths / 100}m`)).toBe(hundredths * 600);
    }
  });

  it.each([
    '',
    's',
    '5',
    '5 s',
    ' 5s',
    '5s ',
    '5s\n',
    '-5s',
    '+5s',
    '5S',
    '5sec',
    '5ms5',
    '1h30m',
    '.5s',
    '5.s',
    '1.2.3s',
    '1e3s',
    '0x10s',
    '1_000s',
    'NaNs',
    'Infinitys',
    '५s',
    '__proto__',
  ])('does not take %p for a duration', (text) => {
    expect(durationTextToMillis(text)).toBeUndefined();
  });
});

describe('durationToMillis', () => {
  it.each<[unknown, number]>([
    [0, 0],
    [0.5, 0.5],
    [1500, 1500],
    [Number.MAX_VALUE, Number.MAX_VALUE],
    ['2s', 2000],
  ])('takes a bare number for milliseconds: %p', (value, millis) => {
    expect(durationToMillis('lockDuration', value)).toBe(millis);
  });

  it.each<[unknown]>([
    [-1],
    [-Number.MIN_VALUE],
    [Number.NaN],
    [Infinity],
    [-Infinity],
    [`${'9'.repeat(400)}d`],
    ['1500'],
    ['soon'],
    [''],
    [true],
    [null],
    [undefined],
    [10n],
    [{}],
    [[5]],
    [new Date(5)],
    [() => 5],
    [Symbol('5s')],
  ])('refuses %p', (value) => {
    expect(() => durationToMillis('lockDuration', value)).toThrow(InvalidDurationError);
  });

  it('says option, value and rule', () => {
    expect(() => durationToMillis('lockDuration', '30 s')).toThrow(
      'Option "lockDuration" is "30 s"; it must be a number of milliseconds of at least 0, or a text such as ' +
        '"250ms", "30s", "5m", "2h" or "1d".',
    );
  });
});
