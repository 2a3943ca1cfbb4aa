import type { SchemaResult, StandardSchema } from './standard-schema';
import { after } from './thenable';
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

function told(result: SchemaResult<unknown>): Validated {
  return result.issues === undefined ? { value: result.value } : { issues: issuesOfSchema(result.issues) };
}
