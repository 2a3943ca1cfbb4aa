/* eslint-disable @typescript-eslint/no-explicit-any -- jobs are untyped where nothing says their types */
import type { ArgumentsHost, ContextType } from '@nestjs/common';

import type { Job } from '../../engine/job';
import { valueAt } from '../arguments/data-path';
import type { JobContext } from '../context/job-context';
import { NotALaneContextError } from '../errors/not-a-lane-context.error';

/**
 * What `getType()` gives where a job is handled, beside the types that Nest has: `context.getType<LaneContextType>()`.
 *
 * @public
 */
export type LaneContextType = 'lane' | ContextType;

/**
 * The job that a guard, an interceptor, a filter or a parameter decorator is called for.
 *
 * @example
 * ```ts
 * @Injectable()
 * export class TenantGuard implements CanActivate {
 *   canActivate(context: ExecutionContext) {
 *     if (context.getType<LaneContextType>() !== 'lane') {
 *       return true;
 *     }
 *     return this.tenants.isActive(switchToLane(context).getHeader('x-tenant-id'));
 *   }
 * }
 * ```
 *
 * @public
 */
export class LaneExecutionContext {
  readonly #job: Job;
  readonly #context: JobContext;

  private constructor(job: Job, context: JobContext) {
    this.#job = job;
    this.#context = context;
  }

  /**
   * @param host - what Nest hands to an enhancer
   * @throws NotALaneContextError when it is called for something else than a job
   */
  static create(host: ArgumentsHost): LaneExecutionContext {
    const type = host.getType<LaneContextType>();
    if (type !== 'lane') {
      throw new NotALaneContextError(type);
    }
    const [job, context] = host.getArgs<[Job, JobContext]>();
    return new LaneExecutionContext(job, context);
  }

  /** The job. */
  getJob<Data = any, Result = any>(): Job<Data, Result> {
    return this.#job as Job<Data, Result>;
  }

  /**
   * The payload of the job, or a part of it.
   *
   * @param path - such as `user.id` or `items.0`; default: all of it
   * @returns `undefined` where there is nothing
   */
  getData<Value = any>(path?: string): Value {
    return valueAt(this.#job.data, path) as Value;
  }

  /** The context that the handler gets. */
  getContext(): JobContext {
    return this.#context;
  }

  /**
   * A header of the job.
   *
   * @param name - in upper or lower case
   */
  getHeader(name: string): string | undefined {
    return this.#job.headers[name.toLowerCase()];
  }

  /** Name of the queue that the job is in. */
  getQueue(): string {
    return this.#job.queueName;
  }

  /** Name of the job. */
  getJobName(): string {
    return this.#job.name;
  }

  /** Number of this attempt, from 1. */
  getAttempt(): number {
    return this.#context.attempt;
  }

  /** Aborted when the job has to end, as `JobContext.signal`. */
  getSignal(): AbortSignal {
    return this.#context.signal;
  }
}

/**
 * The job that an enhancer is called for: `LaneExecutionContext.create` in the manner of Nest's `switchToHttp()`.
 *
 * @throws NotALaneContextError when it is called for something else than a job
 *
 * @public
 */
export function switchToLane(host: ArgumentsHost): LaneExecutionContext {
  return LaneExecutionContext.create(host);
}
