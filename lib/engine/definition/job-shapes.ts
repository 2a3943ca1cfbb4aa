/* eslint-disable @typescript-eslint/no-explicit-any -- untyped queues are used as in BullMQ */
import type { Job } from '../job';
import type { BulkJob, Queue } from '../queue';
import type { JobDefinitions, QueueDefinition } from './queue-definition';

/**
 * The types of the jobs of one name.
 *
 * @public
 */
export interface JobShape<Input = any, Result = any, AnyJob extends Job = Job, Bulk = any> {
  /** What `add` takes. */
  readonly input: Input;
  /** What handlers return. */
  readonly result: Result;
  /** The job as it is read. */
  readonly job: AnyJob;
  /** The job as `addBulk` takes it. */
  readonly bulk: Bulk;
}

/**
 * The types of the jobs of a queue, by name.
 *
 * @public
 */
export type JobShapes<Name extends string = string> = { readonly [Each in Name]: JobShape };

/**
 * The types of a queue whose jobs are all alike.
 *
 * @public
 */
export type UniformShapes<Data, Result, Name extends string> = {
  readonly [Each in Name]: JobShape<Data, Result, Job<Data, Result, Name>, BulkJob<Data, Name>>;
};

/**
 * The types of the jobs of a definition, by name.
 *
 * @public
 */
export type ShapesOf<Jobs extends JobDefinitions> = {
  readonly [Name in keyof Jobs & string]: JobShape<
    NonNullable<Jobs[Name]['types']>['input'],
    NonNullable<Jobs[Name]['types']>['result'],
    Job<NonNullable<Jobs[Name]['types']>['data'], NonNullable<Jobs[Name]['types']>['result'], Name>,
    BulkJob<NonNullable<Jobs[Name]['types']>['input'], Name>
  >;
};

/**
 * The types that a definition carries.
 *
 * @public
 */
export interface QueueTypes<Data, Result, Name extends string, Shapes extends JobShapes<Name>> {
  readonly data: Data;
  readonly result: Result;
  readonly name: Name;
  readonly shapes: Shapes;
}

/**
 * A definition, as the constructors of `Queue` and `Worker` take it.
 *
 * @public
 */
export interface DefinedQueue<Data, Result, Name extends string, Shapes extends JobShapes<Name>> {
  readonly name: string;
  readonly jobs: object;
  readonly types?: QueueTypes<Data, Result, Name, Shapes>;
}

/**
 * The queue of a definition: names, data and results of its jobs are checked together.
 *
 * @example
 * ```ts
 * constructor(@InjectQueue(Email) private readonly email: QueueOf<typeof Email>) {}
 * ```
 *
 * @public
 */
export type QueueOf<Definition extends QueueDefinition> =
  Definition extends QueueDefinition<infer Jobs>
    ? Queue<
        ShapesOf<Jobs>[keyof Jobs & string]['job']['data'],
        ShapesOf<Jobs>[keyof Jobs & string]['result'],
        keyof Jobs & string,
        ShapesOf<Jobs>
      >
    : never;

/**
 * Names of the jobs of a definition.
 *
 * @public
 */
export type JobNameOf<Definition extends QueueDefinition> = keyof Definition['jobs'] & string;

/**
 * The jobs of a definition, as handlers are given them: those of one name, or all of them, told apart by their `name`.
 *
 * @example
 * ```ts
 * \@Process(Email.jobs.send)
 * send(job: JobOf<typeof Email, 'send'>): Promise<Receipt> {
 *   return this.mailer.send(job.data);
 * }
 * ```
 *
 * @public
 */
export type JobOf<
  Definition extends QueueDefinition,
  Name extends JobNameOf<Definition> = JobNameOf<Definition>,
> =
  Definition extends QueueDefinition<infer Jobs> ? ShapesOf<Jobs>[Name & keyof Jobs & string]['job'] : never;
