import { defineArgument } from '../nest-internals/argument-metadata';

/**
 * Gives a parameter of a handler the job itself. No pipe acts on it.
 *
 * @example
 * ```ts
 * @Process('send')
 * send(@JobRef() job: Job<Letter>) {}
 * ```
 *
 * @public
 */
export function JobRef(): ParameterDecorator {
  return (target, method, index) => {
    defineArgument(target, method!, index, { kind: 'run', data: 'job' });
  };
}
