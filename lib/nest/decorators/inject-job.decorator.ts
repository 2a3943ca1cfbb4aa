import { Inject } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';

/**
 * Token of the context of the job that a request-scoped provider is made for: Nest's `REQUEST` by another name. In
 * `@nestjs/bullmq` it is the job, which here is `job` of the context.
 *
 * @public
 */
export const JOB_REF: string = REQUEST;

/**
 * Injects the `JobContext` into a request-scoped provider, which is made for each job. In a durable provider it is what the
 * application's strategy has as payload, as `REQUEST` is.
 *
 * @example
 * ```ts
 * @Injectable({ scope: Scope.REQUEST })
 * export class Tenant {
 *   constructor(@InjectJob() private readonly ctx: JobContext) {}
 * }
 * ```
 *
 * @public
 */
export function InjectJob(): ParameterDecorator & PropertyDecorator {
  return Inject(JOB_REF);
}
