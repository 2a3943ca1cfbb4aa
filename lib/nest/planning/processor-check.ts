import { isDefined } from '../../engine/definition/definition-brand';
import { type DefinedJob, type QueueDefinition } from '../../engine/definition/queue-definition';
import { InvalidJobNameError } from '../../model/errors/invalid-job-name.error';
import { InvalidWorkerOptionError } from '../../model/errors/invalid-worker-option.error';
import { checkTimeout } from '../../model/time-limits';
import { checkConcurrency } from '../../model/worker-options';
import type { Emissions } from '../decorators/process.decorator';
import type { WorkerEventName } from '../decorators/on-worker-event.decorator';
import { WORKER_EVENT_NAMES } from '../decorators/on-worker-event.decorator';
import { PROCESS_OPTION_NAMES } from '../decorators/process.decorator';
import type { FoundProcessor } from '../discovery/processor.explorer';
import type { ConfigProblem } from '../errors/config-problem';
import type { ListenerMethod } from '../listeners/listener.runner';
import { enhancerLost } from '../messages/enhancer.messages';
import {
  jobOfOtherQueue,
  mixedHost,
  noHandler,
  noProcessor,
  unknownEvent,
} from '../messages/processor.messages';
import { asWritten } from '../messages/wording';
import type { ProcessorOptions } from '../options/queue-defaults';
import type { CheckedOptions } from '../registration/checked-options';
import { checkProcessorOptions } from '../registration/checked-options';
import { OptionProblems } from '../registration/option-problems';
import { callOf, checkReference, hindranceOf, labelOf } from './class-check';

/**
 * A method that handles jobs.
 *
 * @internal
 */
export interface PlannedHandler {
  /** Its class, with the objects whose method it is. */
  readonly found: FoundProcessor;
  readonly method: string | symbol;
  /** Job name; `undefined` for every name that no other handler takes. */
  readonly name: string | undefined;
  /** What it was given in place of a name, if it was. */
  readonly job: DefinedJob | undefined;
  /** Most jobs at once; `undefined` for as many as the worker has. */
  readonly concurrency: number | undefined;
  /** Milliseconds that an attempt may take; `undefined` for what the worker says. */
  readonly timeout: number | undefined;
  /** What becomes of values before the last one. */
  readonly emissions: Emissions;
  /** Such as `EmailProcessor.send`. */
  readonly label: string;
  /** Whether it is `process` of a `WorkerHost`. */
  readonly isHost: boolean;
}

/**
 * A method that hears of events of a worker.
 *
 * @internal
 */
export interface PlannedListener extends ListenerMethod {
  readonly event: WorkerEventName;
}

/**
 * A method that hears of jobs that have failed for good.
 *
 * @internal
 */
export interface PlannedExhausted extends ListenerMethod {
  /** Job name; `undefined` for every name. */
  readonly name: string | undefined;
}

/**
 * A processor class that is right by itself.
 *
 * @internal
 */
export interface PlannedProcessor {
  readonly found: FoundProcessor;
  readonly queue: string;
  /** `undefined` for a class that was given the queue's name. */
  readonly definition: QueueDefinition | undefined;
  readonly connection: string;
  readonly options: CheckedOptions<ProcessorOptions>;
  readonly handlers: readonly PlannedHandler[];
  readonly listeners: readonly PlannedListener[];
  readonly exhausted: readonly PlannedExhausted[];
  /** Such as `@Processor('email') on EmailProcessor (EmailModule)`. */
  readonly place: string;
}

/**
 * Checks what one class says of itself. What it asks of others (that its queue is registered, that no other class
 * handles the same names) is checked by the planner.
 *
 * @param problems - takes in what is wrong
 * @returns what is right, or `undefined` when the class cannot handle jobs at all
 *
 * @internal
 */
export function checkProcessor(
  found: FoundProcessor,
  problems: ConfigProblem[],
): PlannedProcessor | undefined {
  const { className, processor, handlers } = found;
  const classPlace = `${className} (${found.moduleName})`;
  if (processor === undefined) {
    problems.push({ ...noProcessor(className), where: [...methodsOf(found), classPlace] });
    return undefined;
  }
  const call = callOf('@Processor', processor.queue);
  const place = `${call} on ${classPlace}`;
  const at = (problem: ConfigProblem): number => problems.push({ ...problem, where: [place] });
  const hindrance = hindranceOf(found, 'job handlers');
  if (hindrance !== undefined) {
    at(hindrance);
    return undefined;
  }
  if (handlers.length === 0) {
    at(noHandler(className));
  }
  if (found.lostEnhancers.length > 0) {
    at(enhancerLost(className, found.lostEnhancers));
  }
  if (handlers.length > 1 && handlers.some(({ isHost }) => isHost)) {
    at(mixedHost(className));
  }
  const ofClass = new OptionProblems(call);
  const { queue, definition, connection } = checkReference(processor.queue, ofClass, found);
  const options = checkProcessorOptions(processor.options ?? {}, ofClass);
  problems.push(...ofClass.at(place));
  return {
    found,
    queue,
    definition,
    connection,
    options,
    handlers: checkHandlers(found, queue, problems),
    listeners: checkListeners(found, problems),
    exhausted: checkExhausted(found, problems),
    place,
  };
}

function checkHandlers(found: FoundProcessor, queue: string, problems: ConfigProblem[]): PlannedHandler[] {
  return found.handlers.flatMap(({ method, name: given, options, isHost = false }) => {
    const job = isDefined('queue.job', given) ? (given as DefinedJob) : undefined;
    const name = job === undefined ? given : job.name;
    const label = labelOf(found, method);
    const call = name === undefined ? '@Process()' : `@Process(${asWritten(name)})`;
    const ofHandler = new OptionProblems(call);
    const checked = ofHandler.check(() => ({ name: checkJobName(name) }));
    if (job !== undefined && queue !== '' && job.queue !== queue) {
      ofHandler.add(jobOfOtherQueue(job.name, job.queue, queue));
    }
    const { concurrency, timeout, emissions } = ofHandler.known(options ?? {}, PROCESS_OPTION_NAMES);
    const handler = {
      found,
      method,
      job,
      concurrency:
        concurrency === undefined
          ? undefined
          : ofHandler.check(() => checkConcurrency('concurrency', concurrency)),
      timeout: timeout === undefined ? undefined : ofHandler.check(() => checkTimeout(timeout)),
      emissions: ofHandler.check(() => checkEmissions(emissions)) ?? 'progress',
      label,
      isHost,
    };
    problems.push(...ofHandler.at(`${call} on ${label}`));
    return checked === undefined ? [] : [{ ...handler, ...checked }];
  });
}

function checkJobName(name: unknown): string | undefined {
  if (name !== undefined && (typeof name !== 'string' || name === '')) {
    throw new InvalidJobNameError(name);
  }
  return name;
}

function checkEmissions(emissions: unknown = 'progress'): Emissions {
  if (emissions !== 'progress' && emissions !== 'ignore') {
    throw new InvalidWorkerOptionError(
      'emissions',
      emissions,
      '"progress" or "ignore"',
      'It says what becomes of the values that a handler emits before its result.',
    );
  }
  return emissions;
}

function checkListeners(found: FoundProcessor, problems: ConfigProblem[]): PlannedListener[] {
  return found.listeners.flatMap(({ method, event }) => {
    const label = labelOf(found, method);
    if (!WORKER_EVENT_NAMES.includes(event as WorkerEventName)) {
      problems.push({
        ...unknownEvent(event, 'a worker', WORKER_EVENT_NAMES),
        where: [`@OnWorkerEvent(${asWritten(event)}) on ${label}`],
      });
      return [];
    }
    return [{ instances: found.instances, method, event: event as WorkerEventName, label }];
  });
}

function checkExhausted(found: FoundProcessor, problems: ConfigProblem[]): PlannedExhausted[] {
  return found.exhausted.flatMap(({ method, name }) => {
    const label = labelOf(found, method);
    const call = name === undefined ? '@OnJobExhausted()' : `@OnJobExhausted(${asWritten(name)})`;
    const ofMethod = new OptionProblems(call);
    const checked = ofMethod.check(() => ({ name: checkJobName(name) }));
    problems.push(...ofMethod.at(`${call} on ${label}`));
    return checked === undefined ? [] : [{ instances: found.instances, method, label, ...checked }];
  });
}

function methodsOf(found: FoundProcessor): string[] {
  return [...found.handlers, ...found.listeners, ...found.exhausted].map(({ method }) =>
    labelOf(found, method),
  );
}
