import { textProperty } from './errors/text-property';
import { UnserializableDataError } from './errors/unserializable-data.error';

/**
 * Writes a value as JSON, once, before it is buffered or sent.
 *
 * @param value - any JSON value; `undefined` becomes `whenUndefined`
 * @param whenUndefined - the JSON that stands for `undefined`: `{}` for data, `null` for results
 * @param what - names the value in the error
 * @param jobName - names its job in the error
 * @throws UnserializableDataError for values that refer to themselves, hold a BigInt, or are functions or symbols
 *
 * @internal
 */
export function toJson(
  value: unknown,
  whenUndefined: '{}' | 'null',
  what: 'data' | 'progress' | 'result',
  jobName: string,
): string {
  if (value === undefined) {
    return whenUndefined;
  }
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    throw new UnserializableDataError(what, jobName, ...reasonOf(error));
  }
  if (text === undefined) {
    const kind = typeof value === 'object' ? 'its toJSON method returns nothing' : `it is a ${typeof value}`;
    throw new UnserializableDataError(what, jobName, kind);
  }
  return text;
}

/**
 * Why the encoder gave up. Its own message quotes keys of the payload, so only the kind is told; an error that the
 * caller's code threw meanwhile is the cause.
 */
function reasonOf(error: unknown): [why: string, options?: ErrorOptions] {
  const name = textProperty(error, 'name');
  const message = textProperty(error, 'message') ?? '';
  if (name === 'TypeError' && message.startsWith('Converting circular structure')) {
    return ['it refers to itself'];
  }
  if (name === 'TypeError' && message.startsWith('Do not know how to serialize a BigInt')) {
    return ['it holds a BigInt'];
  }
  if (name === 'RangeError' && message.startsWith('Maximum call stack')) {
    return ['it is nested too deeply'];
  }
  if (name === 'RangeError' && message.startsWith('Invalid string length')) {
    return ['it is too long'];
  }
  return ['a toJSON method or a getter of it threw an error', { cause: error }];
}
