import type { ScopeOptions } from '@nestjs/common';
import { Scope } from '@nestjs/common';
import {
  EXCEPTION_FILTERS_METADATA,
  GUARDS_METADATA,
  INTERCEPTORS_METADATA,
  PIPES_METADATA,
  ROUTE_ARGS_METADATA,
  SCOPE_OPTIONS_METADATA,
} from '@nestjs/common/constants.js';

/** @internal */
export interface Class {
  readonly name: string;
  readonly prototype: object;
}

const ENHANCERS = [GUARDS_METADATA, INTERCEPTORS_METADATA, PIPES_METADATA, EXCEPTION_FILTERS_METADATA];

/**
 * The enhancers of a class, or of a function, that are given as classes.
 *
 * @internal
 */
export function enhancerClassesOf(target: object): Class[] {
  return ENHANCERS.flatMap((key) => (Reflect.getMetadata(key, target) ?? []) as unknown[]).filter(isClass);
}

/**
 * The enhancers of a method, and of its parameters, that are given as classes.
 *
 * @internal
 */
export function enhancerClassesOfMethod(target: Class, method: string | symbol): Class[] {
  const ofParameters = Object.values(parametersOf(target, method)).flatMap(({ pipes = [] }) => pipes);
  return [...enhancerClassesOf(functionOf(target, method)), ...ofParameters.filter(isClass)];
}

/**
 * Whether pipes stand on a method itself.
 *
 * @internal
 */
export function hasPipes(target: Class, method: string | symbol): boolean {
  return Reflect.hasMetadata(PIPES_METADATA, functionOf(target, method));
}

/**
 * Whether parameters of a method are decorated.
 *
 * @internal
 */
export function hasParameters(target: Class, method: string | symbol): boolean {
  return Object.keys(parametersOf(target, method)).length > 0;
}

/**
 * The scope that decorators give a class.
 *
 * @internal
 */
export function declaredScope(target: object): Scope {
  const options = Reflect.getMetadata(SCOPE_OPTIONS_METADATA, target) as ScopeOptions | undefined;
  return options?.scope ?? Scope.DEFAULT;
}

function functionOf({ prototype }: Class, method: string | symbol): object {
  const implementation = (prototype as Record<string | symbol, unknown>)[method];
  return typeof implementation === 'function' ? implementation : {};
}

function parametersOf(
  target: object,
  method: string | symbol,
): Record<string, { readonly pipes?: readonly unknown[] }> {
  return (Reflect.getMetadata(ROUTE_ARGS_METADATA, target, method) ?? {}) as ReturnType<typeof parametersOf>;
}

/**
 * Whether something is given as a class, rather than as an object.
 *
 * @internal
 */
export function isClass(value: unknown): value is Class {
  return typeof value === 'function' && typeof value.prototype === 'object';
}
