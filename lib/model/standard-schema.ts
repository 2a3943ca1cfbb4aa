/**
 * A schema of any library that follows the Standard Schema specification, such as Zod, Valibot or ArkType. Only its
 * shape counts, so no such library is needed.
 *
 * @typeParam Input - what it takes
 * @typeParam Output - what it makes of that
 *
 * @public
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    /** The library's name. */
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    /** For the compiler. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/**
 * What a schema says of a value: what it makes of it, or what is wrong.
 *
 * @public
 */
export type SchemaResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] };

/**
 * One thing that is wrong with a value.
 *
 * @public
 */
export interface SchemaIssue {
  readonly message: string;
  /** From the value inwards. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/**
 * What a schema takes.
 *
 * @public
 */
export type SchemaInput<Schema extends StandardSchema> = NonNullable<Schema['~standard']['types']>['input'];

/**
 * What a schema makes of what it takes.
 *
 * @public
 */
export type SchemaOutput<Schema extends StandardSchema> = NonNullable<Schema['~standard']['types']>['output'];

/**
 * Whether a value is a schema. Those of ArkType are functions.
 *
 * @internal
 */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) {
    return false;
  }
  const { '~standard': standard } = value as Partial<StandardSchema>;
  return typeof standard === 'object' && standard !== null && typeof standard.validate === 'function';
}
