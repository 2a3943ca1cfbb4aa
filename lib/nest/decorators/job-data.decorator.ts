import type { PipeTransform, Type } from '@nestjs/common';

import { refuseUnknownOptions } from '../../model/option-names';
import type { StandardSchema } from '../../model/standard-schema';
import { SchemaPipe } from '../arguments/schema.pipe';
import { defineArgument } from '../nest-internals/argument-metadata';

/**
 * A pipe for an argument of a handler: a class, of which Nest makes an object, or an object.
 *
 * @public
 */
export type ArgumentPipe = Type<PipeTransform> | PipeTransform;

/**
 * Options of `@JobData`.
 *
 * @public
 */
export interface JobDataOptions {
  /** Which part of the data: names with points between them, such as `user.id`. Default: all of it. */
  path?: string;
  /** Any Standard Schema. The parameter is what the schema makes of the data; data that does not match fails the job. */
  schema?: StandardSchema;
  /** Class of the parameter, for validation pipes, where the compiler notes no types. Default: what it has noted. */
  type?: Type;
}

const OPTION_NAMES: readonly (keyof JobDataOptions)[] = ['path', 'schema', 'type'];

/**
 * Gives a parameter of a handler the data of the job. It counts as the body of a request does, so Nest's validation pipes
 * act on it without options. A job whose data a pipe refuses fails for good, with the code `invalid`.
 *
 * @param pipes - run on it, in order, after those of the module, class and method
 *
 * @example
 * ```ts
 * @Process('send')
 * @UsePipes(new ValidationPipe({ transform: true }))
 * send(@JobData() letter: LetterDto, @JobData('to.id', ParseUUIDPipe) id: string) {}
 * ```
 *
 * @public
 */
export function JobData(...pipes: ArgumentPipe[]): ParameterDecorator;
/**
 * A part of the data. Where there is nothing, it is `undefined`; prototypes are not looked at.
 *
 * @param path - names with points between them, such as `user.id`
 *
 * @public
 */
export function JobData(path: string | undefined, ...pipes: ArgumentPipe[]): ParameterDecorator;
/**
 * The data, held against a schema, or with its class.
 *
 * @throws UnknownOptionError, InvalidOptionsError
 *
 * @public
 */
export function JobData(options: JobDataOptions, ...pipes: ArgumentPipe[]): ParameterDecorator;
export function JobData(...args: (string | undefined | JobDataOptions | ArgumentPipe)[]): ParameterDecorator {
  const [first, ...others] = args;
  const isPipeFirst = isPipe(first);
  const pipes = (isPipeFirst ? args : others) as ArgumentPipe[];
  const { path, schema, type } = isPipeFirst ? {} : optionsOf(first);
  return (target, method, index) => {
    defineArgument(target, method!, index, {
      kind: 'data',
      data: path,
      pipes: schema === undefined ? pipes : [new SchemaPipe(schema, path), ...pipes],
      type,
    });
  };
}

function optionsOf(first: string | undefined | JobDataOptions): JobDataOptions {
  if (first === undefined || typeof first === 'string') {
    return first === undefined ? {} : { path: first };
  }
  refuseUnknownOptions('@JobData', first, OPTION_NAMES);
  return first;
}

function isPipe(value: unknown): value is ArgumentPipe {
  const { transform } = Object(typeof value === 'function' ? value.prototype : value) as {
    transform?: unknown;
  };
  return typeof transform === 'function';
}
