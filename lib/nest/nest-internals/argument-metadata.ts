import 'reflect-metadata';

import type { PipeTransform, Type } from '@nestjs/common';
import { PARAMTYPES_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';

/**
 * Kinds of arguments, by the numbers that Nest has for those of requests.
 *
 * - `data` is that of a body, on which its validation pipes act without being told to
 * - `header` is that of a header
 * - `run` is that of the request itself: the job, its context or its signal, on which no pipe acts
 *
 * @internal
 */
export const ARGUMENT_KIND: Readonly<Record<'data' | 'header' | 'run', number>> = {
  data: RouteParamtypes.BODY,
  header: RouteParamtypes.HEADERS,
  run: RouteParamtypes.REQUEST,
};

/**
 * One decorated parameter.
 *
 * @internal
 */
export interface ArgumentMetadata {
  readonly kind: keyof typeof ARGUMENT_KIND;
  /** What is meant of its kind: a path, a name. */
  readonly data?: string | undefined;
  readonly pipes?: readonly (Type<PipeTransform> | PipeTransform)[];
  /** Class of the parameter, in place of what the compiler has noted. */
  readonly type?: unknown;
}

/**
 * Notes how a parameter of a handler is filled, where Nest looks for it and where the decorators that users make with
 * `createParamDecorator` note theirs. The helpers that Nest has for this differ between its majors, the form does not.
 *
 * @internal
 */
export function defineArgument(
  prototype: object,
  method: string | symbol,
  index: number,
  { kind, data, pipes = [], type }: ArgumentMetadata,
): void {
  const others = (Reflect.getOwnMetadata(ROUTE_ARGS_METADATA, prototype.constructor, method) ?? {}) as object;
  Reflect.defineMetadata(
    ROUTE_ARGS_METADATA,
    { ...others, [`${ARGUMENT_KIND[kind]}:${index}`]: { index, data, pipes: [...pipes] } },
    prototype.constructor,
    method,
  );
  if (type !== undefined) {
    // Decorators of parameters run after those by which compilers note types.
    const types = [...((Reflect.getOwnMetadata(PARAMTYPES_METADATA, prototype, method) ?? []) as unknown[])];
    types[index] = type;
    Reflect.defineMetadata(PARAMTYPES_METADATA, types, prototype, method);
  }
}
