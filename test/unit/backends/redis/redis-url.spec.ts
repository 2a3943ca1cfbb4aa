import { inspect } from 'node:util';

import { describe, expect, it } from '@jest/globals';

import { parseRedisUrl } from '../../../../lib/backends/redis/redis-url';

function failureOf(url: string): unknown {
  try {
    return parseRedisUrl(url);
  } catch (error) {
    return error;
  }
}

describe('a Redis URL', () => {
  it.each([
    ['redis://queue.example', { host: 'queue.example', port: 6379, db: 0, tls: false }],
    ['redis://queue.example/', { host: 'queue.example', port: 6379, db: 0, tls: false }],
    ['redis://127.0.0.1:6380/3', { host: '127.0.0.1', port: 6380, db: 3, tls: false }],
    ['rediss://queue.example:6380', { host: 'queue.example', port: 6380, db: 0, tls: true }],
    ['REDISS://queue.example', { host: 'queue.example', port: 6379, db: 0, tls: true }],
    ['redis://[::1]:6380/1/', { host: '::1', port: 6380, db: 1, tls: false }],
    ['redis://[::1]', { host: '::1', port: 6379, db: 0, tls: false }],
    [' redis://a:1\n', { host: 'a', port: 1, db: 0, tls: false }],
    ['redis://lane@a', { host: 'a', port: 6379, db: 0, tls: false, username: 'lane' }],
    ['redis://:secret@a', { host: 'a', port: 6379, db: 0, tls: false, password: 'secret' }],
    ['redis://@a', { host: 'a', port: 6379, db: 0, tls: false }],
    [
      'redis://lane:p%40ss%3A%2F%25@a:65535/0',
      { host: 'a', port: 65_535, db: 0, tls: false, username: 'lane', password: 'p@ss:/%' },
    ],
    [
      'redis://lane:p@ss:word@a',
      { host: 'a', port: 6379, db: 0, tls: false, username: 'lane', password: 'p@ss:word' },
    ],
    ['redis://a?family=0', { host: 'a', port: 6379, db: 0, tls: false, family: 0 }],
    ['redis://a/2?family=6', { host: 'a', port: 6379, db: 2, tls: false, family: 6 }],
  ])('says where the server is: %j', (url, address) => {
    expect(parseRedisUrl(url)).toEqual(address);
  });

  it.each([
    ['redis://', 'The host of the backend URL cannot be used: it must be the name or address of a server.'],
    [
      'redis:secret',
      'The beginning of the backend URL cannot be used: it must be "redis://" or "rediss://".',
    ],
    ['redis:/secret@a', 'The beginning'],
    ['redis:///0', 'The host'],
    ['redis://:6379', 'The host'],
    ['redis://user:secret@/0', 'The host'],
    ['redis://[::1', 'The host'],
    ['redis://a b', 'The host'],
    ['redis://a:secret', 'The port of the backend URL cannot be used: it must be a number from 1 to 65535.'],
    ['redis://a:', 'The port'],
    ['redis://a:0', 'The port'],
    ['redis://a:65536', 'The port'],
    ['redis://a:6379:secret', 'The port'],
    ['redis://a:99999999999', 'The port'],
    ['redis://a:-1', 'The port'],
    ['redis://a/secret', 'The path of the backend URL cannot be used: it must be the number of a database'],
    ['redis://a/1/2', 'The path'],
    ['redis://a/-1', 'The path'],
    ['redis://a//', 'The path'],
    ['redis://a:1/ss@secret:6379', 'The path'],
    ['redis://user:sec%ret@a', 'The password of the backend URL cannot be used: it must be percent-encoded'],
    ['redis://sec%ret@a', 'The user name'],
    ['redis://a?password=secret', 'The query of the backend URL cannot be used: it must be left out, or'],
    ['redis://a?family=5', 'The query'],
    ['redis://a/0#secret', 'The part after "#" of the backend URL cannot be used: it must be left out.'],
  ])('is refused, and not shown, when a part cannot be used: %j', (url, message) => {
    const error = failureOf(url);

    expect(error).toMatchObject({
      code: 'LANE_BAD_BACKEND_URL',
      message: expect.stringContaining(message),
    });
    expect(error).toMatchObject({
      message: expect.stringContaining('Write the URL as redis://user:password@host:6379/0'),
    });
    expect(inspect(error, { showHidden: true, depth: null })).not.toContain('secret');
  });

  it.each(['queue.example:6379', 'http://queue.example', '', 'secret@host'])(
    'is refused when it does not begin as one: %j',
    (url) => {
      const error = failureOf(url);

      expect(error).toMatchObject({ code: 'LANE_BACKEND_URL', known: ['redis', 'rediss'] });
      expect(inspect(error)).not.toContain('secret');
    },
  );
});
