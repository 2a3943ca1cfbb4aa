import { describe, expect, it } from '@jest/globals';

import { UnserializableDataError } from '../../../lib/model/errors/unserializable-data.error';
import { toJson } from '../../../lib/model/payload';

const SECRET = '4111 1111 1111 1111';

function refusalOf(value: unknown): UnserializableDataError {
  try {
    toJson(value, '{}', 'data', 'charge');
  } catch (error) {
    expect(error).toBeInstanceOf(UnserializableDataError);
    return error as UnserializableDataError;
  }
  throw new Error('It was written.');
}

function circular(): object {
  const order: Record<string, unknown> = { card: SECRET };
  order[SECRET] = { order };
  return order;
}

function nested(depth: number): unknown[] {
  const outermost: unknown[] = [];
  let innermost = outermost;
  for (let level = 1; level < depth; level += 1) {
    const inner: unknown[] = [];
    innermost.push(inner);
    innermost = inner;
  }
  return outermost;
}

describe('toJson', () => {
  it.each<[unknown]>([
    [0],
    [false],
    [''],
    [null],
    [[]],
    [{}],
    [-1.5],
    ['0'],
    [[null, 0, '', false, [], {}]],
    [{ a: { b: [1, 'two', { c: null }] } }],
    ['\u0000\u2028\n"\\/😀 ключ'],
    [JSON.parse('{ "__proto__": { "polluted": true }, "constructor": 1 }')],
    [{ length: 3, toString: 'x' }],
  ])('T-B57 keeps %p as it is', (value) => {
    const json = toJson(value, '{}', 'data', 'charge');
    expect(JSON.parse(json)).toStrictEqual(value);
    expect(toJson(value, 'null', 'result', 'charge')).toBe(json);
  });

  it('T-B57 gives undefined the form that BullMQ gives it', () => {
    expect(toJson(undefined, '{}', 'data', 'charge')).toBe('{}');
    expect(toJson(undefined, 'null', 'result', 'charge')).toBe('null');
  });

  it('follows the rules of JSON for what it has no form for', () => {
    const value = {
      gone: undefined,
      missing: [undefined],
      not: Number.NaN,
      day: new Date(0),
      map: new Map([[1, 2]]),
    };
    expect(toJson(value, '{}', 'data', 'charge')).toBe(
      '{"missing":[null],"not":null,"day":"1970-01-01T00:00:00.000Z","map":{}}',
    );
  });

  it('keeps the size of a text of half a surrogate pair writable', () => {
    expect(toJson('\ud800', '{}', 'data', 'charge')).toBe('"\\ud800"');
  });

  it.each<[string, unknown, string]>([
    ['a value that refers to itself', circular(), 'it refers to itself'],
    ['a BigInt', 1n, 'it holds a BigInt'],
    ['a BigInt inside', { card: SECRET, sum: [1n] }, 'it holds a BigInt'],
    ['a function', () => SECRET, 'it is a function'],
    ['a class', class Card {}, 'it is a function'],
    ['a symbol', Symbol(SECRET), 'it is a symbol'],
    [
      'toJSON that returns nothing',
      { card: SECRET, toJSON: () => undefined },
      'its toJSON method returns nothing',
    ],
    ['toJSON that returns a function', { toJSON: () => () => SECRET }, 'its toJSON method returns nothing'],
    ['too deep a value', nested(200_000), 'it is nested too deeply'],
  ])('T-B57 refuses %s, says why, and shows nothing of it', (_, value, why) => {
    const { message, cause } = refusalOf(value);
    expect(message).toBe(
      `The data of job "charge" cannot be written as JSON: ${why}. Jobs travel as JSON: use plain objects, arrays, ` +
        `texts, finite numbers, booleans and null, and turn other values into one of these first.`,
    );
    expect(cause).toBeUndefined();
  });

  it.each<[string, (error: unknown) => object]>([
    [
      'toJSON',
      (error) => ({
        toJSON() {
          throw error;
        },
      }),
    ],
    [
      'a getter',
      (error) => ({
        inner: {
          get field() {
            throw error;
          },
        },
      }),
    ],
    [
      'a proxy',
      (error) =>
        new Proxy(
          {},
          {
            ownKeys() {
              throw error;
            },
          },
        ),
    ],
  ])(
    'T-B57 refuses a value whose reading throws, by %s, and passes the error on as the cause',
    (_, valueFor) => {
      const thrown = new Error(`${SECRET} is circular, and BigInt`);
      const { message, cause } = refusalOf(valueFor(thrown));
      expect(message).toContain(': a toJSON method or a getter of it threw an error. Jobs travel');
      expect(message).not.toContain(SECRET);
      expect(cause).toBe(thrown);
    },
  );

  it('copes with a toJSON that throws what is not an error', () => {
    const refusal = refusalOf({
      toJSON() {
        // eslint-disable-next-line @typescript-eslint/only-throw-error -- the caller's code may
        throw SECRET;
      },
    });
    expect(refusal.cause).toBe(SECRET);
    expect(refusal.message).not.toContain(SECRET);
  });

  it('copes with a toJSON that throws what cannot be read', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const refusal = refusalOf({
      toJSON() {
        // eslint-disable-next-line @typescript-eslint/only-throw-error -- the caller's code may
        throw proxy;
      },
    });
    expect(refusal.message).toContain('threw an error');
  });

  it.each(['data', 'progress', 'result'] as const)('names the %s and the job', (what) => {
    expect(() => toJson(1n, 'null', what, 'a "b"\n')).toThrow(
      `The ${what} of job "a \\"b\\"\\n" cannot be written`,
    );
  });
});
