import { InvalidHeadersError } from './errors/invalid-headers.error';
import { showValue } from './errors/show-value';
import { isOptionsObject } from './option-names';

/**
 * Headers of a job: texts by name, in lower case. An object without a prototype, so that no name finds anything else.
 *
 * @public
 */
export type JobHeaders = Readonly<Record<string, string>>;

/**
 * Headers as they are given. Names are taken in any case; one whose value is `undefined` is not given.
 *
 * @public
 */
export type HeadersInput = Readonly<Record<string, string | undefined>>;

/**
 * Most headers of a job.
 *
 * @internal
 */
export const MAX_HEADERS = 64;

/**
 * Most bytes that the headers of a job may take as JSON.
 *
 * @internal
 */
export const MAX_HEADERS_SIZE = 8_192;

/** A token of HTTP, so that headers of a request can be handed on as they are. */
const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/;

/**
 * What a job has that has no headers.
 *
 * @internal
 */
export const NO_HEADERS: JobHeaders = Object.freeze(Object.create(null) as JobHeaders);

/**
 * Headers with their names in lower case, as they are stored and looked up.
 *
 * @returns `NO_HEADERS` where there are none
 * @throws InvalidHeadersError for what are no headers, and for two names that differ in their case alone
 *
 * @internal
 */
export function parseHeaders(value: unknown): JobHeaders {
  if (!isOptionsObject(value)) {
    throw new InvalidHeadersError(
      `It is ${showValue(value)}; it must be an object of texts by name, such as { "x-tenant-id": "7" }.`,
    );
  }
  const headers = Object.create(null) as Record<string, string>;
  let count = 0;
  for (const [given, text] of Object.entries(value) as [string, unknown][]) {
    if (text === undefined) {
      continue;
    }
    const name = checkName(given);
    if (name in headers) {
      throw new InvalidHeadersError(`Names are the same in any case, and "${name}" is given twice.`);
    }
    if (typeof text !== 'string') {
      throw new InvalidHeadersError(`"${name}" is of type ${typeOf(text)}; its value must be a text.`);
    }
    headers[name] = text;
    count += 1;
  }
  return count === 0 ? NO_HEADERS : headers;
}

/**
 * Headers of both kinds.
 *
 * @param over - they win where both have one
 *
 * @internal
 */
export function mergeHeaders(headers: JobHeaders, over: JobHeaders): JobHeaders {
  if (headers === NO_HEADERS) {
    return over;
  }
  return over === NO_HEADERS ? headers : (Object.assign(Object.create(null), headers, over) as JobHeaders);
}

/**
 * The name under which a header is looked up.
 *
 * @throws InvalidHeadersError for what no header can be called
 *
 * @internal
 */
export function checkHeaderName(value: unknown): string {
  if (typeof value !== 'string') {
    throw new InvalidHeadersError(`A name is ${showValue(value)}; it must be a text.`);
  }
  return checkName(value);
}

/**
 * Headers as they are stored, as JSON.
 *
 * @returns `undefined` where there are none
 * @throws InvalidHeadersError when there are too many, or they take too many bytes
 *
 * @internal
 */
export function writeHeaders(headers: JobHeaders): string | undefined {
  if (headers === NO_HEADERS) {
    return undefined;
  }
  const count = Object.keys(headers).length;
  if (count > MAX_HEADERS) {
    throw new InvalidHeadersError(`There are ${count}; a job has at most ${MAX_HEADERS}.`);
  }
  const json = JSON.stringify(headers);
  const size = Buffer.byteLength(json);
  if (size > MAX_HEADERS_SIZE) {
    throw new InvalidHeadersError(
      `They take ${size} bytes as JSON, of at most ${MAX_HEADERS_SIZE}. What is larger belongs into the data.`,
    );
  }
  return json;
}

/**
 * Reads headers as they are stored. What others have stored there and is no such text is none.
 *
 * @internal
 */
export function readHeaders(json: string | null): JobHeaders {
  if (json === null) {
    return NO_HEADERS;
  }
  try {
    return Object.freeze(parseHeaders(JSON.parse(json)));
  } catch {
    return NO_HEADERS;
  }
}

function checkName(name: string): string {
  if (!NAME.test(name)) {
    throw new InvalidHeadersError(
      `${showValue(name)} is no name; it must have 1 to 128 letters, digits, or any of !#$%&'*+-.^_\`|~.`,
    );
  }
  return name.toLowerCase();
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : typeof value;
}
