import { defineArgument } from '../nest-internals/argument-metadata';

/**
 * Gives a parameter of a handler the `JobContext` of the run. No pipe acts on it.
 *
 * @example
 * ```ts
 * @Process('send')
 * send(@JobCtx() ctx: JobContext) {}
 * ```
 *
 * @public
 */
export function JobCtx(): ParameterDecorator {
  return (target, method, index) => {
    defineArgument(target, method!, index, { kind: 'run', data: 'context' });
  };
}
