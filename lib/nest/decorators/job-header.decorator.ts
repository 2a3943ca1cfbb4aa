import { checkHeaderName } from '../../model/job-headers';
import { defineArgument } from '../nest-internals/argument-metadata';
import type { ArgumentPipe } from './job-data.decorator';

/**
 * Gives a parameter of a handler a header of the job, or `undefined` where it has none of that name.
 *
 * @param name - in upper or lower case
 * @param pipes - run on it, in order, after those of the module, class and method, for which it is an argument of type
 * `custom`
 * @throws InvalidHeadersError for what no header can be called
 *
 * @example
 * ```ts
 * @Process('send')
 * send(@JobData() letter: Letter, @JobHeader('x-tenant-id') tenant: string | undefined) {}
 * ```
 *
 * @public
 */
export function JobHeader(name: string, ...pipes: ArgumentPipe[]): ParameterDecorator {
  const data = checkHeaderName(name);
  return (target, method, index) => {
    defineArgument(target, method!, index, { kind: 'header', data, pipes });
  };
}
