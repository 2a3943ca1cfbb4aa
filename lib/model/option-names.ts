import { UnknownOptionError } from './errors/unknown-option.error';

/**
 * Refuses options that hold a name which is not known there.
 *
 * @param where - the call, for the error
 * @throws UnknownOptionError for the first unknown name
 *
 * @internal
 */
export function refuseUnknownOptions(where: string, options: object, known: readonly string[]): void {
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) {
      throw new UnknownOptionError(where, name, known);
    }
  }
}
