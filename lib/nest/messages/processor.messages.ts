import { showValue } from '../../model/errors/show-value';
import { nearestName } from '../../model/nearest-name';
import type { ConfigProblem } from '../errors/config-problem';
import { capitalized, connectionNamed, queueArgument, queueNamed, quoted } from './wording';

// What can be wrong with classes that handle jobs or hear events.

/**
 * A queue that is registered, and the modules that do so.
 *
 * @internal
 */
export interface KnownQueue {
  readonly name: string;
  readonly connection: string;
  readonly modules: string;
}

/**
 * @param subject - such as `EmailProcessor works on`
 *
 * @internal
 */
export function queueUnknown(
  subject: string,
  module: string,
  queue: string,
  connection: string,
  known: readonly KnownQueue[],
): ConfigProblem {
  const meant = likelyMeant(queue, connection, known);
  return {
    code: 'LANE_QUEUE_UNKNOWN',
    message: `${subject} ${queueNamed(queue, connection)}, which is not registered.`,
    where: [],
    ...(meant !== undefined && {
      hint: `Did you mean ${
        meant.connection === connection
          ? quoted([meant.name])
          : `queue ${quoted([meant.name])} of ${connectionNamed(meant.connection)}`
      } (registered in ${meant.modules})?`,
    }),
    fix: `correct the name, or add LaneModule.registerQueue(${queueArgument(queue, connection)}) to ${module}.`,
  };
}

function likelyMeant(
  queue: string,
  connection: string,
  known: readonly KnownQueue[],
): KnownQueue | undefined {
  const near = nearestName(
    queue,
    known.map(({ name }) => name),
  );
  const candidates = known.filter(({ name }) => name === near);
  return candidates.find((candidate) => candidate.connection === connection) ?? candidates[0];
}

/** @internal */
export function workerConflict(queue: string, connection: string, option: string): ConfigProblem {
  return {
    code: 'LANE_QUEUE_CONFLICT',
    message:
      `Two processor classes of ${queueNamed(queue, connection)} ask for different "${option}", and a queue has ` +
      'one worker in a process.',
    where: [],
    fix: 'give the option in one of them, or in the defaults.worker of the queue.',
  };
}

/** @internal */
export function duplicateHandler(job: string | undefined, queue: string, connection: string): ConfigProblem {
  return {
    code: 'LANE_DUPLICATE_HANDLER',
    message:
      job === undefined
        ? `Two handlers for every other job name on ${queueNamed(queue, connection)}.`
        : `Two handlers for job "${job}" on ${queueNamed(queue, connection)}.`,
    where: [],
    fix:
      job === undefined
        ? 'keep one @Process() without a name, and give the other one a name.'
        : 'keep one, or give one of them another name.',
  };
}

/** @internal */
export function providedTwice(className: string, what: 'handlers' | 'listeners'): ConfigProblem {
  return {
    code: 'LANE_DUPLICATE_HANDLER',
    message: `${className} is provided twice, so there are two of it, each with the same ${what}.`,
    where: [],
    fix: 'provide it once; where another module needs it, export it from its module and import that.',
  };
}

/** @internal */
export function definitionConflict(processor: string, queue: string, connection: string): ConfigProblem {
  return {
    code: 'LANE_QUEUE_CONFLICT',
    message: `${processor} was given another definition of ${queueNamed(queue, connection)} than the one that it is registered with.`,
    where: [],
    fix: 'give the value that one defineQueue has made to registerQueue, @Processor and @Process.',
  };
}

/** @internal */
export function jobOfOtherQueue(job: string, ofQueue: string, queue: string): ConfigProblem {
  return {
    code: 'LANE_OTHER_QUEUE',
    message: `Job ${quoted([job])} is one of queue ${quoted([ofQueue])}, and the class works on queue ${quoted([queue])}.`,
    where: [],
    fix: 'give a job of the queue of the class, or move the method to a processor of the other queue.',
  };
}

/** @internal */
export function handlerMissing(jobs: readonly string[], queue: string, connection: string): ConfigProblem {
  return {
    code: 'LANE_HANDLER_MISSING',
    message: `${capitalized(queueNamed(queue, connection))} is defined with ${quoted(jobs)}, and no handler of this process takes ${jobs.length === 1 ? 'that job' : 'those jobs'}.`,
    where: [],
    fix: 'add @Process for each, or @Process() for every other name.',
  };
}

/** @internal */
export function notAProvider(className: string, what: string): ConfigProblem {
  return {
    code: 'LANE_NOT_A_PROVIDER',
    message: `${className} is listed in "controllers"; ${what} are found among providers.`,
    where: [],
    fix: 'move it from "controllers" to "providers".',
  };
}

/** @internal */
export function noProcessor(className: string): ConfigProblem {
  return {
    code: 'LANE_NO_PROCESSOR',
    message: `${className} has job handlers or listeners, but nothing says for which queue.`,
    where: [],
    fix: "add @Processor('name of the queue') to the class.",
  };
}

/** @internal */
export function noHandler(processor: string): ConfigProblem {
  return {
    code: 'LANE_NO_HANDLER',
    message: `${processor} has @Processor, but no method with @Process.`,
    where: [],
    fix: "add @Process('name of the job') to a method, or @Process() for every job name.",
  };
}

/** @internal */
export function noInstance(processor: string): ConfigProblem {
  return {
    code: 'LANE_NOT_A_PROVIDER',
    message: `${processor} has no object whose methods could be called: what provides it has made none.`,
    where: [],
    fix: 'have its factory return an object, or list the class itself in "providers".',
  };
}

/**
 * @param scope - what was given to `@Processor`
 *
 * @internal
 */
export function scopeOverridden(processor: string, scope: unknown): ConfigProblem {
  return {
    code: 'LANE_SCOPE',
    message: `${processor} has not the scope ${showValue(scope)} that @Processor gives it: another decorator above it says otherwise.`,
    where: [],
    fix: 'give the scope in one place: in @Processor({ queue, scope }), or in @Injectable({ scope }).',
  };
}

/** @internal */
export function hostNotStatic(className: string, scope: 'request' | 'transient'): ConfigProblem {
  const is = scope === 'request' ? 'request-scoped, or depends on a provider that is' : 'transient';
  return {
    code: 'LANE_SCOPE',
    message: `${className} is ${is}; a QueueEventsHost is one object for the life of the application.`,
    where: [],
    fix: 'give it, and what it depends on, the default scope, or hear the events with @OnQueueEvent methods and no base class.',
  };
}

/** @internal */
export function noQueueOfListener(className: string): ConfigProblem {
  return {
    code: 'LANE_NO_QUEUE',
    message: `${className} has methods with @OnQueueEvent, but nothing says of which queue.`,
    where: [],
    fix: "add @QueueEventsListener('name of the queue') to the class.",
  };
}

/** @internal */
export function noListener(className: string): ConfigProblem {
  return {
    code: 'LANE_NO_LISTENER',
    message: `${className} has @QueueEventsListener, but no method with @OnQueueEvent.`,
    where: [],
    fix: "add @OnQueueEvent('completed'), or another event, to a method.",
  };
}

/**
 * @param of - such as `a worker`
 *
 * @internal
 */
export function unknownEvent(event: unknown, of: string, known: readonly string[]): ConfigProblem {
  const near = typeof event === 'string' ? nearestName(event, known) : undefined;
  return {
    code: 'LANE_UNKNOWN_EVENT',
    message: `${showValue(event)} is no event of ${of}. There is: ${quoted(known)}.`,
    where: [],
    ...(near !== undefined && { hint: `Did you mean "${near}"?` }),
    fix: 'correct the name.',
  };
}

/** @internal */
export function lateProcessor(className: string, module: string, isListener: boolean): ConfigProblem {
  const idle = isListener ? 'listeners hear nothing' : 'handlers take no jobs';
  return {
    code: 'LANE_LATE_PROCESSOR',
    message: `${className} (${module}) came with a module that was loaded after the start, so its ${idle} yet.`,
    where: [],
    fix: 'call LaneRunner.register() with what LazyModuleLoader.load() resolved with.',
  };
}

/** @internal */
export function lateOption(
  processor: string,
  queue: string,
  connection: string,
  option: string,
): ConfigProblem {
  return {
    code: 'LANE_QUEUE_CONFLICT',
    message:
      `${processor} asks for another "${option}" than the worker of ${queueNamed(queue, connection)} has, which is ` +
      'there already.',
    where: [],
    fix: 'leave the option out, or give it in the defaults.worker of the queue.',
  };
}

/** @internal */
export function mixedHost(processor: string): ConfigProblem {
  return {
    code: 'LANE_MIXED_HOST',
    message: `${processor} extends WorkerHost, whose process() takes every job name, and has @Process besides.`,
    where: [],
    fix: 'keep one of the two; handlers of single names can stand in a class of their own.',
  };
}
