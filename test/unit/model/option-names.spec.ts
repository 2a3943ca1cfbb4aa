import { describe, expect, it } from '@jest/globals';

import { InvalidOptionsError } from '../../../lib/model/errors/invalid-options.error';
import { UnknownOptionError } from '../../../lib/model/errors/unknown-option.error';
import { refuseUnknownOptions } from '../../../lib/model/option-names';

const KNOWN = ['attempts', 'backoff'];

describe('refuseUnknownOptions', () => {
  class Options {
    attempts = 3;
  }

  it.each<[string, object]>([
    ['no options', {}],
    ['known ones', { attempts: 1, backoff: 2 }],
    ['an object without a prototype', Object.assign(Object.create(null), { attempts: 1 })],
    ['an object of a class', new Options()],
    ['a module', { attempts: 1, [Symbol.toStringTag]: 'Module' }],
    ['a known one that is not set', { attempts: undefined }],
  ])('accepts %s', (_, options) => {
    expect(() => refuseUnknownOptions('add', options, KNOWN)).not.toThrow();
  });

  it('refuses the first unknown name and says the nearest', () => {
    const refused = () => refuseUnknownOptions('add', { attempts: 1, attemps: 2, other: 3 }, KNOWN);
    expect(refused).toThrow(UnknownOptionError);
    expect(refused).toThrow(
      'Option "attemps" of add is unknown. Did you mean "attempts"? Known options: attempts, backoff.',
    );
  });

  it('refuses an unknown name even when its value is undefined', () => {
    expect(() => refuseUnknownOptions('add', { attemps: undefined }, KNOWN)).toThrow(UnknownOptionError);
  });

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    'knows no name that every object has: %s',
    (name) => {
      const options = JSON.parse(`{ "${name}": { "attempts": 5 } }`) as object;
      expect(() => refuseUnknownOptions('add', options, KNOWN)).toThrow(
        new UnknownOptionError('add', name, KNOWN),
      );
    },
  );

  it.each<[string, unknown]>([
    ['null', null],
    ['undefined', undefined],
    ['a number', 5000],
    ['a text', '5s'],
    ['a flag', true],
    ['a symbol', Symbol('s')],
    ['a BigInt', 5n],
    ['an empty array', []],
    ['an array', [{ attempts: 1 }]],
    ['a function', () => ({ attempts: 1 })],
    ['a promise, for which await was forgotten', Promise.resolve({ attempts: 1 })],
    ['a date', new Date(0)],
    ['a map', new Map([['attempts', 1]])],
  ])('refuses %s in place of options', (_, options) => {
    expect(() => refuseUnknownOptions('add', options, KNOWN)).toThrow(InvalidOptionsError);
  });

  it('says what was given, and what would be right', () => {
    expect(() => refuseUnknownOptions('add', 5000, KNOWN)).toThrow(
      'The options of add are 5000; they must be an object. Give them by name, such as { attempts, backoff }',
    );
    expect(() => refuseUnknownOptions('Queue', Promise.resolve(), KNOWN)).toThrow(
      'The options of Queue are an object (Promise); they must be an object',
    );
  });
});
