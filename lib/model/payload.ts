import { UnserializableDataError } from './errors/unserializable-data.error';

/**
 * Writes a value as JSON, once, before it is buffered or sent.
 *
 * @param value - any JSON value; `undefined` becomes `whenUndefined`
 * @param whenUndefined - the JSON that stands for `undefined`: `{}` for data, `null` for results
 * @param what - names the value in the error, such as `data of job "send"`
 * @throws UnserializableDataError for values that refer to themselves, hold a BigInt, or are functions or symbols
 *
 * @internal
 */
export function toJson(value: unknown, whenUndefined: '{}' | 'null', what: string): string {
  if (value === undefined) {
    return whenUndefined;
  }
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    throw new UnserializableDataError(what, error);
  }
  if (text === undefined) {
    throw new UnserializableDataError(what);
  }
  return text;
}
