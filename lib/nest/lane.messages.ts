import { isQueueDefinition } from '../engine/definition/queue-definition';
import { showValue, withoutCredentials } from '../model/errors/show-value';
import { nearestName } from '../model/nearest-name';
import { isUnsetName } from '../model/unset-name';
import type { ConfigProblem } from './errors/config-problem';
import { DEFAULT_CONNECTION } from './lane.tokens';

// What can be wrong with an application's use of the module: what was found, what was expected, what to do.

// A URL is easily given where a name belongs, so of every name the credentials are taken out.

/** How a person writes a `forRoot` of that name. */
function forRoot(connection: string): string {
  return connection === DEFAULT_CONNECTION
    ? 'LaneModule.forRoot()'
    : `LaneModule.forRoot(${asWritten(connection)})`;
}

/**
 * A connection in a sentence.
 *
 * @internal
 */
export function connectionNamed(connection: string): string {
  return connection === DEFAULT_CONNECTION ? 'the default connection' : `connection ${quoted([connection])}`;
}

/**
 * A queue in a sentence.
 *
 * @internal
 */
export function queueNamed(queue: string, connection: string): string {
  const name = `queue ${quoted([queue])}`;
  return connection === DEFAULT_CONNECTION ? name : `${name} of ${connectionNamed(connection)}`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${withoutCredentials(name)}"`).join(', ');
}

/** A queue as an argument of `registerQueue`. */
function queueArgument(queue: string, connection: string): string {
  return connection === DEFAULT_CONNECTION ? asWritten(queue) : objectAsWritten({ name: queue, connection });
}

/**
 * A value as it stands in the source: `'email'`.
 *
 * @internal
 */
export function asWritten(value: unknown): string {
  if (isQueueDefinition(value)) {
    return `defineQueue('${withoutCredentials(value.name)}')`;
  }
  return typeof value === 'string' ? `'${withoutCredentials(value)}'` : showValue(value);
}

/** Options whose value is a name. Any other may hold what nobody else is to see. */
const NAMING: readonly string[] = ['name', 'queue', 'connection'];

/**
 * Options as they stand in the source: names with their values, of others that they are there.
 *
 * @internal
 */
export function objectAsWritten(options: object): string {
  const entries = Object.entries(options)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) =>
      NAMING.includes(key) && (typeof value === 'string' || isQueueDefinition(value))
        ? `${key}: ${asWritten(value)}`
        : key,
    );
  return `{ ${entries.join(', ')} }`;
}

// Options

/** @internal */
export function bullmqConnection(call: 'forRoot' | 'registerQueue'): ConfigProblem {
  return call === 'forRoot'
    ? {
        code: 'LANE_BACKEND_OPTION',
        message: 'forRoot was given "connection", which is how BullMQ names a Redis server.',
        where: [],
        fix:
          'give the store as "backend": LaneModule.forRoot({ backend: redis({ connection: { … } }) }), with redis() ' +
          'imported from nestjs-lane/redis.',
      }
    : {
        code: 'LANE_BACKEND_OPTION',
        message: 'A queue was given a "connection" that is not a text.',
        where: [],
        fix:
          "name the connection, as in { name: 'email', connection: 'reports' }, and say where it is in " +
          "LaneModule.forRoot('reports', { backend }).",
      };
}

/** @internal */
export function notABackend(value: unknown): ConfigProblem {
  return {
    code: 'LANE_BACKEND_OPTION',
    message: `Option "backend" is ${showValue(value)}; it must be a value made by redis(), memory() and the like, or a URL.`,
    where: [],
    fix: "give backend: redis({ url }), imported from nestjs-lane/redis, or backend: 'redis://…'.",
  };
}

/** @internal */
export function backendRequired(connection: string): ConfigProblem {
  return {
    code: 'LANE_BACKEND_REQUIRED',
    message:
      `NODE_ENV is "production" and ${connectionNamed(connection)} has no backend: its jobs would be kept in ` +
      'memory and lost with the process.',
    where: [],
    fix: 'give the backend of this environment, or backend: memory() to keep jobs in memory on purpose.',
  };
}

/** @internal */
export function noServer(kind: string): ConfigProblem {
  return {
    code: 'LANE_UNSUPPORTED',
    message: `Option "requireConnection" is given, but the backend is ${kind}, which has no server that could be away.`,
    where: [],
    fix: 'leave it out, or give a backend that has a server, such as redis().',
  };
}

/** @internal */
export function notHeaderNames(value: unknown): ConfigProblem {
  return {
    code: 'LANE_BAD_HEADERS',
    message: `Option "propagate" is ${showValue(value)}; it must be an array of names of headers.`,
    where: [],
    fix: "give the names, as in propagate: ['x-tenant-id'].",
  };
}

/** @internal */
export function notACapture(value: unknown): ConfigProblem {
  return {
    code: 'LANE_BAD_HEADERS',
    message: `Option "capture" is ${showValue(value)}; it must be a function.`,
    where: [],
    fix: "have it return headers, as in capture: () => ({ 'x-tenant-id': tenant() }).",
  };
}

/**
 * @param error - why it cannot be used
 *
 * @internal
 */
export function startsWithout(connection: string, error: Error): string {
  return `${capitalized(connectionNamed(connection))} cannot be used now, and the application starts without it: ${error.message}`;
}

/** @internal */
export function badRole(value: unknown): ConfigProblem {
  return {
    code: 'LANE_BAD_ROLE',
    message: `Option "role" is ${showValue(value)}; it must be "both", "producer" or "worker".`,
    where: [],
    fix: 'correct the value, or leave it out for a process that adds jobs and runs them.',
  };
}

/** @internal */
export function badQueues(value: unknown): ConfigProblem {
  return {
    code: 'LANE_BAD_QUEUES',
    message: `Option "queues" is ${showValue(value)}; it must have either "only" or "except", a list of names of queues.`,
    where: [],
    fix: "give queues: { only: ['email'] } or queues: { except: ['email'] }, or leave it out for all queues.",
  };
}

/** @internal */
export function badStart(value: unknown): ConfigProblem {
  return {
    code: 'LANE_BAD_START',
    message: `Option "start" is ${showValue(value)}; it must be "bootstrap" or "manual".`,
    where: [],
    fix: 'correct the value, or leave it out to start when the application has.',
  };
}

/** @internal */
export function badStartWhen(value: unknown): ConfigProblem {
  return {
    code: 'LANE_BAD_START',
    message: `Option "startWhen" is ${showValue(value)}; it must be a function that gives a promise.`,
    where: [],
    fix: 'give startWhen: () => cache.warm(), or leave it out.',
  };
}

/** @internal */
export function startedTwice(): ConfigProblem {
  return {
    code: 'LANE_BAD_START',
    message:
      'Both start: "manual" and "startWhen" are given, and workers that are started by hand wait for nothing.',
    where: [],
    fix: 'keep one of them; before LaneRunner.start() your own code can wait for whatever it likes.',
  };
}

/** @internal */
export function insideFactory(option: string): ConfigProblem {
  return {
    code: 'LANE_UNKNOWN_OPTION',
    message:
      `The factory of registerQueueAsync made "${option}", which decides what is injected where and has to be ` +
      'known before any factory runs.',
    where: [],
    fix: `put "${option}" beside the factory: LaneModule.registerQueueAsync({ ${option}: …, useFactory: … }).`,
  };
}

/** @internal */
export function notOneWay(count: number): ConfigProblem {
  return {
    code: 'LANE_ASYNC_OPTIONS',
    message: `${count === 0 ? 'None' : `${count}`} of useFactory, useClass and useExisting are given; it must be one.`,
    where: [],
    fix: count === 0 ? 'add useFactory: () => ({ … }).' : 'keep one of them.',
  };
}

/** @internal */
export function noOptionsMethod(className: string, method: string): ConfigProblem {
  return {
    code: 'LANE_ASYNC_OPTIONS',
    message: `${className} was given to make options, but has no method ${method}().`,
    where: [],
    fix: `add ${method}() to the class, or use useFactory.`,
  };
}

// Connections and queues

/** @internal */
export function badConnectionName(name: unknown): ConfigProblem {
  return {
    code: 'LANE_BAD_NAME',
    message:
      `A connection is called ${showValue(name)}; ` +
      (isUnsetName(name)
        ? 'that is what comes of a variable that is not set.'
        : 'its name must be a text that is not blank.'),
    where: [],
    fix: isUnsetName(name)
      ? 'check the variable that the name comes from: it is not set.'
      : 'give a name such as "reports", or leave it out for the connection without a name; if this one comes from a variable, that is not set.',
  };
}

/**
 * @param known - connections that there are
 *
 * @internal
 */
export function noConnection(queue: string, connection: string, known: readonly string[]): ConfigProblem {
  if (known.length === 0) {
    return {
      code: 'LANE_NO_ROOT',
      message: `Queue ${quoted([queue])} is registered, but no module imports ${forRoot(connection)}.`,
      where: [],
      fix: `add ${forRoot(connection)} to the imports of the root module.`,
    };
  }
  const near = nearestName(connection, known);
  return {
    code: 'LANE_NO_CONNECTION',
    message: `Queue ${quoted([queue])} is on ${connectionNamed(connection)}, which no forRoot makes. There is: ${quoted([...known].sort())}.`,
    where: [],
    ...(near !== undefined && { hint: `Did you mean ${quoted([near])}?` }),
    fix: `correct the connection, or add ${forRoot(connection)} to the imports of the root module.`,
  };
}

/**
 * @param option - `only` or `except`
 * @param known - queues of the connection
 *
 * @internal
 */
export function workedQueueUnknown(
  queue: string,
  connection: string,
  option: string,
  known: readonly string[],
): ConfigProblem {
  const near = nearestName(queue, known);
  return {
    code: 'LANE_QUEUE_UNKNOWN',
    message:
      `Option "queues" has ${quoted([queue])} in "${option}", and ${connectionNamed(connection)} has no such queue. ` +
      (known.length === 0 ? 'It has none.' : `It has: ${quoted(known)}.`),
    where: [],
    ...(near !== undefined && { hint: `Did you mean ${quoted([near])}?` }),
    fix: `correct the name, or register the queue with LaneModule.registerQueue(${queueArgument(queue, connection)}).`,
  };
}

/** @internal */
export function nothingToWorkOn(connection: string): string {
  return (
    `${capitalized(connectionNamed(connection))} has role "worker", but no processor works on any of its queues ` +
    'in this process.'
  );
}

/** @internal */
export function startWhenFailed(connection: string, error: Error): string {
  return (
    `startWhen of ${connectionNamed(connection)} failed, so its workers have not started; ` +
    `LaneRunner.start() starts them by hand: ${error.message}`
  );
}

/** @internal */
export function ceilingNotSet(queue: string, connection: string, ceiling: number, error: Error): string {
  return (
    `${capitalized(queueNamed(queue, connection))}: globalConcurrency ${ceiling} cannot be stored now, and will be ` +
    `when its store can be used: ${error.message}`
  );
}

/** @internal */
export function noShutdownHooks(): ConfigProblem {
  return {
    code: 'LANE_NO_SHUTDOWN_HOOKS',
    message:
      'Nobody listens to SIGTERM in this process: told to end, it ends at once, and its running jobs run again ' +
      'elsewhere when their leases are over.',
    where: [],
    fix: 'call app.enableShutdownHooks() in main.ts.',
  };
}

/** @internal */
export function handedBack(ids: readonly string[]): string {
  const count = ids.length === 1 ? '1 job that had' : `${ids.length} jobs that had`;
  return `handed back ${count} not ended, at no cost of an attempt: ${ids.join(', ')}`;
}

// Why a queue has no worker in this process

/** @internal */
export function isNotRegistered(queue: string, connection: string, near: string | undefined): string {
  return (
    `${capitalized(queueNamed(queue, connection))} is not registered. ` +
    (near === undefined ? '' : `Did you mean ${quoted([near])}? `) +
    `Correct the name, or add LaneModule.registerQueue(${queueArgument(queue, connection)}) to a module.`
  );
}

/** @internal */
export function isProducer(queue: string, connection: string): string {
  return (
    `${capitalized(queueNamed(queue, connection))} has no worker in this process, whose role is "producer". ` +
    `Give ${forRoot(connection)} the role "both" or "worker" where jobs are to run.`
  );
}

/** @internal */
export function isNotStarted(queue: string, connection: string): string {
  return (
    `The worker of ${queueNamed(queue, connection)} has not been started yet. It starts when startWhen says so, or by ` +
    'LaneRunner.start().'
  );
}

/** @internal */
export function isLeftOut(queue: string, connection: string): string {
  return (
    `${capitalized(queueNamed(queue, connection))} has no worker in this process: option "queues" of ` +
    `${forRoot(connection)} leaves it out. Change the option where jobs of the queue are to run.`
  );
}

/** @internal */
export function hasNoProcessor(queue: string, connection: string): string {
  return (
    `${capitalized(queueNamed(queue, connection))} has no worker in this process, since no processor works on it. ` +
    `Provide a class with @Processor(${queueArgument(queue, connection)}).`
  );
}

/** @internal */
export function connectionConflict(connection: string): ConfigProblem {
  return {
    code: 'LANE_CONNECTION_CONFLICT',
    message: `${capitalized(connectionNamed(connection))} is made twice with different options.`,
    where: [],
    fix: 'make it once, in the root module, or give one of the two a name of its own.',
  };
}

/** @internal */
export function queueConflict(queue: string, connection: string): ConfigProblem {
  return {
    code: 'LANE_QUEUE_CONFLICT',
    message: `${capitalized(queueNamed(queue, connection))} is registered with different options in two places.`,
    where: [],
    fix: 'give the same options in both, or register it in one module, export that registration and import the module.',
  };
}

// Processors

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
export function noHandlerYet(
  name: string,
  queue: string,
  connection: string,
  known: readonly string[],
): string {
  return (
    `${capitalized(queueNamed(queue, connection))}: no handler takes job ${showValue(name)}; such jobs are held back, ` +
    `since another process may have one. Handlers exist for: ${known.join(', ') || 'no job'}. ` +
    "With unknownJob: 'fail' they fail at once."
  );
}

/** @internal */
export function streamWithoutEnd(handler: string, queue: string, id: string): string {
  return (
    `The stream of ${handler} has run for an hour, for job ${showValue(id)} of queue "${queue}", and has no time limit. ` +
    'If it may take that long, say so by a timeout of @Process or of the job; this is told once for each handler.'
  );
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
export function badScope(scope: unknown): ConfigProblem {
  return {
    code: 'LANE_SCOPE',
    message: `Option "scope" is ${showValue(scope)}; it must be a Scope of @nestjs/common.`,
    where: [],
    fix: 'give Scope.REQUEST, Scope.TRANSIENT or Scope.DEFAULT.',
  };
}

// Enhancers

const ENHANCER_WORDS: Readonly<Record<string, string>> = {
  guards: 'a guard',
  pipes: 'a pipe',
  interceptors: 'an interceptor',
  filters: 'a filter',
};

/** @internal */
export function notEnhancers(kind: string, value: unknown): ConfigProblem {
  return {
    code: 'LANE_BAD_ENHANCER',
    message: `Option "${kind}" is ${showValue(value)}; it must be an array of classes or objects.`,
    where: [],
    fix: `give it as ${kind}: [ … ].`,
  };
}

/** @internal */
export function notAnEnhancer(kind: string, value: unknown, method: string): ConfigProblem {
  const name = typeof value === 'function' && value.name !== '' ? value.name : showValue(value);
  return {
    code: 'LANE_BAD_ENHANCER',
    message: `${capitalized(name)} is among "${kind}", and is not ${ENHANCER_WORDS[kind]}: it has no method ${method}().`,
    where: [],
    fix: `give a class with the method ${method}(), or an object of one.`,
  };
}

/** @internal */
export function enhancerNotStatic(className: string): ConfigProblem {
  return {
    code: 'LANE_SCOPE',
    message: `${className} is request-scoped, or depends on a provider that is; an enhancer of a whole connection is one object for the life of the application.`,
    where: [],
    fix: 'give it, and what it depends on, the default scope, or put it on classes and methods.',
  };
}

/** @internal */
export function inheritedNotStatic(kind: string, className = 'What a factory makes'): ConfigProblem {
  return {
    code: 'LANE_SCOPE',
    message: `${className}, one of the ${kind} of the whole application, is request-scoped or transient; an enhancer that all jobs of a connection inherit is one object for the life of the application.`,
    where: [],
    fix: `give it the default scope, or leave ${kind} out of "inherit" and put it on classes and methods.`,
  };
}

/** @internal */
export function enhancerNotMade(className: string, cause: Error): ConfigProblem {
  return {
    code: 'LANE_ENHANCER_NOT_MADE',
    message: `${className} cannot be made: ${cause.message}`,
    where: [],
    fix: `provide ${className} in a module that has what it depends on.`,
    cause,
  };
}

/** @internal */
export function enhancerLost(className: string, enhancers: readonly string[]): ConfigProblem {
  return {
    code: 'LANE_ENHANCER_NOT_MADE',
    message: `${enhancers.join(', ')} of ${className} would not be applied: Nest makes the enhancers of classes that are listed in "providers" by themselves.`,
    where: [],
    fix: `list ${className} itself in "providers", or give its enhancers as objects.`,
  };
}

/** @internal */
export function idlePipe(label: string): string {
  return (
    `The pipes of ${label} have nothing to act on: they are for parameters that a decorator fills, and it has none. ` +
    'Decorate a parameter, or remove the pipes.'
  );
}

// Listeners

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
export function untypedArgument(handler: string, index: number): ConfigProblem {
  return {
    code: 'LANE_TYPE_METADATA',
    message: `A validation pipe acts on parameter ${index} of ${handler}, whose type is not known, so it lets any data pass.`,
    where: [],
    fix: 'give the parameter a class as its type; where the compiler notes no types, name it: @JobData({ type: … }).',
  };
}

/** @internal */
export function requestArgument(handler: string, index: number): string {
  return (
    `Parameter ${index} of ${handler} has a decorator for requests, so a job leaves it undefined. Use @JobData(), @JobHeader() ` +
    'and the like.'
  );
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

/**
 * The same words at the beginning of a sentence.
 *
 * @internal
 */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
