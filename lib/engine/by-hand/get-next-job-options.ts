import { checkFlag } from '../../model/flag';
import { refuseUnknownOptions } from '../../model/option-names';

/**
 * How `getNextJob` fetches.
 *
 * @public
 */
export interface GetNextJobOptions {
  /** Waits for a job when none is ready, `drainDelay` at most. Default `true`. */
  block?: boolean;
}

/**
 * @returns whether to wait
 * @throws InvalidFlagError, InvalidOptionsError or UnknownOptionError
 *
 * @internal
 */
export function checkGetNextJobOptions(options: GetNextJobOptions): boolean {
  refuseUnknownOptions('getNextJob', options, ['block']);
  const { block = true } = options;
  return checkFlag('block', block);
}
