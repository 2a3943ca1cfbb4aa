import {
  EXCEPTION_FILTERS_METADATA,
  GUARDS_METADATA,
  INTERCEPTORS_METADATA,
  PIPES_METADATA,
  ROUTE_ARGS_METADATA,
} from '@nestjs/common/constants.js';

const ENHANCERS = [
  ['@UseGuards', GUARDS_METADATA],
  ['@UseInterceptors', INTERCEPTORS_METADATA],
  ['@UsePipes', PIPES_METADATA],
  ['@UseFilters', EXCEPTION_FILTERS_METADATA],
] as const;

/**
 * The enhancer decorators that stand on a class itself.
 *
 * @internal
 */
export function enhancersOfClass(target: object): string[] {
  return ENHANCERS.filter(([, key]) => Reflect.hasMetadata(key, target)).map(([decorator]) => decorator);
}

/**
 * The enhancer and parameter decorators that stand on a method.
 *
 * @internal
 */
export function enhancersOfMethod(prototype: object, method: string | symbol): string[] {
  const implementation = (prototype as Record<string | symbol, unknown>)[method];
  const ofMethod = typeof implementation === 'function' ? enhancersOfClass(implementation) : [];
  const parameters = Reflect.hasMetadata(ROUTE_ARGS_METADATA, prototype.constructor, method);
  return parameters ? [...ofMethod, 'A parameter decorator'] : ofMethod;
}
