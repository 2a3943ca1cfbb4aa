import type { SchemaResult, StandardSchema } from './standard-schema';
import { issuesOfSchema, type ValidationIssue } from './validation-issues';

/**
 * What became of a value: what the schema makes of it, or what is wrong with it.
 *
 * @internal
 */
export type Validated =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly value?: undefined; readonly issues: readonly ValidationIssue[] };

/**
 * Holds a value against a schema. What the schema answers at once is known at once.
 *
 * @throws what the schema throws
 *
 * @internal
 */
export function validate(schema: StandardSchema, value: unknown): Validated | Promise<Validated> {
  return after(schema['~standard'].validate(value), told);
}

/**
 * Goes on with what is known: at once where it is known already.
 *
 * @internal
 */
export function after<T, R>(value: T | Promise<T>, goOn: (value: T) => R | Promise<R>): R | Promise<R> {
  return isPromise(value) ? value.then(goOn) : goOn(value);
}

/**
 * Whether something has to be waited for, from whatever realm it comes.
 *
 * @internal
 */
export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

function told(result: SchemaResult<unknown>): Validated {
  return result.issues === undefined ? { value: result.value } : { issues: issuesOfSchema(result.issues) };
}
