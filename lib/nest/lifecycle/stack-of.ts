import { asError } from '../../engine/runtime/safe-emitter';
import { textProperty } from '../../model/errors/text-property';
import { isStoreError } from '../../model/errors/lane-error';

/**
 * The stack for the log. A store that is out of service is one line: where in the package it was noticed says nothing.
 *
 * @internal
 */
export function stackOf(error: unknown): string | undefined {
  return error === undefined || isStoreError(error) ? undefined : textProperty(asError(error), 'stack');
}
