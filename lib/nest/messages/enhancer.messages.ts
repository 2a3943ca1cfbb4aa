import { showValue } from '../../model/errors/show-value';
import type { ConfigProblem } from '../errors/config-problem';
import { capitalized } from './wording';

// What can be wrong with enhancers and the parameters that they act on.

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
