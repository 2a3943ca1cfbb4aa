import { inspect } from 'node:util';

/**
 * A place at which a value is not what was expected.
 *
 * @internal
 */
export interface Difference {
  /** Such as `data.to`. */
  readonly path: string;
  readonly expected: string;
  readonly received: string;
}

interface Asymmetric {
  asymmetricMatch(value: unknown): boolean;
}

/**
 * Where a value differs from what is expected of it. Both are taken as JSON has them, since that is how jobs are kept: a
 * date is its text, and what is `undefined` is not there. Asymmetric matchers of Jest and Vitest stand for what they match.
 *
 * @param isPart - whether the value may have more than is expected, at its top
 *
 * @internal
 */
export function differences(
  expected: unknown,
  received: unknown,
  path: string,
  isPart = false,
): Difference[] {
  if (isAsymmetric(expected)) {
    return expected.asymmetricMatch(received) ? [] : [difference(path, expected, received)];
  }
  const wanted = asJson(expected);
  if (!isObject(wanted) || !isObject(received) || Array.isArray(wanted) !== Array.isArray(received)) {
    return Object.is(wanted, received) ? [] : [difference(path, wanted, received)];
  }
  const keys = new Set([...keysOf(wanted), ...(isPart ? [] : keysOf(received))]);
  return [...keys].flatMap((key) => differences(wanted[key], received[key], pathTo(path, key, wanted)));
}

/** How a value is shown. @internal */
export function shown(value: unknown): string {
  if (isAsymmetric(value)) {
    const { toAsymmetricMatcher } = value as { toAsymmetricMatcher?: () => string };
    return typeof toAsymmetricMatcher === 'function' ? toAsymmetricMatcher.call(value) : inspect(value);
  }
  return inspect(value, { depth: 6, breakLength: 100, sorted: true });
}

function difference(path: string, expected: unknown, received: unknown): Difference {
  return { path, expected: shown(expected), received: received === undefined ? 'nothing' : shown(received) };
}

function isAsymmetric(value: unknown): value is Asymmetric {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Partial<Asymmetric>).asymmetricMatch === 'function'
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** What JSON makes of one value, not of those in it, which may be matchers. */
function asJson(value: unknown): unknown {
  const { toJSON } = isObject(value) ? (value as { toJSON?: () => unknown }) : {};
  const json = typeof toJSON === 'function' ? toJSON.call(value) : value;
  return typeof json === 'number' && !Number.isFinite(json) ? null : Object.is(json, -0) ? 0 : json;
}

function keysOf(value: Record<string, unknown>): string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined);
}

function pathTo(path: string, key: string, parent: object): string {
  return Array.isArray(parent) ? `${path}[${key}]` : `${path}.${key}`;
}
