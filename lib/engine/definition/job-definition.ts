/* eslint-disable @typescript-eslint/no-explicit-any -- what is not said of a type is any, as in untyped queues */
import { InvalidDefinitionError } from '../../model/errors/invalid-definition.error';
import {
  DEFAULT_JOB_OPTION_NAMES,
  parseDefaultJobOptions,
  type DefaultJobOptions,
} from '../../model/job-options';
import { refuseUnknownOptions } from '../../model/option-names';
import {
  isStandardSchema,
  type SchemaInput,
  type SchemaOutput,
  type StandardSchema,
} from '../../model/standard-schema';
import type { StoredJobOptions } from '../../model/stored-job-options';
import { DEFINITION, type Defined } from './definition-brand';

/**
 * When data is held against the schema of its job: as it is added, before it runs, both, or never.
 *
 * @public
 */
export type ValidateWhen = 'enqueue' | 'run' | 'both' | 'none';

const VALIDATE_WHEN: readonly unknown[] = ['enqueue', 'run', 'both', 'none'] satisfies ValidateWhen[];

/**
 * What is said of the jobs of one name: their schema and version, and options that hold for each of them unless `add`
 * says otherwise. They count more than the `defaultJobOptions` of the queue.
 *
 * @public
 */
export interface JobDefinitionOptions extends DefaultJobOptions {
  /**
   * Describes the data as JSON: what is added, and what handlers are given, goes through it. Any Standard Schema. Default
   * none: whatever is JSON.
   */
  schema?: StandardSchema;
  /** Number of this form of the data, 1 or higher, which is stored with each job. Default 1. */
  version?: number;
  /**
   * Brings data that was stored under an older `version` into the present form, before it is validated and run. Jobs
   * that are stored without a version, such as those of BullMQ's clients, are of version 1.
   */
  upcast?: (data: any, fromVersion: number) => unknown;
  /**
   * When data is held against `schema`; only given where that is. Default: what the queue's definition says, else
   * `both`.
   */
  validate?: ValidateWhen;
}

const OPTION_NAMES: readonly (keyof JobDefinitionOptions)[] = [
  'schema',
  'version',
  'upcast',
  'validate',
  ...DEFAULT_JOB_OPTION_NAMES,
];

/**
 * The jobs of one name, as `job()` makes them for `defineQueue`.
 *
 * @typeParam Input - what `add` takes
 * @typeParam Data - what handlers are given
 * @typeParam Result - what handlers return
 *
 * @public
 */
export class JobDefinition<Input = unknown, Data = unknown, Result = unknown> implements Defined {
  /** For the compiler; never there. */
  declare readonly types?: { readonly input: Input; readonly data: Data; readonly result: Result };
  /** @internal */
  readonly [DEFINITION]: string = 'job';
  readonly schema: StandardSchema | undefined;
  /** `undefined` where none was given, which is version 1. */
  readonly version: number | undefined;
  readonly upcast: ((data: any, fromVersion: number) => unknown) | undefined;
  /** `undefined` for what the queue's definition says. */
  readonly validate: ValidateWhen | undefined;
  /** Those that were given, durations resolved. */
  readonly options: Readonly<StoredJobOptions>;

  /** @internal */
  constructor({ schema, version, upcast, validate, options }: JobDefinitionParts) {
    this.schema = schema;
    this.version = version;
    this.upcast = upcast;
    this.validate = validate;
    this.options = options;
  }
}

/** @internal */
export type JobDefinitionParts = Pick<
  JobDefinition,
  'schema' | 'version' | 'upcast' | 'validate' | 'options'
>;

/**
 * Defines the jobs of one name, for `defineQueue`.
 *
 * @typeParam Schema - `typeof` the schema, from which both forms of the data come
 * @typeParam Result - what handlers return. Default `unknown`
 *
 * @example
 * ```ts
 * const Letter = z.object({ to: z.email(), template: z.string() });
 *
 * job({ schema: Letter, attempts: 3, backoff: '10s' });
 * job<typeof Letter, Receipt>({ schema: Letter });
 * job<{ userId: string }, void>({ timeout: '30s' });
 * ```
 *
 * @throws InvalidDefinitionError, UnknownOptionError, InvalidOptionsError, or the error of a bad job option
 *
 * @public
 */
export function job<Schema extends StandardSchema<any, any>, Result = unknown>(
  options: JobDefinitionOptions & { schema: Schema },
): JobDefinition<SchemaInput<Schema>, SchemaOutput<Schema>, Result>;
/**
 * Defines the jobs of one name by types alone, or with a schema that makes them.
 *
 * @typeParam Data - what `add` takes and handlers are given. Default `unknown`
 * @typeParam Result - what handlers return. Default `unknown`
 *
 * @public
 */
export function job<Data = unknown, Result = unknown>(
  options?: JobDefinitionOptions & { schema?: StandardSchema<any, Data> },
): JobDefinition<Data, Data, Result>;
export function job(options: JobDefinitionOptions = {}): JobDefinition {
  refuseUnknownOptions('job()', options, OPTION_NAMES);
  const { schema, version, upcast, validate, ...jobOptions } = options;
  if (schema !== undefined && !isStandardSchema(schema)) {
    throw new InvalidDefinitionError(
      'Option "schema" of job()',
      schema,
      'a Standard Schema',
      'Give a schema of Zod 3.24, Valibot 1 or ArkType 2 and later, or of any library that has "~standard".',
    );
  }
  if (version !== undefined && !(Number.isSafeInteger(version) && version >= 1)) {
    throw new InvalidDefinitionError(
      'Option "version" of job()',
      version,
      'an integer of at least 1',
      'Begin with 1, and add 1 with every change that older data does not fit.',
    );
  }
  if (upcast !== undefined && typeof upcast !== 'function') {
    throw new InvalidDefinitionError(
      'Option "upcast" of job()',
      upcast,
      'a function of the data and its version',
      'Give (data, fromVersion) => what the data would be today.',
    );
  }
  if (upcast !== undefined && version === undefined) {
    throw new InvalidDefinitionError(
      'Option "version" of job()',
      version,
      'given where "upcast" is',
      'Give the number of the form that upcast makes.',
    );
  }
  if (checkValidate('job()', validate) !== undefined && schema === undefined) {
    throw new InvalidDefinitionError(
      'Option "validate" of job()',
      validate,
      'given with a schema',
      'Give the schema to hold the data against, or leave "validate" out.',
    );
  }
  return Object.freeze(
    new JobDefinition({
      schema,
      version,
      upcast,
      validate,
      options: Object.freeze(parseDefaultJobOptions(jobOptions, 'job()')),
    }),
  );
}

/**
 * Checks when to validate.
 *
 * @throws InvalidDefinitionError
 *
 * @internal
 */
export function checkValidate(where: string, validate: ValidateWhen | undefined): ValidateWhen | undefined {
  if (validate !== undefined && !VALIDATE_WHEN.includes(validate)) {
    throw new InvalidDefinitionError(
      `Option "validate" of ${where}`,
      validate,
      `"enqueue", "run", "both" or "none"`,
      'Leave it out for both.',
    );
  }
  return validate;
}
