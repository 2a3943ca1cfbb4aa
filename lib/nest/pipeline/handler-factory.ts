import { Inject, Injectable } from '@nestjs/common';
import type { ExternalContextCreator } from '@nestjs/core';
import { ModuleRef } from '@nestjs/core';

import type { Job } from '../../engine/job';
import type { JobRun } from '../../engine/worker/job-executor';
import { laneContextCreator } from '../nest-internals/lane-context-creator';
import type { PlannedHandler } from '../planning/processor-check';
import type { JobContext } from '../context/job-context';
import { runAsCurrent } from '../context/current-job';
import { RunContext } from '../context/job-context';
import { bounded } from '../handlers/last-value';

/** Runs one job. @internal */
export type JobHandler = (run: JobRun) => unknown;

/** Context type that Nest's `ExecutionContext.getType()` gives for job handlers. */
const CONTEXT_TYPE = 'lane';

/** Nothing is added to a handler yet. */
const NO_ENHANCERS = { guards: false, interceptors: false, filters: false };

/**
 * Turns methods of processors into functions that run a job, by way of Nest's external context. Each is built once,
 * at the start.
 *
 * @internal
 */
@Injectable()
export class HandlerFactory {
  #contextCreator: ExternalContextCreator | undefined;

  constructor(@Inject(ModuleRef) private readonly moduleRef: ModuleRef) {}

  create({ instance, method }: PlannedHandler): JobHandler {
    this.#contextCreator ??= laneContextCreator(this.moduleRef);
    const target = instance as Record<string | symbol, (job: Job, context: JobContext) => unknown>;
    // Looked up at each call, so that a method that is replaced on the object, as by a test, is the one that runs.
    const callback = (job: Job, context: JobContext): unknown =>
      bounded(target[method]!(job, context), context);
    const run = this.#contextCreator.create(
      instance,
      callback as (...args: unknown[]) => unknown,
      String(method),
      undefined,
      undefined,
      undefined,
      undefined,
      NO_ENHANCERS,
      CONTEXT_TYPE,
    ) as (job: Job, context: JobContext) => Promise<unknown>;
    return (job) => {
      const context = new RunContext(job);
      return runAsCurrent(context, run, job.job, context);
    };
  }
}
