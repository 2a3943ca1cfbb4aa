import 'reflect-metadata';

/**
 * What a decorator writes of one method.
 *
 * @internal
 */
export interface MethodMetadata {
  readonly method: string | symbol;
}

/**
 * Writes one more entry to those that the methods of a prototype have.
 *
 * @internal
 */
export function addMethodMetadata<Entry extends MethodMetadata>(
  key: string,
  prototype: object,
  entry: Entry,
): void {
  Reflect.defineMetadata(key, [...methodMetadataOf(key, prototype), entry], prototype);
}

/**
 * The entries that a prototype has itself.
 *
 * @internal
 */
export function methodMetadataOf<Entry extends MethodMetadata>(key: string, prototype: object): Entry[] {
  return (Reflect.getOwnMetadata(key, prototype) ?? []) as Entry[];
}
