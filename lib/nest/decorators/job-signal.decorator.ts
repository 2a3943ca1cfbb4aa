import { defineArgument } from '../nest-internals/argument-metadata';

/**
 * Gives a parameter of a handler the signal that is aborted when the job has to end, as `JobContext.signal`. No pipe acts on it.
 *
 * @example
 * ```ts
 * @Process('send')
 * send(@JobData() letter: Letter, @JobSignal() signal: AbortSignal) {}
 * ```
 *
 * @public
 */
export function JobSignal(): ParameterDecorator {
  return (target, method, index) => {
    defineArgument(target, method!, index, { kind: 'run', data: 'signal' });
  };
}
