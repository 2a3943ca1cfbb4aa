import { describe, expect, it } from '@jest/globals';

import { InvalidHeadersError } from '../../../lib/model/errors/invalid-headers.error';
import {
  checkHeaderName,
  mergeHeaders,
  NO_HEADERS,
  parseHeaders,
  readHeaders,
  writeHeaders,
} from '../../../lib/model/job-headers';

describe('headers of a job', () => {
  it('are looked up by names in lower case, and nothing else is found', () => {
    const headers = parseHeaders({ 'X-Tenant-Id': '7', traceparent: '', left: undefined });
    expect({ ...headers }).toEqual({ 'x-tenant-id': '7', traceparent: '' });
    expect(headers.constructor).toBeUndefined();
    expect(headers.__proto__).toBeUndefined();
  });

  it('may be called like the prototype, and harm none', () => {
    const headers = parseHeaders(JSON.parse('{"__proto__":"x"}'));
    expect(Object.entries(headers)).toEqual([['__proto__', 'x']]);
    expect(Object.entries(readHeaders(writeHeaders(headers)!))).toEqual([['__proto__', 'x']]);
  });

  it.each([
    [[], 'It is an array; it must be an object of texts by name'],
    [null, 'It is null; it must be an object of texts by name'],
    [{ 'x y': '' }, '"x y" is no name; it must have 1 to 128 letters, digits'],
    [{ x: 5 }, '"x" is of type number; its value must be a text.'],
    [{ x: null }, '"x" is of type null; its value must be a text.'],
    [{ x: '', X: '' }, 'Names are the same in any case, and "x" is given twice.'],
  ])('refuses %p', (value, message) => {
    expect(() => parseHeaders(value)).toThrow(InvalidHeadersError);
    expect(() => parseHeaders(value)).toThrow(`Option "headers" cannot be used. ${message}`);
  });

  it('are 64 at most, and 8,192 bytes', () => {
    const many = (count: number): object =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`h${index}`, '']));
    expect(Object.keys(readHeaders(writeHeaders(parseHeaders(many(64)))!))).toHaveLength(64);
    expect(() => writeHeaders(parseHeaders(many(65)))).toThrow('There are 65; a job has at most 64.');
    expect(writeHeaders(parseHeaders({ x: 'a'.repeat(8_184) }))).toHaveLength(8_192);
    expect(() => writeHeaders(parseHeaders({ x: 'ü'.repeat(4_093) }))).toThrow(
      'They take 8194 bytes as JSON',
    );
  });

  it('are those of both when they come together, and the nearer ones win', () => {
    const far = parseHeaders({ a: '1', b: '1' });
    const near = parseHeaders(JSON.parse('{"B":"2","__proto__":"3"}'));
    expect(Object.entries(mergeHeaders(far, near))).toEqual([
      ['a', '1'],
      ['b', '2'],
      ['__proto__', '3'],
    ]);
    expect(mergeHeaders(NO_HEADERS, near)).toBe(near);
    expect(mergeHeaders(far, NO_HEADERS)).toBe(far);
  });

  it('are not stored where there are none', () => {
    expect(parseHeaders({})).toBe(NO_HEADERS);
    expect(writeHeaders(parseHeaders({ left: undefined }))).toBeUndefined();
  });

  it.each([null, '', 'none', '[]', '"x"', '5', '{"x":1}', '{"x y":""}'])(
    'are none where %p is stored',
    (stored) => {
      expect(readHeaders(stored)).toBe(NO_HEADERS);
    },
  );

  it('are frozen when they are read', () => {
    expect(Object.isFrozen(readHeaders('{"x":"1"}'))).toBe(true);
    expect(Object.isFrozen(readHeaders(null))).toBe(true);
  });
});

describe('checkHeaderName', () => {
  it('gives the name that is stored', () => {
    expect(checkHeaderName('X-Tenant-Id')).toBe('x-tenant-id');
  });

  it.each([undefined, 5, '', 'a:b'])('refuses %p', (name) => {
    expect(() => checkHeaderName(name)).toThrow(InvalidHeadersError);
  });
});
