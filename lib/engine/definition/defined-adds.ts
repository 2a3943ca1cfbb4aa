import { InvalidDataError } from '../../model/errors/invalid-data.error';
import { UnknownJobNameError } from '../../model/errors/unknown-job-name.error';
import { toJson } from '../../model/payload';
import { validate } from '../../model/schema-validation';
import { after } from '../../model/thenable';
import type { StandardSchema } from '../../model/standard-schema';
import { writeJobOptions, type StoredJobOptions } from '../../model/stored-job-options';
import type { DefinedJob, QueueDefinition } from './queue-definition';

/**
 * What jobs are stored with that say nothing themselves.
 *
 * @internal
 */
export interface AddTerms {
  /** The options of each that does not say otherwise, and their JSON. */
  readonly defaults: StoredJobOptions;
  readonly defaultsJson: string;
  readonly version: number | undefined;
}

/**
 * What a definition asks of the jobs of one name that are added.
 *
 * @internal
 */
export interface AddRule extends AddTerms {
  /**
   * Validates data that was written as JSON, now or, where the schema is asynchronous, later.
   *
   * @returns JSON of what is stored
   * @throws InvalidDataError, or what the schema throws
   */
  accept(json: string): string | Promise<string>;
}

/**
 * What a definition asks of the jobs that are added to its queue.
 *
 * @internal
 */
export class DefinedAdds {
  readonly #rules: ReadonlyMap<string, AddRule>;

  /** @param defaults - options of the queue, over which those of a name count */
  constructor(
    private readonly definition: QueueDefinition,
    defaults: StoredJobOptions,
  ) {
    this.#rules = new Map(
      Object.values(definition.jobs).map((job) => [job.name, ruleOf(job, { ...defaults, ...job.options })]),
    );
  }

  /** @throws UnknownJobNameError for a name that the definition does not have */
  of(jobName: string): AddRule {
    const rule = this.#rules.get(jobName);
    if (rule === undefined) {
      throw new UnknownJobNameError(jobName, this.definition.name, [...this.#rules.keys()]);
    }
    return rule;
  }
}

function ruleOf(job: DefinedJob, defaults: StoredJobOptions): AddRule {
  const { schema, version, validate: when = 'both' } = job;
  const rule = { defaults, defaultsJson: writeJobOptions(defaults), version };
  return schema === undefined || when === 'run' || when === 'none'
    ? { ...rule, accept: (json) => json }
    : { ...rule, accept: (json) => accept(job, schema, when, json) };
}

function accept(
  job: DefinedJob,
  schema: StandardSchema,
  when: 'enqueue' | 'both',
  json: string,
): string | Promise<string> {
  return after(validate(schema, JSON.parse(json)), ({ value, issues }) => {
    if (issues !== undefined) {
      throw new InvalidDataError(job.name, job.queue, issues);
    }
    const made = toJson(value, '{}', 'data', job.name);
    // What the schema has not changed it will not change when the job runs.
    return when === 'enqueue' || made === json
      ? made
      : after(isTakenAsItIs(schema, made, job.name), (isTaken) => (isTaken ? made : json));
  });
}

/** Whether a schema leaves what it has made as it is. One that turns texts into numbers does not take the numbers. */
function isTakenAsItIs(schema: StandardSchema, made: string, jobName: string): boolean | Promise<boolean> {
  return after(
    validate(schema, JSON.parse(made)),
    ({ value, issues }) => issues === undefined && toJson(value, '{}', 'data', jobName) === made,
  );
}
