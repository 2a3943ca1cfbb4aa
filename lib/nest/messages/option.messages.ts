import { showValue } from '../../model/errors/show-value';
import type { ConfigProblem } from '../errors/config-problem';
import { connectionNamed } from './wording';

// What can be wrong with options: what was found, what was expected, what to do.

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
  return badOption(value, {
    code: 'LANE_BACKEND_OPTION',
    option: 'backend',
    rule: 'be a value made by redis(), memory() and the like, or a URL',
    fix: "give backend: redis({ url }), imported from nestjs-lane/redis, or backend: 'redis://…'.",
  });
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
  return badOption(value, {
    code: 'LANE_BAD_HEADERS',
    option: 'propagate',
    rule: 'be an array of names of headers',
    fix: "give the names, as in propagate: ['x-tenant-id'].",
  });
}

/** @internal */
export function notACapture(value: unknown): ConfigProblem {
  return badOption(value, {
    code: 'LANE_BAD_HEADERS',
    option: 'capture',
    rule: 'be a function',
    fix: "have it return headers, as in capture: () => ({ 'x-tenant-id': tenant() }).",
  });
}

/** @internal */
export function badRole(value: unknown): ConfigProblem {
  return badOption(value, {
    code: 'LANE_BAD_ROLE',
    option: 'role',
    rule: 'be "both", "producer" or "worker"',
    fix: 'correct the value, or leave it out for a process that adds jobs and runs them.',
  });
}

/** @internal */
export function badQueues(value: unknown): ConfigProblem {
  return badOption(value, {
    code: 'LANE_BAD_QUEUES',
    option: 'queues',
    rule: 'have either "only" or "except", a list of names of queues',
    fix: "give queues: { only: ['email'] } or queues: { except: ['email'] }, or leave it out for all queues.",
  });
}

/** @internal */
export function badStart(value: unknown): ConfigProblem {
  return badOption(value, {
    code: 'LANE_BAD_START',
    option: 'start',
    rule: 'be "bootstrap" or "manual"',
    fix: 'correct the value, or leave it out to start when the application has.',
  });
}

/** @internal */
export function badStartWhen(value: unknown): ConfigProblem {
  return badOption(value, {
    code: 'LANE_BAD_START',
    option: 'startWhen',
    rule: 'be a function that gives a promise',
    fix: 'give startWhen: () => cache.warm(), or leave it out.',
  });
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

/** @internal */
export function badScope(scope: unknown): ConfigProblem {
  return badOption(scope, {
    code: 'LANE_SCOPE',
    option: 'scope',
    rule: 'be a Scope of @nestjs/common',
    fix: 'give Scope.REQUEST, Scope.TRANSIENT or Scope.DEFAULT.',
  });
}

/** What is wrong with the value of one option. */
function badOption(
  value: unknown,
  {
    code,
    option,
    rule,
    fix,
  }: { readonly code: string; readonly option: string; readonly rule: string; readonly fix: string },
): ConfigProblem {
  return { code, message: `Option "${option}" is ${showValue(value)}; it must ${rule}.`, where: [], fix };
}
