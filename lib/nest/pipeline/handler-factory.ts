import { Inject, Injectable, Logger } from '@nestjs/common';
import type { ContextId } from '@nestjs/core';
import { ModuleRef } from '@nestjs/core';

import type { Clock } from '../../contract/clock';
import type { Job } from '../../engine/job';
import { nextTurn } from '../../engine/runtime/next-turn';
import type { JobRun } from '../../engine/worker/job-executor';
import { outcomeOf } from '../../engine/worker/outcome-values';
import { JobRejectedError } from '../../model/errors/job-rejected.error';
import { jobArguments } from '../arguments/job-arguments';
import { requestArguments, untypedArguments } from '../arguments/argument-warnings';
import { runAsCurrent } from '../context/current-job';
import { RunContext } from '../context/job-context';
import { warningOf } from '../errors/config-problem';
import { HandlerStreams } from '../handlers/handler-streams';
import { hostCall } from '../handlers/host-call';
import { lastValueOf } from '../handlers/last-value';
import { requestArgument, untypedArgument } from '../messages/enhancer.messages';
import { EnhancerFinder, type HandlerEnhancers } from '../nest-internals/handler-enhancers';
import type { PlannedHandler } from '../planning/processor-check';
import type { WorkerPlan } from '../planning/worker.planner';
import { handlerPipeline } from './handler-pipeline';
import { ModuleEnhancers } from './module-enhancers';
import { failureOf, saysWhatBecomes } from './pipe-errors';

/** More than an interceptor with a reason tries again. */
const MOST_LATE_BEGINS = 100;

/** Runs one job. @internal */
export type JobHandler = (run: JobRun) => unknown;

/** Runs one job in a context that was made for it. */
type Pipeline = (run: JobRun, context: RunContext) => unknown;

/**
 * Turns methods of processors into functions that run a job: guards, interceptors, pipes, the method, filters. For a
 * class of which there is one object it is built once, at the start.
 *
 * @internal
 */
@Injectable()
export class HandlerFactory {
  readonly #logger = new Logger('LaneModule');

  constructor(
    @Inject(ModuleRef) private readonly moduleRef: ModuleRef,
    @Inject(ModuleEnhancers) private readonly enhancers: ModuleEnhancers,
  ) {}

  /**
   * @param plan - of its worker; the module-wide enhancers of its connection hold for the handler
   * @param clock - of its worker
   * @param made - told of an object that was made for a job, before its method is called
   */
  create(
    handler: PlannedHandler,
    { connection, options }: Pick<WorkerPlan, 'connection' | 'options'>,
    clock: Clock,
    made?: (instance: object) => void,
  ): JobHandler {
    const { found, method, label, emissions } = handler;
    const { instances } = found;
    const warn = (message: string): void => this.#logger.warn(message);
    const finder = new EnhancerFinder(this.moduleRef, this.enhancers.of(connection), {
      target: found.target,
      method,
      moduleKey: found.moduleKey,
      providerId: found.providerId,
      params: jobArguments,
      examine: (pipes, parameters) => {
        untypedArguments(pipes, parameters).forEach((index) =>
          warn(warningOf(untypedArgument(label, index))),
        );
        requestArguments(parameters).forEach((index) => warn(requestArgument(label, index)));
      },
    });
    const isTimed = (handler.timeout ?? options.timeout) !== undefined;
    const streams = new HandlerStreams({ emissions, clock, isTimed, label });
    const { shared } = instances;
    const run: Pipeline =
      shared === undefined
        ? async (job, context) => {
            const { instance, contextId } = await instances.resolve(context);
            made?.(instance);
            return pipelineOf(finder, streams, instance, handler, contextId)(job, context);
          }
        : pipelineOf(finder, streams, shared, handler);
    return (job) => {
      const context = new RunContext(job);
      return runAsCurrent(context, run, job, context);
    };
  }
}

function pipelineOf(
  finder: EnhancerFinder,
  streams: HandlerStreams,
  instance: object,
  { method, isHost, label }: PlannedHandler,
  contextId?: ContextId,
): Pipeline {
  const found = finder.find(instance, contextId);
  const { filter, parameters } = found;
  const ofHost = isHost && parameters.length === 0 ? hostCall(instance) : undefined;
  const target = instance as Record<string | symbol, (...args: unknown[]) => unknown>;
  const run = handlerPipeline<[Job, RunContext]>(found, {
    // Looked up at each call, so that a method that is replaced on the object, as by a test, is the one that runs.
    call: (values, [job, context]) => {
      // It may have had to end while a guard, a pipe or an interceptor was waited for.
      if (context.hasToEnd) {
        return notBegun(context);
      }
      return ofHost === undefined ? target[method]!(...values) : ofHost(job, context);
    },
    resultOf: (returned, [, context]) => streams.resultOf(returned, context),
    hostOf: (args) => finder.hostOf(args),
    refused: ([job]) => new JobRejectedError(job.name, job.queueName, label),
  });
  if (filter === undefined && parameters.length === 0) {
    return ({ job }, context) => run([job, context]);
  }
  return async (job, context) => {
    try {
      return await run([job.job, context]);
    } catch (thrown) {
      return endOf(thrown, job, context, filter);
    }
  };
}

/**
 * Rejects in a later turn, so that others get on beside an interceptor that tries again at once. One that does so without
 * end is not answered any more.
 */
async function notBegun(context: RunContext): Promise<never> {
  context.lateBegins += 1;
  await new Promise<void>((resolve) => {
    if (context.lateBegins <= MOST_LATE_BEGINS) {
      nextTurn(resolve);
    }
  });
  throw context.signal.reason;
}

/**
 * What becomes of a job whose pipeline has thrown.
 *
 * @returns the outcome that a filter has decided on
 * @throws the error that is left
 */
async function endOf(
  thrown: unknown,
  { job, isAborted }: JobRun,
  context: RunContext,
  filter: HandlerEnhancers['filter'],
): Promise<unknown> {
  let error = thrown;
  // A run that has to end has not failed, and what says itself what becomes of its job is no error.
  if (filter !== undefined && !isAborted && !saysWhatBecomes(thrown)) {
    try {
      const given = await lastValueOf(await filter(thrown, [job, context]));
      if (outcomeOf(given) !== undefined) {
        return given;
      }
    } catch (replacement) {
      error = replacement;
    }
  }
  throw failureOf(error, job);
}
