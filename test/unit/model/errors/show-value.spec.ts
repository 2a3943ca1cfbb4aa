import { describe, expect, it } from '@jest/globals';

import { showValue, withoutCredentials } from '../../../../lib/model/errors/show-value';

describe('showValue', () => {
  it.each([
    ['5', '"5"'],
    [5, '5'],
    ['', '""'],
    [Number.NaN, 'NaN'],
    [-Infinity, '-Infinity'],
    [true, 'true'],
    [null, 'null'],
    [undefined, 'undefined'],
    [12n, '12n'],
    [Symbol('s'), 'Symbol(s)'],
    [() => 'secret', 'a function'],
    [class Secret {}, 'a function'],
    [{ secret: 1 }, 'an object'],
    [['secret'], 'an array'],
    [new Date(0), 'an object (Date)'],
    [Promise.resolve('secret'), 'an object (Promise)'],
    [new (class Secret {})(), 'an object'],
    [Object.create(null), 'an object'],
  ])('tells kinds of values apart, and opens none: %p', (value, shown) => {
    expect(showValue(value)).toBe(shown);
  });

  it('stays on one line and lets no control character through', () => {
    expect(showValue('a\r\nb\u001b[31m"')).toBe('"a\\r\\nb\\u001b[31m\\""');
  });

  it.each([['a'.repeat(1_000_000)], [10n ** 500n], [Symbol('s'.repeat(500))], ['\n'.repeat(500)]])(
    'cuts long values',
    (value) => {
      const shown = showValue(value);
      expect(shown).toHaveLength(60);
      expect(shown.endsWith('…')).toBe(true);
    },
  );

  it('shows a value of just the longest length whole', () => {
    expect(showValue('a'.repeat(58))).toBe(`"${'a'.repeat(58)}"`);
    expect(showValue('a'.repeat(59))).toBe(`"${'a'.repeat(58)}…`);
  });

  it('does not cut a character in half', () => {
    // The quotation mark moves the cut into the middle of the last pair of code units.
    for (const text of ['😀'.repeat(40), `x${'😀'.repeat(40)}`]) {
      expect(showValue(text)).toMatch(/^"x?(?:😀)+…$/u);
    }
  });

  it('leaves out what a URL carries before its host', () => {
    expect(showValue('redis://user:secret@host:6379')).toBe('"redis://…@host:6379"');
    expect(showValue(`redis://:${'secret'.repeat(500)}@host`)).toBe('"redis://…@host"');
  });
});

describe('withoutCredentials', () => {
  it.each([
    ['postgres://user:pass@db/jobs', 'postgres://…@db/jobs'],
    ['postgres://user:p@ss/word@db', 'postgres://…@db'],
    ['Redis at rediss://:secret@host:1', 'Redis at rediss://…@host:1'],
    ['redis://host:6379', 'redis://host:6379'],
    ['someone@example.com', 'someone@example.com'],
    ['someone@example.com redis://host', 'someone@example.com redis://host'],
  ])('%s', (text, shown) => {
    expect(withoutCredentials(text)).toBe(shown);
  });
});
