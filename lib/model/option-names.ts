import { InvalidOptionsError } from './errors/invalid-options.error';
import { UnknownOptionError } from './errors/unknown-option.error';

/**
 * Refuses options that hold a name which is not known there. What is ignored is not noticed: a number in place of
 * options, or a promise of them, is refused as well.
 *
 * @param where - the call, for the error
 * @throws InvalidOptionsError for something else than an object, UnknownOptionError for the first unknown name
 *
 * @internal
 */
export function refuseUnknownOptions(where: string, options: unknown, known: readonly string[]): void {
  if (!isOptionsObject(options)) {
    throw new InvalidOptionsError(where, options, known);
  }
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) {
      throw new UnknownOptionError(where, name, known);
    }
  }
}

/**
 * Whether a value holds options by name: a plain object, one of a class of the caller's, a module, but no array, date, map,
 * promise and the like.
 *
 * @internal
 */
export function isOptionsObject(value: unknown): value is object {
  const tag = Object.prototype.toString.call(value);
  return tag === '[object Object]' || tag === '[object Module]';
}
