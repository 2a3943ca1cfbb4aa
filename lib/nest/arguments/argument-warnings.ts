import { ARGUMENT_KIND } from '../nest-internals/argument-metadata';
import { SchemaPipe } from './schema.pipe';

/**
 * A parameter as Nest knows it when a handler is made.
 *
 * @internal
 */
export interface KnownParameter {
  readonly index: number;
  readonly type: unknown;
  /** Its class; `undefined` where the compiler noted none, `Object` for interfaces and the like. */
  readonly metatype?: unknown;
  readonly pipes?: readonly unknown[];
}

/**
 * Parameters with data of a job on which a validation pipe acts that cannot know by what: it would let anything pass.
 *
 * @param pipes - of the module, class and method
 * @returns their places
 *
 * @internal
 */
export function untypedArguments(pipes: readonly unknown[], parameters: readonly KnownParameter[]): number[] {
  return parameters
    .filter(
      ({ type, metatype }) => type === ARGUMENT_KIND.data && (metatype === undefined || metatype === Object),
    )
    .filter(({ pipes: own = [] }) => {
      const all = [...pipes, ...own];
      return all.some(isBlindValidation) && !all.some((pipe) => pipe instanceof SchemaPipe);
    })
    .map(({ index }) => index);
}

/**
 * Parameters with one of Nest's decorators for requests that no job can fill, such as `@Query()`.
 *
 * @returns their places
 *
 * @internal
 */
export function requestArguments(parameters: readonly KnownParameter[]): number[] {
  const kinds: unknown[] = Object.values(ARGUMENT_KIND);
  return parameters
    .filter(({ type }) => typeof type === 'number' && !kinds.includes(type))
    .map(({ index }) => index);
}

/** A `ValidationPipe` of whatever copy of Nest, or a class that extends it, that is not told what to expect. */
function isBlindValidation(pipe: unknown): boolean {
  for (
    let prototype: unknown = Object.getPrototypeOf(Object(pipe));
    prototype !== null;
    prototype = Object.getPrototypeOf(prototype)
  ) {
    if ((prototype as { constructor?: { name?: unknown } }).constructor?.name === 'ValidationPipe') {
      return (pipe as { expectedType?: unknown }).expectedType === undefined;
    }
  }
  return false;
}
