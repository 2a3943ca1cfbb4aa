import { InvalidDefinitionError } from '../../model/errors/invalid-definition.error';
import { InvalidJobNameError } from '../../model/errors/invalid-job-name.error';
import { showValue } from '../../model/errors/show-value';
import { isOptionsObject, refuseUnknownOptions } from '../../model/option-names';
import { checkQueueName } from '../../model/queue-options';
import { DEFINITION, type Defined, isDefined } from './definition-brand';
import { checkValidate, JobDefinition, type JobDefinitionParts, type ValidateWhen } from './job-definition';
import type { QueueTypes, ShapesOf } from './job-shapes';

/**
 * Jobs by their names, each made by `job()`.
 *
 * @public
 */
export type JobDefinitions = Readonly<Record<string, JobDefinition>>;

/**
 * The jobs of one name of a defined queue: `Email.jobs.send`.
 *
 * @public
 */
export class DefinedJob<
  Input = unknown,
  Data = unknown,
  Result = unknown,
  Name extends string = string,
> extends JobDefinition<Input, Data, Result> {
  /** @internal */
  override readonly [DEFINITION] = 'queue.job';

  /** @internal */
  constructor(
    /** Name of its queue. */
    readonly queue: string,
    readonly name: Name,
    parts: JobDefinitionParts,
  ) {
    super(parts);
  }
}

/**
 * What `defineQueue` is told besides the jobs.
 *
 * @public
 */
export interface DefineQueueOptions {
  /** When data is held against its schema, where the job does not say. Default `both`. */
  validate?: ValidateWhen;
}

/**
 * A queue whose jobs are known: their names, the types of their data and results, their schemas and options. Made by
 * `defineQueue`.
 *
 * @public
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a definition of whatever jobs
export class QueueDefinition<Jobs extends JobDefinitions = any> implements Defined {
  /** For the compiler; never there. */
  declare readonly types?: QueueTypes<
    ShapesOf<Jobs>[keyof Jobs & string]['job']['data'],
    ShapesOf<Jobs>[keyof Jobs & string]['result'],
    keyof Jobs & string,
    ShapesOf<Jobs>
  >;
  /** @internal */
  readonly [DEFINITION] = 'queue';

  /** @internal */
  constructor(
    /** Name of the queue. */
    readonly name: string,
    /** The jobs, by name. */
    readonly jobs: {
      readonly [Name in keyof Jobs & string]: DefinedJob<
        NonNullable<Jobs[Name]['types']>['input'],
        NonNullable<Jobs[Name]['types']>['data'],
        NonNullable<Jobs[Name]['types']>['result'],
        Name
      >;
    },
  ) {}
}

/**
 * Defines a queue in one place, for those who add its jobs and those who handle them: which jobs there are, the types
 * of their data and results, their schemas and options. It makes no queue and opens nothing.
 *
 * @param name - of the queue: any text without a colon
 * @param jobs - by name, each made by `job()`
 * @throws InvalidQueueNameError, InvalidJobNameError, InvalidDefinitionError, UnknownOptionError, InvalidOptionsError
 *
 * @example
 * ```ts
 * export const Email = defineQueue('email', {
 *   send: job({ schema: Letter, attempts: 3, timeout: '30s' }),
 *   digest: job<{ userId: string }, void>(),
 * });
 *
 * const queue = new Queue(Email, { backend: memory() });
 * await queue.add('send', { to: 'a@example.com', template: 'welcome' });
 * ```
 *
 * @public
 */
export function defineQueue<Jobs extends JobDefinitions>(
  name: string,
  jobs: Jobs,
  options: DefineQueueOptions = {},
): QueueDefinition<Jobs> {
  checkQueueName(name);
  refuseUnknownOptions('defineQueue', options, ['validate']);
  const validate = checkValidate('defineQueue', options.validate);
  if (!isOptionsObject(jobs) || Object.keys(jobs).length === 0) {
    throw new InvalidDefinitionError(
      'What defineQueue was given as jobs',
      jobs,
      'an object with at least one job',
      "Give them by name, such as defineQueue('email', { send: job() }).",
    );
  }
  const defined = Object.entries(jobs).map(([jobName, made]: [string, unknown]) => {
    if (jobName === '') {
      throw new InvalidJobNameError(jobName);
    }
    if (!isDefined('job', made)) {
      throw new InvalidDefinitionError(
        `Job ${showValue(jobName)} of defineQueue`,
        made,
        'made by job()',
        `Write ${jobName}: job({ … }).`,
      );
    }
    const parts = made as JobDefinition;
    const bound = new DefinedJob(name, jobName, { ...parts, validate: parts.validate ?? validate });
    return [jobName, Object.freeze(bound)] as const;
  });
  return Object.freeze(new QueueDefinition<Jobs>(name, Object.freeze(Object.fromEntries(defined)) as never));
}

/**
 * Whether a value was made by `defineQueue`.
 *
 * @internal
 */
export function isQueueDefinition(value: unknown): value is QueueDefinition {
  return isDefined('queue', value);
}

/**
 * The name of a queue that is given by its name or its definition; what is neither is given back as it is.
 *
 * @internal
 */
export function queueNameOf(queue: unknown): unknown {
  return isQueueDefinition(queue) ? queue.name : queue;
}
