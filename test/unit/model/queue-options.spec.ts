import { describe, expect, it } from '@jest/globals';

import { InvalidQueueNameError } from '../../../lib/model/errors/invalid-queue-name.error';
import { checkAddTimeout, checkQueueName } from '../../../lib/model/queue-options';

describe('checkQueueName', () => {
  it.each([
    'email',
    'a',
    '0',
    'ns/email',
    'e-mail.v2',
    'Ünïcode 😀',
    '{tag}',
    '__proto__',
    'undefined-behaviour',
    'x'.repeat(1_000),
  ])('accepts %p and returns it', (name) => {
    expect(checkQueueName(name)).toBe(name);
  });

  it.each([
    '',
    ' ',
    '\t\n',
    '\u00a0',
    ':',
    'a:b',
    'email:',
    ':email',
    'redis://host',
    'undefined',
    'null',
    undefined,
    null,
    5,
    Number.NaN,
    true,
    {},
    [],
    ['email'],
    () => 'email',
    Symbol('email'),
    1n,
    new String('email'),
  ])('refuses %p', (name) => {
    expect(() => checkQueueName(name)).toThrow(InvalidQueueNameError);
  });
});

describe('checkAddTimeout', () => {
  it.each([
    [500, 500],
    ['500ms', 500],
    ['5s', 5_000],
  ])('reads %p as milliseconds', (value, millis) => {
    expect(checkAddTimeout(value)).toBe(millis);
  });

  it.each([0, -1, Infinity, '0s', 'soon', null, {}])('refuses %p', (value) => {
    expect(() => checkAddTimeout(value)).toThrow(/Option "addTimeout" is .*; it must be/);
  });
});
