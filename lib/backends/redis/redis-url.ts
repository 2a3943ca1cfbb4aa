import { InvalidBackendUrlError } from '../../model/errors/invalid-backend-url.error';
import { UnknownBackendUrlError } from '../../model/errors/unknown-backend-url.error';

/**
 * What a Redis URL says.
 *
 * @internal
 */
export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  /** Number of the database. */
  readonly db: number;
  /** Whether the scheme is `rediss:`. */
  readonly tls: boolean;
  readonly username?: string;
  readonly password?: string;
  /** 4 or 6: what the name of the host is looked up as; 0: either. */
  readonly family?: number;
}

const SCHEMES = ['redis', 'rediss'];
const FORM = 'redis://user:password@host:6379/0';
/** Scheme, user info, host with port, path, query, fragment. */
const URL_PARTS = /^(rediss?):\/\/(?:([^/?#]*)@)?([^/?#]*)([^?#]*)(?:\?([^#]*))?(#.*)?$/is;
const HOST_AND_PORT = /^(\[[\da-f:.]+\]|[^\s:[\]]+)(?::(.*))?$/is;
const DEFAULT_PORT = '6379';
const LAST_PORT = 65_535;

/**
 * Reads a Redis URL: `redis://user:password@host:6379/0`, or `rediss:` for TLS. Port and database may be left out, as
 * may the query `?family=…` of hosting providers.
 *
 * It is read part by part rather than by `URL`, whose errors show what they were given.
 *
 * @throws UnknownBackendUrlError for another scheme, InvalidBackendUrlError for a part that cannot be used
 *
 * @internal
 */
export function parseRedisUrl(url: string): RedisAddress {
  const parts = URL_PARTS.exec(url.trim());
  if (parts === null) {
    throw /^rediss?:/i.test(url.trim())
      ? refused('beginning', '"redis://" or "rediss://"')
      : new UnknownBackendUrlError(url, SCHEMES);
  }
  const [, scheme = '', login, authority = '', path = '', query = '', fragment] = parts;
  const [, host, port = DEFAULT_PORT] = HOST_AND_PORT.exec(authority) ?? [];
  if (host === undefined) {
    throw refused('host', 'the name or address of a server');
  }
  if (fragment !== undefined) {
    throw refused('part after "#"', 'left out');
  }
  return {
    host: host.replace(/^\[|\]$/g, ''),
    port: portOf(port),
    db: databaseOf(path),
    tls: scheme.toLowerCase() === 'rediss',
    ...loginOf(login),
    ...familyOf(query),
  };
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > LAST_PORT) {
    throw refused('port', `a number from 1 to ${LAST_PORT}`);
  }
  return port;
}

function databaseOf(path: string): number {
  if (path === '' || path === '/') {
    return 0;
  }
  const [, number] = /^\/(\d{1,9})\/?$/.exec(path) ?? [];
  if (number === undefined) {
    throw refused('path', 'the number of a database, such as /0');
  }
  return Number(number);
}

function loginOf(login: string | undefined): { username?: string; password?: string } {
  if (login === undefined || login === '') {
    return {};
  }
  const colon = login.indexOf(':');
  const username = decoded('user name', colon === -1 ? login : login.slice(0, colon));
  const password = colon === -1 ? '' : decoded('password', login.slice(colon + 1));
  return { ...(username !== '' && { username }), ...(password !== '' && { password }) };
}

function decoded(part: string, text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refused(part, 'percent-encoded: "%25" for a percent sign');
  }
}

function familyOf(query: string): { family?: number } {
  if (query === '') {
    return {};
  }
  const [, family] = /^family=([046])$/.exec(query) ?? [];
  if (family === undefined) {
    throw refused('query', 'left out, or family=4 or family=6');
  }
  return { family: Number(family) };
}

function refused(part: string, rule: string): InvalidBackendUrlError {
  return new InvalidBackendUrlError(part, rule, FORM);
}
