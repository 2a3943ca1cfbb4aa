import { isDefined } from '../../engine/definition/definition-brand';
import type { DefinedJob } from '../../engine/definition/queue-definition';
import type { Duration } from '../../model/duration';
import type { HandlerDecorator } from './handler-return';
import { addMethodMetadata } from './method-metadata';

/** @internal */
export const HANDLERS_METADATA = 'lane:handlers';

/**
 * What becomes of the values that a stream emits before its last one.
 *
 * @public
 */
export type Emissions = 'progress' | 'ignore';

/**
 * Options of a handler.
 *
 * @public
 */
export interface ProcessOptions {
  /**
   * Most jobs that the handler has at once. It caps, and never adds to, the concurrency of the queue's worker: over
   * it, jobs wait with their lease kept and hold a slot of the worker meanwhile, so jobs of other names get fewer.
   * A queue of its own isolates better. Default: as many as the worker has.
   */
  concurrency?: number;
  /**
   * Time that an attempt may take, from when the handler begins, unless the job says otherwise; it counts in place of the
   * `timeout` of the worker, whose `timeoutGrace` holds. A bare number is milliseconds. Default: that of the worker.
   */
  timeout?: Duration;
  /**
   * What the values are that the handler emits or yields before its result, if it returns an Observable, an async generator
   * or another asynchronous iterable: `progress` of the job, written at most once in 200 ms, the newest in place of those
   * before it, or values to `ignore`. Default `progress`.
   */
  emissions?: Emissions;
}

/** @internal */
export const PROCESS_OPTION_NAMES: readonly (keyof ProcessOptions)[] = [
  'concurrency',
  'timeout',
  'emissions',
];

/**
 * What `@Process` writes, one entry a decorator.
 *
 * @internal
 */
export interface HandlerMetadata {
  readonly method: string | symbol;
  /** A name or a job of a definition; `undefined` for every name that no other handler takes. */
  readonly name: unknown;
  readonly options: unknown;
  /** Whether it is `process` of a `WorkerHost`, which takes other arguments. */
  readonly isHost?: true;
}

/**
 * Makes a method the handler of the jobs of a name. It is called with the job and a `JobContext`.
 *
 * What it returns becomes the job's result, whether as a value, a promise or a stream. Of an Observable or asynchronous
 * iterable the last value counts, of an async generator what it returns, or else yields last; none is `undefined`. See
 * `emissions` for the values before it. What it throws is a failed attempt. A job whose name no handler takes is held
 * back for other processes, see `unknownJob` of `ProcessorOptions`.
 *
 * A method that overrides a handler is the handler in its place. Several decorators make it the handler of several
 * names.
 *
 * @param name - the jobs' name; without one, the method takes every name that no other handler of the queue takes
 *
 * @example
 * ```ts
 * @Process('send', { concurrency: 5 })
 * async send(job: Job<Letter>, { signal }: JobContext) {
 *   await this.mailer.send(job.data, { signal });
 * }
 * ```
 *
 * @public
 */
export function Process(name?: string, options?: ProcessOptions): MethodDecorator;
/**
 * The handler of a job of a queue's definition. A method that returns something else than the result of the job does
 * not compile.
 *
 * @param job - such as `Email.jobs.send`, of the queue that the class works on
 *
 * @example
 * ```ts
 * @Process(Email.jobs.send)
 * send(job: JobOf<typeof Email, 'send'>): Promise<Receipt> {
 *   return this.mailer.send(job.data);
 * }
 * ```
 *
 * @public
 */
export function Process<Input, Data, Result, Name extends string>(
  job: DefinedJob<Input, Data, Result, Name>,
  options?: ProcessOptions,
): HandlerDecorator<Result>;
/**
 * The handler of every name that no other one takes, with options.
 *
 * @public
 */
export function Process(options: ProcessOptions): MethodDecorator;
export function Process(
  first?: string | DefinedJob | ProcessOptions,
  second?: ProcessOptions,
): MethodDecorator {
  const isOptions = typeof first === 'object' && first !== null && !isDefined('queue.job', first);
  const [name, options] = isOptions ? [undefined, first] : [first, second];
  return (target, method) => {
    addMethodMetadata<HandlerMetadata>(HANDLERS_METADATA, target, { method, name, options });
  };
}
